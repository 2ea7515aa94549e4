import type { Context } from 'koa';
import { NO_COVERAGE } from '../../clickhouse/coverage/rules.ts';
import { periodOfRecord } from '../../clickhouse/coverage/station-listings.ts';
import { type KnownStation, readKnownStations } from '../../clickhouse/stations.ts';
import { zoneOfPosition } from '../../clickhouse/zones/clocks.ts';
import {
  buildEnvelope,
  type Envelope,
  entityTagOf,
  formatPaging,
  formatTime,
  jsonText,
  pagingHeaders,
} from '../answers/envelope.ts';
import { sendJson } from '../answers/send-json.ts';
import type { RouteContext } from '../compose.ts';
import { writeCursor } from '../contract/cursor.ts';
import { readQuery } from '../contract/query.ts';
import { acceptRequest } from '../http/accept-request.ts';
import { addLogFields } from '../http/request-log.ts';
import { STATIONS, STATIONS_MEDIA_TYPES } from './endpoint.ts';

/** Memory of a station: its rows, coverage and text, which exist at the same time. */
const LISTED_STATION_BYTES = 8192;

/** `GET /v1/history/stations` (D35, D48), as JSON or GeoJSON. The order of the stages is the order of refusals (D25). */
export async function answerStations(ctx: Context, context: RouteContext): Promise<void> {
  const { format, allowance, client } = await acceptRequest(ctx, STATIONS_MEDIA_TYPES, context); // 503, 429, 405, 401, 406, 400
  const query = readQuery(STATIONS, ctx.querystring); // 400
  const { values, limit, after } = query;
  const { stations, next } = await context.queries.runQuery(
    async (archive, signal) => {
      const found = await readKnownStations(archive, values, after, limit + 1);
      const page = found.slice(0, limit);
      const codes = page.map(({ station }) => station);
      const known = (await context.states.current(codes, signal)).states;
      return {
        stations: page.map((each) => toRecord(each, known.get(each.station) ?? NO_COVERAGE)),
        next: found.length > limit ? page.at(-1) : undefined,
      };
    },
    client,
    limit * LISTED_STATION_BYTES,
  ); // 503, 504

  const nextCursor = next && writeCursor({ station: next.station, distance_km: next.distance_km }, query);
  addLogFields(ctx.req, { format, records: stations.length });
  if (format === 'geojson') {
    await sendJson(ctx, buildFeatureCollection(stations, nextCursor), nextCursor, client); // 503 overloaded
    return ctx.set(pagingHeaders(nextCursor));
  }
  const data = jsonText(stations.map((station) => JSON.stringify(station)).join());
  const envelope = buildEnvelope(data, { members: formatPaging(nextCursor) }, allowance);
  await sendJson(ctx, envelope, nextCursor, client); // 503 overloaded
}

/** An element of `data`. Unknown values are `undefined`, which JSON omits. */
type StationRecord = ReturnType<typeof toRecord>;

function toRecord(
  { station, name, country, position, elevation_m, distance_km, timezone, runways }: KnownStation,
  { listings, reports }: typeof NO_COVERAGE,
) {
  const first = reports.length === 0 ? undefined : Math.min(...reports.map((span) => span.first));
  const last = reports.length === 0 ? undefined : Math.max(...reports.map((span) => span.last));
  return {
    station,
    name,
    country,
    latitude: position?.latitude,
    longitude: position?.longitude,
    elevation_m,
    distance_km,
    timezone: timezone ?? (position && zoneOfPosition(position)),
    runways,
    periodOfRecord: periodOfRecord(listings),
    firstReport: formatTime(first),
    lastReport: formatTime(last),
  };
}

const START_OF_GEOJSON = Buffer.from('{"type":"FeatureCollection","features":[');
const END = Buffer.from(']}');

/** RFC 7946. The content of `meta` in JSON is in headers, so this holds only the features. */
function buildFeatureCollection(records: readonly StationRecord[], nextCursor: string | undefined): Envelope {
  const features = jsonText(records.map((record) => JSON.stringify(toFeature(record))).join());
  return {
    mediaType: STATIONS_MEDIA_TYPES.geojson,
    etag: entityTagOf(`${features.digest} ${nextCursor} geojson`),
    parts: [START_OF_GEOJSON, features.text, END],
  };
}

function toFeature({ station, latitude, longitude, elevation_m, ...properties }: StationRecord): object {
  if (latitude === undefined || longitude === undefined)
    return { type: 'Feature', id: station, geometry: null, properties: { ...properties, elevation_m } };
  const coordinates = [longitude, latitude, ...(elevation_m === undefined ? [] : [elevation_m])];
  return { type: 'Feature', id: station, geometry: { type: 'Point', coordinates }, properties };
}
