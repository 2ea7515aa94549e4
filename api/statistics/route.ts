import type { Context } from 'koa';
import { type AcceptResources, acceptRequest } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import type { CompressedBodies } from '../http/response/compression.ts';
import { buildEnvelope } from '../http/response/envelope.ts';
import { sendJson } from '../http/response/send-json.ts';
import { MEDIA_TYPES } from '../observations/formats/formats.ts';
import { readQuery } from '../parameters/query.ts';
import type { StatisticsRequest } from '../parameters/table.ts';
import { type StatisticsReader, toStatisticsQuery } from './read-answer.ts';
import { sendFile } from './send-file.ts';

/** `GET /v1/history/statistics` (D45), in any format. The order of the stages is the order of refusals (D25). */
export async function answerStatistics(
  ctx: Context,
  service: AcceptResources & { readonly bodies: CompressedBodies; readonly statistics: StatisticsReader },
): Promise<void> {
  const { format, allowance, client } = await acceptRequest(ctx, MEDIA_TYPES, service); // 503, 429, 405, 401, 406, 400
  const { asked } = readQuery('statistics', ctx.querystring); // 400 invalid_parameter
  const query = toStatisticsQuery(asked);
  addLogFields(ctx.req, { format, stations: asked.stations.length });
  if (format !== 'json') {
    const { body, coverage } = await service.statistics.readBody(query, format, client); // 400, 503, 504
    return sendFile(ctx, format, body, coverage, client);
  }
  const { data, coverage } = await service.statistics.readJson(query, client); // 400, 503, 504
  const envelope = buildEnvelope(data, { members: formatMeta(asked), coverage }, allowance);
  await sendJson(ctx, envelope, undefined, client, service.bodies); // 503 overloaded
}

/** The members of `meta` that tell how a question was interpreted, as JSON text. */
function formatMeta({ sample, tz, expanded }: StatisticsRequest): string {
  const { select, by } = expanded ?? {};
  return JSON.stringify({
    sample,
    tz,
    ...(expanded !== undefined && { expanded: { select, by, sample } }),
  }).slice(1, -1);
}
