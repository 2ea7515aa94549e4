import type { Archive } from '../archive.ts';
import { groupBy, inGroups } from '../group-by.ts';
import { type DayRun, type DaySet, unionOf } from '../model/day.ts';
import type { Pauses } from '../pauses.ts';
import type { Clock } from '../zones/clocks.ts';
import type { Offset } from '../zones/zone-offsets.ts';
import type { StationMonth } from './day-months.ts';
import { daysOf } from './days-of.ts';
import type { Days } from './fields.ts';
import { localMonth, timesOfMonth } from './local-month.ts';
import { NO_REPORTS, readReports, reportsWithin } from './reports.ts';

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
    stations.flatMap((station) =>
      shortRuns(monthsOf(station, offsets)).map((run) => ({ station, offsets, ...run })),
    ),
  );
  for (const ofStations of groupBy(asked, ({ first, end }) => `${first} ${end}`).values()) {
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
