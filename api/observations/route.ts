import type { AcceptRequest } from '../http/accept-request.ts';
import type { Route } from '../http/app.ts';
import { addLogFields } from '../http/request-log.ts';
import { buildEnvelope, formatPaging } from '../http/response/envelope.ts';
import type { SendJson } from '../http/response/send-json.ts';
import { readCursor, writeCursor } from '../parameters/cursor.ts';
import { limitKindOf, readQuery } from '../parameters/query.ts';
import { chooseFormat } from './formats/formats.ts';
import type { StreamRecords } from './formats/stream-records.ts';
import { POSITION } from './position.ts';
import { type ArchiveReader, toPageQuery } from './read-archive.ts';

/**
 * `GET /v1/history/observations`, as a page of JSON or as a stream in another format. Each stage takes values of the
 * stages before it, and the order of the stages is the order of refusals (D25). Requests for an unknown path (404) do
 * not get here: see `notFound` in app.ts.
 */
export function observationsRoute({
  readArchive,
  acceptRequest,
  sendJson,
  streamRecords,
}: {
  readonly readArchive: ArchiveReader;
  readonly acceptRequest: AcceptRequest;
  readonly sendJson: SendJson;
  readonly streamRecords: StreamRecords;
}): Route {
  return async (ctx) => {
    const { format, allowance, client } = await acceptRequest(ctx, chooseFormat); // 503, 429, 405, 401, 406, 400
    const query = readQuery('observations', ctx.querystring, limitKindOf(format, allowance.plan)); // 400 invalid_parameter
    const after = readCursor(query, POSITION); // 400 invalid_cursor, cursor_mismatch
    if (format !== 'json') return streamRecords(ctx, format, query, after, client); // 503, 504
    const { page, coverage } = await readArchive(toPageQuery(query, after), client); // 503, 504

    const nextCursor = page.next && writeCursor(page.next, query);
    addLogFields(ctx.req, { stations: query.asked.stations.length, records: page.count });
    const envelope = buildEnvelope(page, { members: formatPaging(nextCursor), coverage }, allowance);
    await sendJson(ctx, envelope, nextCursor, client); // 503 overloaded
  };
}
