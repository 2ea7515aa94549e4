import { setImmediate as turn } from 'node:timers/promises';
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
import type { Clock } from '../zones/clocks.ts';
import type { Offset } from '../zones/zone-offsets.ts';
import { daysOf } from './days-of.ts';
import { firstDayOf, localMonth, timesOfMonth } from './local-month.ts';
import { NO_REPORTS, type Reports, readMonthsOfReports, readReports, reportsWithin } from './reports.ts';

/** Station-months whose reports are in memory at once: 20 MB, and up to 60. */
const MONTHS_AT_ONCE = 120;

/** Milliseconds of work until other requests can run. */
const LONGEST_WORK = 10;

type OfStation = { readonly station: string; readonly offsets: readonly Offset[] };

/**
 * Computes days from reports, one month of one station after another, in no order.
 *
 * @param monthsOf the months of a station, counted as `localMonth` does
 * @param until the present, by the clock of the engine
 * @param signal ends the work, between months too, with its reason
 */
export async function* computeDays(
  archive: Archive,
  clocks: readonly Clock[],
  monthsOf: (station: string, offsets: readonly Offset[]) => DaySet,
  until: number,
  signal?: AbortSignal,
) {
  let since = performance.now();
  const compute = async ({ station, offsets }: OfStation, month: number, reports: Reports) => {
    if (performance.now() - since > LONGEST_WORK) {
      await turn();
      signal?.throwIfAborted();
      since = performance.now();
    }
    return { station, month, offsets, days: daysOf(reports, localMonth(month, offsets), until) };
  };
  const asked = clocks.flatMap(({ stations, offsets }) =>
    stations.map((station) => ({ station, offsets, months: monthsOf(station, offsets) })),
  );
  const silent = await readSilence(archive, asked);
  for (const each of asked)
    for (const month of dayNumbersOf(silent.get(each.station) ?? NO_DAYS))
      yield await compute(each, month, NO_REPORTS);
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
      const reports = await readReports(archive, read, signal);
      for (const each of group)
        for (const month of months) {
          const times = timesOfMonth(month, each.offsets);
          yield await compute(each, month, reportsWithin(reports.get(each.station) ?? NO_REPORTS, times));
        }
    }
  }
}

/**
 * Finds the months without reports with one statement, so that no reports are read for them: of a thousand stations, most have
 * none in most of 21 years.
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
