import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { type DayRange, yearsOf } from '../../clickhouse/model/day-ranges.ts';
import {
  countDays,
  type DaySet,
  dayRangesOf,
  daySetOf,
  intersect,
  NO_DAYS,
  subtract,
  unionOf,
  yearDays,
} from '../../clickhouse/model/day-set.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import { groupBy } from '../group-by.ts';
import { isSourceName, SOURCE_ADAPTERS } from '../sources/registry.ts';
import type { Gap } from './gap.ts';

/** A load that fills gaps on the same days of one source. */
export type GapCommand = DayRange & {
  readonly source: Source;
  /** ICAO codes, or `ALL_STATIONS` alone. */
  readonly stations: readonly string[];
  /** Also request done days. */
  readonly again: boolean;
  /** At least one, all of one kind. */
  readonly gaps: readonly Gap[];
};

/** Maximum number of stations per command. */
const STATIONS_PER_COMMAND = 50;

/**
 * The loads that fill these gaps. If a source sends all stations together, and that takes fewer requests for these days
 * than single stations, a year is loaded for all stations.
 */
export function gapCommands(gaps: readonly Gap[]): readonly GapCommand[] {
  const bySource = groupBy(gaps, ({ kind, source }) => `${kind} ${source}`);
  return [...bySource.values()].flatMap((some) => {
    const together = daysOfAllStations(some);
    return [...forAllStations(some, together), ...byDays(some.flatMap((gap) => without(gap, together)))];
  });
}

/** @param gaps of one kind and source */
function forAllStations(gaps: readonly Gap[], days: DaySet): readonly GapCommand[] {
  return dayRangesOf(days).map((range) => {
    const covered = gaps.filter((gap) => intersect(daySetOf(gap), daySetOf(range)).length > 0);
    return commandOf(covered, range, [ALL_STATIONS]);
  });
}

/** Stations that lack the same days share a command. */
function byDays(gaps: readonly Gap[]): readonly GapCommand[] {
  const sameDays = groupBy(gaps, (gap) => {
    const ofOneStation = gap.kind === 'low count' ? gap.station : '';
    return `${gap.firstDay} ${gap.endDay} ${ofOneStation}`;
  });
  return [...sameDays.values()].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / STATIONS_PER_COMMAND) }, (_, at) => {
      const group = some.slice(at * STATIONS_PER_COMMAND, (at + 1) * STATIONS_PER_COMMAND);
      return commandOf(group, group[0] as Gap, [...new Set(group.map(({ station }) => station))]);
    }),
  );
}

function commandOf(
  gaps: readonly Gap[],
  { firstDay, endDay }: DayRange,
  stations: readonly string[],
): GapCommand {
  const { source, kind } = gaps[0] as Gap;
  return { source, stations, firstDay, endDay, again: kind !== 'not done', gaps };
}

/** The days to load for all stations, because that is cheaper or the only way. */
function daysOfAllStations(gaps: readonly Gap[]): DaySet {
  const [{ source, kind }] = gaps as readonly [Gap];
  const adapter = isSourceName(source) ? SOURCE_ADAPTERS[source]() : undefined;
  if (adapter?.kind !== 'remote' || !adapter.givesAllStations) return NO_DAYS;
  const days = unionOf(gaps.flatMap(daySetOf));
  if (adapter.givesAllStations === 'only') return days;
  if (kind !== 'not done') return NO_DAYS;
  const [day] = dayRangesOf(days) as [DayRange];
  const requestsPerDay = adapter.requests({ source, station: ALL_STATIONS, ...day }).length;
  const years = new Set(dayRangesOf(days).flatMap(yearsOf));
  return unionOf(
    [...years].flatMap((year) => {
      const ofYear = intersect(days, yearDays(year));
      const stations = gaps.filter((gap) => intersect(daySetOf(gap), ofYear).length > 0).length;
      return requestsPerDay * countDays(ofYear) < stations ? ofYear : NO_DAYS;
    }),
  );
}

function without(gap: Gap, days: DaySet): readonly Gap[] {
  return dayRangesOf(subtract(daySetOf(gap), days)).map((range) => ({ ...gap, ...range }));
}
