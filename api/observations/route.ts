import type { Context } from 'koa';
import { writeCursor } from '../contract/cursor.ts';
import { MEDIA_TYPES } from '../contract/endpoint.ts';
import { limitKindOf, readQuery } from '../contract/query.ts';
import { acceptRequest, type Service } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import { buildEnvelope, formatPaging } from '../http/response/envelope.ts';
import { sendJson } from '../http/response/send-json.ts';
import { OBSERVATIONS, selectionOf } from './endpoint.ts';
import type { PageReader } from './page-reader.ts';
import { streamRecords } from './stream-records.ts';

/**
 * `GET /v1/history/observations`, as a page of JSON or as a stream in another format. Each stage uses values of earlier
 * stages, and the order of the stages is the order of refusals (D25). Requests for an unknown path (404) do not get
 * here: see `notFound` in app.ts.
 */
export async function answerObservations(ctx: Context, service: Service, pages: PageReader): Promise<void> {
  const { format, allowance, client } = await acceptRequest(ctx, MEDIA_TYPES, service); // 503, 429, 405, 401, 406, 400
  const query = readQuery(OBSERVATIONS, ctx.querystring, limitKindOf(format, allowance.plan)); // 400
  const selection = selectionOf(query.values);
  if (format !== 'json') return streamRecords(ctx, format, selection, query, client, service); // 503, 504
  const { limit, after, filtersKey } = query;
  const { page, coverage } = await pages.read({ ...selection, limit, after, filtersKey }, client); // 503, 504

  const nextCursor = page.next && writeCursor(page.next, query);
  addLogFields(ctx.req, { stations: selection.stations.length, records: page.count });
  const envelope = buildEnvelope(page, { members: formatPaging(nextCursor), coverage }, allowance);
  await sendJson(ctx, envelope, nextCursor, client, service.bodies); // 503 overloaded
}
