import type { AcceptRequest } from '../http/accept-request.ts';
import type { Route } from '../http/app.ts';
import { addLogFields } from '../http/request-log.ts';
import { buildEnvelope } from '../http/response/envelope.ts';
import type { SendJson } from '../http/response/send-json.ts';
import { chooseFormat } from '../observations/formats/formats.ts';
import { formatMeta } from './format-meta.ts';
import type { StatisticsReader } from './read-answer.ts';
import { parseStatisticsQuery } from './request/query-params.ts';
import { sendFile } from './send-file.ts';

/** `GET /v1/history/statistics` (D45), in any format. The order of the stages is the order of refusals (D25). */
export function statisticsRoute(
  { readJson, readBody }: StatisticsReader,
  acceptRequest: AcceptRequest,
  sendJson: SendJson,
): Route {
  return async (ctx) => {
    const { format, allowance, client } = await acceptRequest(ctx, chooseFormat); // 503, 429, 405, 401, 406, 400
    const query = parseStatisticsQuery(ctx.querystring); // 400 invalid_parameter
    addLogFields(ctx.req, { format, stations: query.question.stations.length });
    if (format !== 'json') {
      const { body, coverage } = await readBody(query, format, client); // 400, 503, 504
      return sendFile(ctx, format, body, coverage, client);
    }
    const { data, coverage } = await readJson(query, client); // 400, 503, 504
    const envelope = buildEnvelope(data, { members: formatMeta(query), coverage }, allowance);
    await sendJson(ctx, envelope, undefined, client); // 503 overloaded
  };
}
