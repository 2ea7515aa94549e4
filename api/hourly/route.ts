import type { Context } from 'koa';
import { readCoverage } from '../../clickhouse/coverage/coverage.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { HourlyPosition } from '../../clickhouse/hourly/hourly-statement.ts';
import { readHourlyPage } from '../../clickhouse/hourly/read-hourly.ts';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import { ARCHIVE_TIMES } from '../../clickhouse/model/time-window.ts';
import { type AcceptResources, acceptRequest } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import type { CompressedBodies } from '../http/response/compression.ts';
import { buildEnvelope, elementsOf, formatPaging, textOf } from '../http/response/envelope.ts';
import { sendJson } from '../http/response/send-json.ts';
import { MEDIA_TYPES } from '../observations/formats/formats.ts';
import type { StreamResources } from '../observations/formats/stream-records.ts';
import { positionCheck, readCursor, writeCursor } from '../parameters/cursor.ts';
import { limitKindOf, readQuery } from '../parameters/query.ts';
import { streamHourly } from './stream-hourly.ts';

/** A row and its text, which exist at the same time. */
const ROW_BYTES = 1024;
const STATION_BYTES = 512;

/** The position of a cursor: the last row of the previous page. */
const POSITION = positionCheck<HourlyPosition>(
  {
    hour: { type: 'integer', minimum: ARCHIVE_TIMES.from, maximum: ARCHIVE_TIMES.to, multipleOf: 3600 },
    station: { type: 'string', pattern: ICAO_CODE.source },
  },
  ['hour', 'station'],
);

/**
 * `GET /v1/history/hourly` (D46), as a page of JSON or a stream in another format. The order of the stages is the order
 * of refusals (D25).
 */
export async function answerHourly(
  ctx: Context,
  service: StreamResources & AcceptResources & { readonly bodies: CompressedBodies },
): Promise<void> {
  const { archive, states } = service;
  const { format, allowance, client } = await acceptRequest(ctx, MEDIA_TYPES, service); // 503, 429, 405, 401, 406, 400
  const query = readQuery('hourly', ctx.querystring, limitKindOf(format, allowance.plan)); // 400 invalid_parameter
  const { limit, asked } = query;
  const request = { ...asked, limit, after: readCursor(query, POSITION) }; // 400 invalid_cursor, cursor_mismatch
  addLogFields(ctx.req, { format, stations: asked.stations.length });
  if (format !== 'json') return streamHourly(ctx, format, query, request, client, service); // 400, 503, 504
  const { page, coverage } = await service.queries.runQuery(
    async (signal) => {
      // Read before the rows, so that coverage never claims more than they hold (D16).
      const known = await states.read([...asked.stations, ALL_STATIONS], signal);
      const covered = await readCoverage(archive, request, signal, known.states);
      return { coverage: covered, page: await readHourlyPage(archive, request, signal) };
    },
    client,
    limit * ROW_BYTES + asked.stations.length * STATION_BYTES,
  ); // 503, 504

  const nextCursor = page.next && writeCursor(page.next, query);
  addLogFields(ctx.req, { records: page.rows.length });
  const meta = { members: formatPaging(nextCursor), coverage: textOf(JSON.stringify(coverage)) };
  await sendJson(
    ctx,
    buildEnvelope(elementsOf(page.rows), meta, allowance),
    nextCursor,
    client,
    service.bodies,
  ); // 503 overloaded
}
