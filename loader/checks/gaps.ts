import type { ClickHouseClient } from '@clickhouse/client';
import { readDailyCounts, readIncompleteSlices } from '../../clickhouse/coverage/daily-counts.ts';
import {
  readListingsByStation,
  readStationYears,
  type StationYear,
} from '../../clickhouse/coverage/station-years.ts';
import { addDays, type Day } from '../../clickhouse/model/day.ts';
import type { DayRange } from '../../clickhouse/model/day-ranges.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import type { ReportSelection } from '../../clickhouse/observations/current-reports.ts';
import { type Scope, selectionOf } from '../commands/args/scope.ts';
import { isSourceName } from '../sources/registry.ts';
import { lowCountDays } from './low-count-days.ts';

/** A stretch of days to be asked for, of a station or, with `*`, of all of them. */
export type Gap = DayRange & { readonly station: string; readonly source: Source } & (
    | { readonly kind: 'not done' }
    /** Done, though the archive holds fewer reports than the source had. */
    | { readonly kind: 'short'; readonly had: number; readonly holds: number }
    /** Done, with far fewer reports than the days around. */
    | { readonly kind: 'thin'; readonly reports: number; readonly usual: number }
  );

const WEEK_SECONDS = 7 * 86_400;

/** Everything of the scope that ought to be asked for, or asked for again. */
export async function findGaps(
  client: ClickHouseClient,
  scope: Scope,
  now: Date,
  signal: AbortSignal,
): Promise<readonly Gap[]> {
  const listed = await readListingsByStation(client, scope.stations, signal);
  const notDone = new Map<string, Gap[]>();
  const doubtful: Gap[] = [];
  const { stations, from, to } = selectionOf(scope);
  for (let year = yearOf(scope.firstDay); year <= yearOf(addDays(scope.endDay, -1)); year += 1) {
    const newYear = Date.UTC(year, 0) / 1000;
    const range = { stations, from: Math.max(from, newYear), to: Math.min(to, Date.UTC(year + 1, 0) / 1000) };
    const years = await readStationYears(client, year, range, listed, now, signal);
    for (const each of years) addOpen(notDone, each);
    const short = await readIncompleteSlices(client, { ...range, from: newYear }, signal);
    for (const slice of short)
      if (slice.endDay > scope.firstDay && slice.firstDay < scope.endDay)
        doubtful.push({ kind: 'short', ...slice });
    for await (const gap of thinOf(client, range, years, signal)) doubtful.push(gap);
  }
  return [...[...notDone.values()].flat(), ...doubtful];
}

/** Stretches go on over the turn of the year. */
function addOpen(gaps: Map<string, Gap[]>, { station, open, ...held }: StationYear): void {
  const known = gaps.get(station) ?? [];
  gaps.set(station, known);
  const source = sourceFor(held);
  for (const { firstDay, endDay } of open) {
    const last = known.at(-1);
    if (last?.endDay === firstDay && last.source === source) known[known.length - 1] = { ...last, endDay };
    else known.push({ kind: 'not done', station, source, firstDay, endDay });
  }
}

async function* thinOf(
  client: ClickHouseClient,
  range: ReportSelection,
  years: readonly StationYear[],
  signal: AbortSignal,
): AsyncGenerator<Gap> {
  const heldOf = new Map(years.map((held) => [held.station, held]));
  const around = { ...range, from: range.from - WEEK_SECONDS, to: range.to + WEEK_SECONDS };
  for await (const { station, days } of readDailyCounts(client, around, signal)) {
    const held = heldOf.get(station);
    if (held === undefined || held.loadedFrom.length === 0) continue;
    for (const { day, ...counts } of lowCountDays(daysOf(held.done), new Map(days)))
      yield {
        kind: 'thin',
        station,
        source: sourceFor(held),
        firstDay: day,
        endDay: addDays(day, 1),
        ...counts,
      };
  }
}

function* daysOf(runs: readonly DayRange[]): Generator<Day> {
  for (const { firstDay, endDay } of runs)
    for (let day = firstDay; day < endDay; day = addDays(day, 1)) yield day;
}

/** The source that brought most of the year; else the widest that lists the station. */
function sourceFor({ loadedFrom, listedBy }: Pick<StationYear, 'loadedFrom' | 'listedBy'>): Source {
  const widest = (['iem', 'ogimet', 'ncei'] as const).filter((source) => listedBy.includes(source));
  return [...loadedFrom, ...widest].find(isSourceName) ?? 'iem';
}

function yearOf(day: Day): number {
  return Number(day.slice(0, 4));
}
