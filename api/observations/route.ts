import type { Context } from 'koa';
import { acceptRequest, type Service } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import { buildEnvelope, formatPaging } from '../http/response/envelope.ts';
import { sendJson } from '../http/response/send-json.ts';
import { writeCursor } from '../parameters/cursor.ts';
import { limitKindOf, readQuery } from '../parameters/query.ts';
import type { PageReader } from './page-reader.ts';
import { MEDIA_TYPES } from './send-stream.ts';
import { streamRecords } from './stream-records.ts';

/**
 * `GET /v1/history/observations`, as a page of JSON or as a stream in another format. Each stage uses values of earlier
 * stages, and the order of the stages is the order of refusals (D25). Requests for an unknown path (404) do not get
 * here: see `notFound` in app.ts.
 */
export async function answerObservations(ctx: Context, service: Service, pages: PageReader): Promise<void> {
  const { format, allowance, client } = await acceptRequest(ctx, MEDIA_TYPES, service); // 503, 429, 405, 401, 406, 400
  const query = readQuery('observations', ctx.querystring, limitKindOf(format, allowance.plan)); // 400
  if (format !== 'json') return streamRecords(ctx, format, query, client, service); // 503, 504
  const { asked, limit, after, filtersKey } = query;
  const { page, coverage } = await pages.read({ ...asked, limit, after, filtersKey }, client); // 503, 504

  const nextCursor = page.next && writeCursor(page.next, query);
  addLogFields(ctx.req, { stations: asked.stations.length, records: page.count });
  const envelope = buildEnvelope(page, { members: formatPaging(nextCursor), coverage }, allowance);
  await sendJson(ctx, envelope, nextCursor, client, service.bodies); // 503 overloaded
}
