import { type DaysByStation, readRemainingDays } from '../../clickhouse/coverage/missing-days.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, dayOf, firstProvisionalDay } from '../../clickhouse/model/day.ts';
import { clip, type DayRange, splitByDay, splitByYear } from '../../clickhouse/model/day-ranges.ts';
import type { LoadCommand } from '../args/command.ts';
import { groupBy } from '../group-by.ts';
import type { LoadContext } from '../pipeline/load-context.ts';
import { retryStorage } from '../pipeline/workers/retry-storage.ts';
import { lifetimeOf, type Slice, type SourceAdapter } from '../sources/source.ts';
import { missingDaysOf } from './missing-days.ts';
import { type PlanChunk, planChunks } from './schedule.ts';

type PlanContext = Pick<LoadContext, 'client' | 'signal' | 'source' | 'adapter' | 'now'>;

/** The chunks of a command, limited to days that the source can have: up to today and the end of the source. */
export function chunksOf({ adapter, now }: PlanContext, command: LoadCommand): Iterable<PlanChunk> {
  const range = clip(untilToday(command, now()), lifetimeOf(adapter));
  return planChunks(command.stations, range, command.preference);
}

/** The slices of a chunk: the days that the source has not done, or all of them with `--again`. */
export async function planSlices(
  context: PlanContext,
  chunk: PlanChunk,
  { again }: LoadCommand,
): Promise<readonly Slice[]> {
  const { stations, range } = chunk;
  if (range.firstDay >= range.endDay) return [];
  const days = again
    ? new Map(stations.map((station) => [station, [range]]))
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

/** From the first to the last of the days of each calendar year: two slices would request the same file twice. */
function joinByYear(ranges: readonly DayRange[]): readonly DayRange[] {
  const years = groupBy(ranges, ({ firstDay }) => firstDay.slice(0, 4));
  return [...years.values()].map((ofYear) => ({
    firstDay: (ofYear[0] as DayRange).firstDay,
    endDay: (ofYear.at(-1) as DayRange).endDay,
  }));
}

/** All slices of a command given the current archive, chunk by chunk. */
export async function* plannedSlices(
  context: PlanContext,
  command: LoadCommand,
): AsyncGenerator<readonly Slice[]> {
  for (const chunk of chunksOf(context, command)) yield await planSlices(context, chunk, command);
}

/** The days of a command that are old enough and not done, by the rules of the api (D13), and that a source could have. */
export async function readRemainingDaysOf(
  contexts: readonly PlanContext[],
  command: Pick<LoadCommand, 'stations' | 'firstDay' | 'endDay'>,
): Promise<DaysByStation> {
  const sources = contexts.map(({ source, adapter }) => ({ source, ...lifetimeOf(adapter) }));
  const remaining = new Map<string, readonly DayRange[]>();
  const [context] = contexts;
  if (context === undefined) return remaining;
  const { client, signal, now } = context;
  const range = clip(untilToday(command, now()), { endDay: firstProvisionalDay(now()) });
  for (const { stations, range: days } of planChunks(stationsLeft(contexts, command.stations), range, {
    order: undefined,
    priority: [],
  })) {
    const read = () => readRemainingDays(client, { stations, sources, ...days }, signal);
    for (const [station, ranges] of await retryStorage(read, signal))
      remaining.set(station, [...(remaining.get(station) ?? []), ...ranges]);
  }
  return remaining;
}

/** Archives of whole years make days done for single stations, not for all stations together. */
function stationsLeft(contexts: readonly PlanContext[], stations: readonly string[]): readonly string[] {
  if (!stations.includes(ALL_STATIONS)) return stations;
  const archives = contexts.map(({ adapter }) =>
    adapter.kind === 'remote' ? adapter.yearArchives : undefined,
  );
  return archives.includes(undefined) ? stations : archives.flatMap((each) => each?.stations() ?? []);
}

/** Later days have not begun. */
function untilToday(range: DayRange, now: Date): DayRange {
  return clip(range, { endDay: addDays(dayOf(now.getTime() / 1000), 1) });
}
