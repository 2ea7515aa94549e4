import {
  type DaysByStation,
  readMissingDays,
  readRemainingDays,
} from '../../clickhouse/coverage/station-days.ts';
import { ALL_STATIONS, readListings, recordListings } from '../../clickhouse/coverage/station-listings.ts';
import { groupBy, inGroups } from '../../clickhouse/group-by.ts';
import {
  addDays,
  clip,
  type DayRange,
  dayOf,
  daysBetween,
  firstProvisionalDay,
  splitByDay,
  splitByYear,
} from '../../clickhouse/model/day.ts';
import type { Scope } from '../../clickhouse/model/time-window.ts';
import { recordStationDescriptions } from '../../clickhouse/stations.ts';
import { fetchWithRetry } from '../http/fetch-with-retry.ts';
import { METADATA_ATTEMPTS, retryStorage } from '../http/retry-policy.ts';
import type { LoadContext } from '../pipeline/load-slice.ts';
import type { SourceName } from '../sources/registry.ts';
import type { Slice, SourceAdapter, StationList } from '../sources/source.ts';

/** What is loaded from a source: days of stations, which are ICAO codes, or `ALL_STATIONS` alone. */
export type Load = Scope & {
  /** The newest or the oldest year of all stations first; `undefined`: station by station. */
  readonly order?: 'newest' | 'oldest' | undefined;
  /** Also requests days that are done. */
  readonly refetch: boolean;
};

export type LoadCommand = Load & {
  readonly kind: 'load';
  readonly sources: readonly SourceName[];
  /** `undefined`: the interval of the source's rate limit. */
  readonly intervalSeconds: number | undefined;
  readonly dryRun: boolean;
};

/** A few thousand slices, so that a plan of any size fits into memory. */
const MAX_STATIONS_OF_GROUP = 200;

type PlanContext = Pick<LoadContext, 'archive' | 'signal' | 'source' | 'adapter' | 'now'>;

/**
 * Splits a command into chunks, each planned and loaded before the next, in the preferred order, and limited to days that
 * the source can have: up to today and the end of the source. All stations go year by year, because types are final for
 * years.
 */
export function* chunksOf(
  { adapter, now }: Pick<PlanContext, 'adapter' | 'now'>,
  { stations, order, ...asked }: Omit<Load, 'refetch'>,
): Generator<Scope> {
  const tomorrow = addDays(dayOf(now().getTime() / 1000), 1);
  const range = clip(clip(asked, { endDay: tomorrow }), adapter);
  const byYear = order !== undefined || stations.includes(ALL_STATIONS);
  const ranges = byYear ? splitByYear(range) : [range];
  if (order === 'newest') ranges.reverse();
  for (const each of ranges)
    for (const some of inGroups(stations, MAX_STATIONS_OF_GROUP)) yield { stations: some, ...each };
}

/** The slices of a chunk: the days that the source has not done, or all of them with `--refetch`. */
export async function planSlices(context: PlanContext, chunk: Scope, { refetch }: Load) {
  const days = refetch
    ? new Map(chunk.stations.map((station) => [station, [chunk]]))
    : await missingDaysOf(context, chunk);
  return splitIntoSlices(context.adapter, days);
}

/** One slice for each range of days within a calendar year; for all stations, one slice per day. */
export function splitIntoSlices(
  adapter: Pick<SourceAdapter, 'source' | 'givesWholeYears'>,
  days: DaysByStation,
): readonly Slice[] {
  const { source, givesWholeYears = false } = adapter;
  return [...days].flatMap(([station, ranges]) => {
    const split = ranges.flatMap(station === ALL_STATIONS ? splitByDay : splitByYear);
    return (givesWholeYears ? joinByYear(split) : split).map((range) => ({ source, station, ...range }));
  });
}

