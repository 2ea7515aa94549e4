import type { Archive } from '../archive.ts';
import { groupBy, inGroups } from '../group-by.ts';
import { type DaySet, unionOf } from '../model/day.ts';
import type { Pauses } from '../pauses.ts';
import type { Offset } from '../zones/zone-offsets.ts';
import { daysOf } from './days-of.ts';
import type { Days } from './fields.ts';
import { localMonth, timesOfMonth } from './local-month.ts';
import { NO_REPORTS, readReports, reportsWithin } from './reports.ts';

/** Months of a station, `[first, end)`, counted as `localMonth` does. */
export type StationMonths = {
  readonly station: string;
  readonly offsets: readonly Offset[];
  readonly first: number;
  readonly end: number;
};

/** Station-months whose reports are in memory at once: 20 MB, and up to 60. */
const MONTHS_AT_ONCE = 120;

/**
 * The days of months of stations, computed from their reports, month by month in no order of stations.
 *
 * @param until the present, by the clock of the engine
 */
export async function* computeDays(
  archive: Archive,
  asked: readonly StationMonths[],
  until: number,
  pauses: Pauses,
): AsyncGenerator<{ readonly station: string; readonly month: number; readonly days: Days }> {
  const runs = groupBy(asked.flatMap(shortRuns), ({ first, end }) => `${first} ${end}`);
  for (const ofStations of runs.values()) {
    const { first, end } = ofStations[0] as StationMonths;
    for (const group of inGroups(ofStations, Math.max(1, Math.floor(MONTHS_AT_ONCE / (end - first))))) {
      const reports = await readReports(archive, windowOf(group), pauses.signal);
      for (const { station, offsets } of group)
        for (let month = first; month < end; month += 1) {
          if (pauses.isDueNow) await pauses.take();
          const ofMonth = reportsWithin(reports.get(station) ?? NO_REPORTS, timesOfMonth(month, offsets));
          yield { station, month, days: daysOf(ofMonth, localMonth(month, offsets), until) };
        }
    }
  }
}

function shortRuns({ first, end, ...station }: StationMonths): readonly StationMonths[] {
  return Array.from({ length: Math.ceil((end - first) / MONTHS_AT_ONCE) }, (_, n) => ({
    ...station,
    first: first + n * MONTHS_AT_ONCE,
    end: Math.min(end, first + (n + 1) * MONTHS_AT_ONCE),
  }));
}

/** Months that follow each other, as runs. */
export function runsOf(months: readonly number[]): DaySet {
  return unionOf(months.map((month) => ({ first: month, end: month + 1 })));
}

function windowOf(group: readonly StationMonths[]) {
  return {
    stations: group.map(({ station }) => station),
    from: Math.min(...group.map(({ first, offsets }) => timesOfMonth(first, offsets).from)),
    to: Math.max(...group.map(({ end, offsets }) => timesOfMonth(end - 1, offsets).to)),
  };
}
