import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { nameStations } from '../answers/area.ts';
import { buildEnvelope } from '../answers/envelope.ts';
import { sendJson } from '../answers/send-json.ts';
import { sendStream, setStreamHeaders } from '../answers/send-stream.ts';
import type { RouteContext } from '../compose.ts';
import { describeTimeZone } from '../contract/answers.ts';
import { MEDIA_TYPES } from '../contract/endpoint.ts';
import { readQuery } from '../contract/query.ts';
import { acceptRequest } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import { questionOf, STATISTICS, type StatisticsRequest } from './endpoint.ts';
import { readAnswer } from './read-answer.ts';

/** `GET /v1/history/statistics` (D45), in any format. The order of the stages is the order of refusals (D25). */
export async function answerStatistics(ctx: Context, context: RouteContext): Promise<void> {
  const { format, allowance, client } = await acceptRequest(ctx, MEDIA_TYPES, context); // 503, 429, 405, 401, 406, 400
  const asked = readQuery(STATISTICS, ctx.querystring); // 400 invalid_parameter
  const { values, filtersKey } = await nameStations(context, asked, client); // 400, 503, 504
  const question = questionOf(values);
  addLogFields(ctx.req, { format, stations: question.stations.length });
  const { rows, coverage, inUtc, times } = await readAnswer(context, question, filtersKey, format, client); // 400, 503, 504
  if (format === 'json') {
    const envelope = buildEnvelope(rows, { members: formatMeta(question, inUtc), coverage }, allowance);
    return sendJson(ctx, envelope, undefined, client); // 503 overloaded
  }
  await client.reserve(rows.size); // 503 overloaded
  const head = {
    status: coverage.status,
    sources: coverage.sources,
    inUtc,
    times,
    stations: question.stations,
  };
  if (ctx.method === 'HEAD') return void setStreamHeaders(ctx, format, head);
  await sendStream(ctx, format, head, Readable.from([rows.text]));
}

/** The members of `meta` that tell how a question was interpreted, as JSON text. */
function formatMeta({ sample, tz, expanded }: StatisticsRequest, inUtc: readonly string[]): string {
  const { select, by, days } = expanded ?? {};
  return JSON.stringify({
    sample,
    tz: describeTimeZone(tz, inUtc),
    ...(expanded !== undefined && { expanded: { select, by, sample, days } }),
  }).slice(1, -1);
}
