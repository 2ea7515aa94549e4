import type { Archive } from '../archive.ts';
import { groupBy, inGroups } from '../group-by.ts';
import {
  countDays,
  type DayRun,
  type DaySet,
  dayNumbersOf,
  NO_DAYS,
  SECONDS_PER_DAY,
  subtract,
  unionOf,
} from '../model/day.ts';
import type { Pauses } from '../pauses.ts';
import type { Clock } from '../zones/clocks.ts';
import type { Offset } from '../zones/zone-offsets.ts';
import type { StationMonth } from './day-months.ts';
import { daysOf } from './days-of.ts';
import type { Days } from './fields.ts';
import { firstDayOf, localMonth, timesOfMonth } from './local-month.ts';
import { NO_REPORTS, readMonthsOfReports, readReports, reportsWithin } from './reports.ts';

/** Station-months whose reports are in memory at once: 20 MB, and up to 60. */
const MONTHS_AT_ONCE = 120;

/**
 * The days of months of stations, computed from their reports, month by month in no order of stations.
 *
 * @param monthsOf the months of a station, counted as `localMonth` does
 * @param until the present, by the clock of the engine
 */
export async function* computeDays(
  archive: Archive,
  clocks: readonly Clock[],
  monthsOf: (station: string, offsets: readonly Offset[]) => DaySet,
  until: number,
  pauses: Pauses,
): AsyncGenerator<StationMonth & { readonly offsets: readonly Offset[]; readonly days: Days }> {
  const asked = clocks.flatMap(({ stations, offsets }) =>
    stations.map((station) => ({ station, offsets, months: monthsOf(station, offsets) })),
  );
  const silentOf = await readSilence(archive, asked);
  for (const { station, offsets, months } of asked)
    for (const month of dayNumbersOf(silentOf(station, months))) {
      if (pauses.isDueNow) await pauses.take();
      yield { station, month, offsets, days: daysOf(NO_REPORTS, localMonth(month, offsets), until) };
    }
  const runs = asked.flatMap(({ station, offsets, months }) => {
    const others = subtract(months, silentOf(station, months));
    return shortRuns(others).map((run) => ({ station, offsets, ...run }));
  });
  for (const ofStations of groupBy(runs, ({ first, end }) => `${first} ${end}`).values()) {
    const { first, end } = ofStations[0] as DayRun;
    for (const group of inGroups(ofStations, Math.max(1, Math.floor(MONTHS_AT_ONCE / (end - first))))) {
      const read = {
        stations: group.map(({ station }) => station),
        from: Math.min(...group.map(({ offsets }) => timesOfMonth(first, offsets).from)),
        to: Math.max(...group.map(({ offsets }) => timesOfMonth(end - 1, offsets).to)),
      };
      const reports = await readReports(archive, read, pauses.signal);
      for (const { station, offsets } of group)
        for (let month = first; month < end; month += 1) {
          if (pauses.isDueNow) await pauses.take();
          const ofMonth = reportsWithin(reports.get(station) ?? NO_REPORTS, timesOfMonth(month, offsets));
          yield { station, month, offsets, days: daysOf(ofMonth, localMonth(month, offsets), until) };
        }
    }
  }
}

/**
 * The months for which no report has to be read: of a thousand stations most have none in most of 21 years. One statement finds
 * them, where several would read reports.
 */
async function readSilence(
  archive: Archive,
  asked: readonly { readonly station: string; readonly months: DaySet }[],
): Promise<(station: string, months: DaySet) => DaySet> {
  const runs = asked.flatMap(({ months }) => months);
  if (asked.length === 1 || countDays(runs) <= MONTHS_AT_ONCE) return () => NO_DAYS;
  const found = await readMonthsOfReports(archive, {
    stations: asked.map(({ station }) => station),
    from: firstDayOf(Math.min(...runs.map(({ first }) => first)) - 1) * SECONDS_PER_DAY,
    to: firstDayOf(Math.max(...runs.map(({ end }) => end)) + 1) * SECONDS_PER_DAY,
  });
  const reporting = new Map(found.map(({ station, months }) => [station, runsOf(months)]));
  return (station, months) => subtract(months, reporting.get(station) ?? NO_DAYS);
}

function shortRuns(months: DaySet): DaySet {
  return months.flatMap(({ first, end }) =>
    Array.from({ length: Math.ceil((end - first) / MONTHS_AT_ONCE) }, (_, n) => ({
      first: first + n * MONTHS_AT_ONCE,
      end: Math.min(end, first + (n + 1) * MONTHS_AT_ONCE),
    })),
  );
}

/** Months that follow each other, as runs. */
export function runsOf(months: readonly number[]): DaySet {
  return unionOf(months.map((month) => ({ first: month, end: month + 1 })));
}
