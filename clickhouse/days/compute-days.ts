import type { Archive } from '../archive.ts';
import { groupBy, inGroups } from '../group-by.ts';
import {
  countDays,
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
  const silent = await readSilence(archive, asked);
  for (const { station, offsets } of asked)
    for (const month of dayNumbersOf(silent.get(station) ?? NO_DAYS)) {
      if (pauses.isDueNow) await pauses.take();
      yield { station, month, offsets, days: daysOf(NO_REPORTS, localMonth(month, offsets), until) };
    }
  const runs = asked.flatMap(({ station, offsets, months: all }) =>
    subtract(all, silent.get(station) ?? NO_DAYS)
      .flatMap((run) => inGroups([...dayNumbersOf([run])], MONTHS_AT_ONCE))
      .map((months) => ({ station, offsets, months })),
  );
  for (const ofStations of groupBy(runs, ({ months }) => `${months[0]} ${months.length}`).values()) {
    const { months } = ofStations[0] as (typeof runs)[number];
    const [first, last] = [months[0], months.at(-1)] as [number, number];
    for (const group of inGroups(ofStations, Math.floor(MONTHS_AT_ONCE / months.length))) {
      const read = {
        stations: group.map(({ station }) => station),
        from: Math.min(...group.map(({ offsets }) => timesOfMonth(first, offsets).from)),
        to: Math.max(...group.map(({ offsets }) => timesOfMonth(last, offsets).to)),
      };
      const reports = await readReports(archive, read, pauses.signal);
      for (const { station, offsets } of group)
        for (const month of months) {
          if (pauses.isDueNow) await pauses.take();
          const ofMonth = reportsWithin(reports.get(station) ?? NO_REPORTS, timesOfMonth(month, offsets));
          yield { station, month, offsets, days: daysOf(ofMonth, localMonth(month, offsets), until) };
        }
    }
  }
}

/**
 * The months of stations for which no report has to be read: of a thousand stations most have none in most of 21 years. One
 * statement finds them, where several would read reports.
 */
async function readSilence(
  archive: Archive,
  asked: readonly { readonly station: string; readonly months: DaySet }[],
): Promise<ReadonlyMap<string, DaySet>> {
  const runs = asked.flatMap(({ months }) => months);
  if (asked.length === 1 || countDays(runs) <= MONTHS_AT_ONCE) return new Map();
  const found = await readMonthsOfReports(archive, {
    stations: asked.map(({ station }) => station),
    from: firstDayOf(Math.min(...runs.map(({ first }) => first)) - 1) * SECONDS_PER_DAY,
    to: firstDayOf(Math.max(...runs.map(({ end }) => end)) + 1) * SECONDS_PER_DAY,
  });
  const reporting = new Map(found.map(({ station, months }) => [station, runsOf(months)]));
  return new Map(
    asked.map(({ station, months }) => [station, subtract(months, reporting.get(station) ?? NO_DAYS)]),
  );
}

export function runsOf(months: readonly number[]): DaySet {
  return unionOf(months.map((month) => ({ first: month, end: month + 1 })));
}
