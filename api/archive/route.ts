import { type Archive, canceledBy } from '../../clickhouse/archive.ts';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { citationsOf } from '../../clickhouse/model/citations.ts';
import { SECONDS_PER_DAY } from '../../clickhouse/model/day.ts';
import {
  type ArchiveSummary,
  type ListedStation,
  readArchiveSummary,
  readStationList,
} from '../../clickhouse/stations.ts';
import { formatTime } from '../answers/envelope.ts';
import { type Route, requireGetOrHead } from '../http/http-request.ts';
import { Problem, retryAfter } from '../problem.ts';

/** How old the numbers may be. They need no key, so requests for them must not each reach the storage. */
const MAX_AGE_SECONDS = 60;
/** After a failure, new requests get the same answer for this long. */
const FAILURE_SECONDS = 2;
const TIMEOUT_MS = 2000;

/**
 * `GET /v1/history/archive`: what the archive holds in numbers, for people without a key. It contains no reports. Like
 * the list of stations it is not counted, as all requests within a minute share the statements.
 */
export function archiveRoute(archive: Archive): Route {
  return sharedRoute(archive, async (cancelable) => formatSummary(await readArchiveSummary(cancelable)));
}

/** `GET /v1/history/archive/stations` */
export function archiveStationsRoute(archive: Archive): Route {
  return sharedRoute(archive, async (cancelable) => formatStations(await readStationList(cancelable)));
}

function sharedRoute(archive: Archive, readBody: (archive: Archive) => Promise<string>): Route {
  const flight = new SingleFlight<void>();
  let answer: { readonly body: string } | { readonly cause: unknown } = { body: '' };
  let expires = 0;
  const read = async () => {
    try {
      answer = { body: await readBody(canceledBy(AbortSignal.timeout(TIMEOUT_MS), archive)) };
      expires = performance.now() + MAX_AGE_SECONDS * 1000;
    } catch (cause) {
      answer = { cause };
      expires = performance.now() + FAILURE_SECONDS * 1000;
    }
  };
  return async (ctx) => {
    requireGetOrHead(ctx.method);
    if (performance.now() >= expires) await flight.join(read);
    if ('cause' in answer)
      throw new Problem('storage_unavailable', 'The storage does not respond.', {
        headers: retryAfter(FAILURE_SECONDS * 1000),
        cause: answer.cause,
      });
    ctx.set('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
    ctx.body = answer.body;
    ctx.set('Content-Type', 'application/json; charset=utf-8');
  };
}

function formatStations(stations: readonly ListedStation[]): string {
  const data = stations.map(({ station, name, country, position, newestReport }) => ({
    station,
    name,
    country,
    latitude: position?.latitude,
    longitude: position?.longitude,
    lastReport: formatTime(newestReport),
  }));
  return JSON.stringify({ data });
}

function formatSummary({ newestReport, examples, sources, ...numbers }: ArchiveSummary): string {
  if (newestReport === null) return JSON.stringify({ data: { stations: 0, reports: 0 } });
  const example = { stations: examples, month: newestMonth(newestReport) };
  const about = { newestReport: formatTime(newestReport), example, sources: citationsOf(sources) };
  return JSON.stringify({ data: { ...numbers, ...about } });
}

/** The month of the newest report, or the previous one if that month has not had five days yet. */
function newestMonth(epochSeconds: number): string {
  return new Date((epochSeconds - 4 * SECONDS_PER_DAY) * 1000).toISOString().slice(0, 7);
}
