import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, dayOf } from '../../clickhouse/model/day.ts';
import { SOURCE_ADAPTERS, SOURCE_NAMES, type SourceName } from '../sources/registry.ts';
import type { RemoteSource } from '../sources/source.ts';
import type { FollowCommand } from './command.ts';
import { readLoadStations, readSources, refuseEarlierDays } from './load-args.ts';
import type { OptionValues } from './options.ts';

const DEFAULT_EVERY_SECONDS = 3600;

export function readFollow(values: OptionValues, errors: string[]): FollowCommand | undefined {
  const sources = readSources(values, errors) ?? [];
  const stations = readLoadStations(values, sources, errors);
  const { from: firstDay, interval: intervalSeconds, every: everySeconds = DEFAULT_EVERY_SECONDS } = values;
  refuseEarlierDays(firstDay, errors);
  if (firstDay !== undefined && firstDay > dayOf(Date.now() / 1000))
    errors.push(`--from must be a day that has begun; found ${firstDay}`);
  for (const source of sources) {
    const adapter = followable(source);
    if (adapter === undefined)
      errors.push(
        `--source ${source} has no new reports: write ${SOURCE_NAMES.filter(followable).join(' or ')}`,
      );
    else refuseShortInterval(adapter, stations, everySeconds, intervalSeconds, errors);
  }
  return { kind: 'follow', sources, stations, everySeconds, firstDay, intervalSeconds };
}

/** A source that still collects reports. */
function followable(source: SourceName): RemoteSource | undefined {
  const adapter = SOURCE_ADAPTERS[source]();
  return adapter.kind === 'remote' && adapter.endDay === undefined ? adapter : undefined;
}

/** A cycle requests the newest reports, and mostly one day as a whole. At its pace the source must be able to answer. */
function refuseShortInterval(
  { source, rateLimit, requests }: RemoteSource,
  stations: readonly string[],
  everySeconds: number,
  intervalSeconds = rateLimit.intervalSeconds,
  errors: string[],
): void {
  const now = Math.floor(Date.now() / 1000);
  const day = { firstDay: dayOf(now), endDay: addDays(dayOf(now), 1) };
  const window = { from: now - 3 * 3600, to: now };
  const count = stations.reduce((sum, station) => {
    const slice = { source, station, ...day };
    return sum + requests(slice).length + requests({ ...slice, window }).length;
  }, 0);
  const seconds = count * intervalSeconds;
  if (seconds <= everySeconds) return;
  const of = stations.includes(ALL_STATIONS) ? 'all stations' : `${stations.length} stations`;
  errors.push(
    `--every is too short: a cycle of ${of} sends ${count} requests to ${source}, ${intervalSeconds} s apart; write --every ${atLeast(seconds)} or longer, or fewer stations`,
  );
}

/** Whole minutes. */
function atLeast(seconds: number): string {
  return `${Math.ceil(seconds / 60)}m`;
}
