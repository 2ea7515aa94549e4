import type { Context } from 'koa';
import type { Archive } from '../../clickhouse/archive.ts';
import type { CoverageStateCache } from '../../clickhouse/coverage/state-cache.ts';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import type { PlaceInList } from '../../clickhouse/stations/known-stations.ts';
import { type AcceptResources, acceptRequest } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import type { CompressedBodies } from '../http/response/compression.ts';
import { buildEnvelope, elementsOf, formatPaging, pagingHeaders } from '../http/response/envelope.ts';
import { sendJson } from '../http/response/send-json.ts';
import type { ArchiveQueries } from '../ops/query-limits.ts';
import { positionCheck, readCursor, writeCursor } from '../parameters/cursor.ts';
import { readQuery } from '../parameters/query.ts';
import { buildFeatureCollection } from './feature-collection.ts';
import { STATIONS_MEDIA_TYPES } from './formats.ts';
import { readStations } from './read-stations.ts';

/** Memory of a station: its rows, coverage and text, which exist at the same time. */
const STATION_BYTES = 8192;

/** The position of a cursor: the last station of the previous page. */
export const POSITION = positionCheck<PlaceInList>(
  {
    station: { type: 'string', pattern: ICAO_CODE.source },
    distance_km: { type: 'number', minimum: 0, maximum: 1000 },
  },
  ['station'],
);

/** `GET /v1/history/stations` (D35, D48), as JSON or GeoJSON. The order of the stages is the order of refusals (D25). */
export async function answerStations(
  ctx: Context,
  service: AcceptResources & {
    readonly archive: Archive;
    readonly states: CoverageStateCache;
    readonly queries: ArchiveQueries;
    readonly bodies: CompressedBodies;
  },
): Promise<void> {
  const { archive, states } = service;
  const { format, allowance, client } = await acceptRequest(ctx, STATIONS_MEDIA_TYPES, service); // 503, 429, 405, 401, 406, 400
  const query = readQuery('stations', ctx.querystring); // 400 invalid_parameter
  const after = readCursor(query, POSITION); // 400 invalid_cursor, cursor_mismatch
  const { stations, next } = await service.queries.runQuery(
    (signal) => readStations(archive, states, query, after, signal),
    client,
    query.limit * STATION_BYTES,
  ); // 503, 504

  const nextCursor = next && writeCursor({ station: next.station, distance_km: next.distance_km }, query);
  addLogFields(ctx.req, { format, records: stations.length });
  if (format === 'geojson') {
    await sendJson(ctx, buildFeatureCollection(stations, nextCursor), nextCursor, client, service.bodies); // 503 overloaded
    return ctx.set(pagingHeaders(nextCursor));
  }
  const data = elementsOf(stations.map((station) => JSON.stringify(station)));
  const envelope = buildEnvelope(data, { members: formatPaging(nextCursor) }, allowance);
  await sendJson(ctx, envelope, nextCursor, client, service.bodies); // 503 overloaded
}
