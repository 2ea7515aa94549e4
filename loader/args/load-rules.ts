import { InvalidArgumentError } from '@commander-js/extra-typings';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, type Day, dayOf, FIRST_DAY } from '../../clickhouse/model/day.ts';
import { SOURCE_ADAPTERS, SOURCE_NAMES, type SourceName } from '../sources/registry.ts';
import type { RemoteSource } from '../sources/source.ts';

const DEMO_CODE = /^X[A-Z]{3}$/;

/**
 * The stations of a load or of `follow`, in the form that these sources take.
 *
 * @param stations codes, or an empty list for all stations
 */
export function stationsFor(
  sources: readonly SourceName[],
  stations: readonly string[] | undefined,
): readonly string[] {
  if (stations?.length === 0) {
    const source = sources.find((name) => !hasAllStations(name));
    if (source === undefined) return [ALL_STATIONS];
    const names = SOURCE_NAMES.filter(hasAllStations).join(' or ');
    throw new InvalidArgumentError(
      `--stations all is not possible with ${source}: write codes, or use ${names}`,
    );
  }
  const allAlone = sources.find((source) => SOURCE_ADAPTERS[source]().givesAllStations === 'only');
  if (allAlone !== undefined)
    throw new InvalidArgumentError(`--source ${allAlone} sends all stations together: write --stations all`);
  if (stations === undefined)
    throw new InvalidArgumentError(
      '--stations is required: write codes, like --stations KJFK,EGLL, or all; or --stations-file FILE',
    );
  const unknown = sources.includes('demo') ? stations.filter((code) => !DEMO_CODE.test(code)) : [];
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `--stations must be codes from XAAA to XZZZ with --source demo; found ${unknown.join(', ')}`,
    );
  return stations;
}

function hasAllStations(source: SourceName): boolean {
  const adapter = SOURCE_ADAPTERS[source]();
  return (
    adapter.givesAllStations !== false || (adapter.kind === 'remote' && adapter.yearArchives !== undefined)
  );
}

export function refuseEarlierDays(firstDay: Day): void {
  if (firstDay < FIRST_DAY)
    throw new InvalidArgumentError(
      `--from must be ${FIRST_DAY} or later, the first day of the archive; found ${firstDay}`,
    );
}

/** Rejects a source without new reports, and cycles shorter than a source's rate limit allows. */
export function refuseUnfollowable(
  sources: readonly SourceName[],
  stations: readonly string[],
  everySeconds: number,
  intervalSeconds: number | undefined,
): void {
  for (const source of sources) {
    const adapter = followable(source);
    if (adapter === undefined)
      throw new InvalidArgumentError(
        `--source ${source} has no new reports: write ${SOURCE_NAMES.filter(followable).join(' or ')}`,
      );
    const interval = intervalSeconds ?? adapter.rateLimit.intervalSeconds;
    const requests = requestsOfCycle(adapter, stations);
    if (requests * interval <= everySeconds) continue;
    const of = stations.includes(ALL_STATIONS) ? 'all stations' : `${stations.length} stations`;
    const minutes = Math.ceil((requests * interval) / 60);
    throw new InvalidArgumentError(
      `--every is too short: a cycle of ${of} sends ${requests} requests to ${source}, ${interval} s apart; ` +
        `write --every ${minutes}m or longer, or fewer stations`,
    );
  }
}

/** A source that still collects reports. */
function followable(source: SourceName): RemoteSource | undefined {
  const adapter = SOURCE_ADAPTERS[source]();
  return adapter.kind === 'remote' && adapter.endDay === undefined ? adapter : undefined;
}

/** A cycle requests the newest reports and usually one whole day. */
function requestsOfCycle({ source, requests }: RemoteSource, stations: readonly string[]): number {
  const now = Math.floor(Date.now() / 1000);
  const day = { firstDay: dayOf(now), endDay: addDays(dayOf(now), 1) };
  const window = { from: now - 3 * 3600, to: now };
  return stations.reduce((sum, station) => {
    const slice = { source, station, ...day };
    return sum + requests(slice).length + requests({ ...slice, window }).length;
  }, 0);
}
