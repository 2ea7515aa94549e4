import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, dayOf, firstProvisionalDay } from '../../clickhouse/model/day.ts';
import type { DayRange } from '../../clickhouse/model/day-ranges.ts';
import type { LoadCommand } from '../commands/args/command.ts';
import { groupBy } from '../group-by.ts';
import type { LoadContext } from '../pipeline/load-context.ts';
import type { Slice, SourceAdapter } from '../sources/source.ts';
import { type DaysByStation, missingDaysOf } from './missing-days.ts';
import { clip, splitByDay, splitByYear } from './ranges.ts';
import { type PlanChunk, planChunks } from './schedule.ts';

export type PlanContext = Pick<LoadContext, 'client' | 'signal' | 'source' | 'adapter'>;

/** The chunks of a command whose days the source can have: none after today, none after the end of the source. */
export function chunksOf({ adapter }: PlanContext, command: LoadCommand): Iterable<PlanChunk> {
  const range = untilToday(command);
  const sourceEnd = adapter.kind === 'remote' ? adapter.endDay : undefined;
  return planChunks(
    command.stations,
    sourceEnd === undefined ? range : clip(range, sourceEnd),
    command.preference,
  );
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

/** One slice for each range of days within a calendar year; for all stations one slice a day. */
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

/** All slices of a command as the archive is now, chunk by chunk. */
export async function* plannedSlices(
  context: PlanContext,
  command: LoadCommand,
): AsyncGenerator<readonly Slice[]> {
  for (const chunk of chunksOf(context, command)) yield await planSlices(context, chunk, command);
}

/** The days of a command that are old enough to be done (D13) and that the source has not done. */
export async function readRemainingDays(context: PlanContext, command: LoadCommand): Promise<DaysByStation> {
  const range = clip(untilToday(command), firstProvisionalDay(new Date()));
  const remaining = new Map<string, readonly DayRange[]>();
  for (const chunk of planChunks(command.stations, range, { order: undefined, priority: [] }))
    for (const [station, days] of await missingDaysOf(context, chunk)) remaining.set(station, days);
  return remaining;
}

/** Later days have not begun. */
function untilToday(range: DayRange): DayRange {
  return clip(range, addDays(dayOf(Date.now() / 1000), 1));
}