/** One range for each calendar year, from its first to its last day, because two slices would request the same file twice. */
function joinByYear(ranges: readonly DayRange[]): readonly DayRange[] {
  const years = groupBy(ranges, ({ firstDay }) => firstDay.slice(0, 4));
  return [...years.values()].map((ofYear) => ({
    firstDay: (ofYear[0] as DayRange).firstDay,
    endDay: (ofYear.at(-1) as DayRange).endDay,
  }));
}

/** The days of a command that are old enough and not done, by the rules of the api (D13), and that a source could have. */
export async function readRemainingDaysOf(
  contexts: readonly PlanContext[],
  command: Scope,
): Promise<DaysByStation> {
  const [{ archive, signal, now }] = contexts as readonly [PlanContext];
  const sources = contexts.map(({ source, adapter: { firstDay, endDay } }) => ({ source, firstDay, endDay }));
  const stations = stationsLeft(contexts, command.stations);
  const range = clip(command, { endDay: firstProvisionalDay(now()) });
  return retryStorage(() => readRemainingDays(archive, { stations, sources, ...range }), signal);
}

/** The stations whose days can be left: archives of whole years make days done for single stations, not for `ALL_STATIONS`. */
function stationsLeft(contexts: readonly PlanContext[], stations: readonly string[]): readonly string[] {
  if (!stations.includes(ALL_STATIONS)) return stations;
  const archives = contexts.map(({ adapter }) => adapter.yearArchives);
  return archives.includes(undefined) ? stations : archives.flatMap((each) => each?.stations() ?? []);
}

/** The days of a chunk that this source has not done and that its station's period of record does not exclude (D37). */
export async function missingDaysOf(
  { archive, signal, source }: Pick<LoadContext, 'archive' | 'signal' | 'source'>,
  chunk: Scope,
): Promise<DaysByStation> {
  return retryStorage(() => readMissingDays(archive, { source, ...chunk }), signal);
}

export function countStationDays(days: DaysByStation): number {
  const ranges = [...days.values()].flat();
  return ranges.reduce((sum, { firstDay, endDay }) => sum + daysBetween(firstDay, endDay), 0);
}

/**
 * Fetches which of these stations the source carries and their periods of record, and stores it. The same responses
 * contain names and positions, so these need no separate request.
 *
 * @returns the reason why no report can be requested from the source; `undefined` when reports can be requested
 */
export async function fetchStationMetadata(
  { archive, adapter, sourceClient }: Pick<LoadContext, 'archive' | 'adapter' | 'sourceClient'>,
  stations: readonly string[],
): Promise<string | undefined> {
  const { source, descriptionRanks, stationList: list, periodLists } = adapter;
  const record = async ({ listings, descriptions }: StationList) => {
    await recordListings(archive, listings);
    if (descriptionRanks !== undefined)
      await recordStationDescriptions(archive, descriptions, descriptionRanks);
  };
  if (stations.length === 0) return undefined;
  if (adapter.kind === 'local') await record(adapter.list(stations));
  if (list !== undefined) {
    const result = await fetchWithRetry(sourceClient, list.request, list.parse);
    if (result.kind === 'failed') return result.reason;
    if (result.kind === 'absent') return 'the source has no list of stations';
    const wanted = new Set(stations);
    const isWanted = (station: string) => wanted.has(ALL_STATIONS) || wanted.has(station);
    const listings = result.value.listings.filter(({ station }) => isWanted(station));
    await record({ ...result.value, listings });
  }
  if (periodLists === undefined) return undefined;
  // No period is never an error, because reports are evidence too. Periods are revised (D13), so each day fetches anew.
  const today = dayOf(Date.now() / 1000);
  const listed = (await readListings(archive, { source, stations })).filter(
    ({ firstDay, listedDay }) => firstDay !== undefined && listedDay === today,
  );
  const known = new Set(listed.map(({ station }) => station));
  const unknown = stations.filter((station) => !known.has(station));
  for (const { request, parse } of unknown.length === 0 ? [] : periodLists(unknown)) {
    const result = await fetchWithRetry(sourceClient, request, parse, METADATA_ATTEMPTS);
    if (result.kind === 'ok') await record(result.value);
  }
  return undefined;
}
