import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { yearOf } from '../../clickhouse/model/day.ts';
import type { StationWindow } from '../../clickhouse/observations/stored-reports.ts';
import { groupBy } from '../group-by.ts';
import type { NormalizedReport } from './normalize.ts';

/** Reports, and the stretch of the archive that they are held against. */
export type Batch = { readonly reports: readonly NormalizedReport[]; readonly stretch: StationWindow };

/** Some 30,000 reports of the world: what the archive holds of them fits into memory beside them. */
const WORLD_HOURS_SECONDS = 3 * 3600;

/** A station's reports go together, against the whole calendar years that they touch: types are settled over years. */
export function stationBatches(fetched: readonly NormalizedReport[]): readonly Batch[] {
  return [...groupBy(fetched, ({ station }) => station)].map(([station, reports]) => ({
    reports,
    stretch: { station, ...wholeYears(reports) },
  }));
}

/** Reports of the world go a few hours at a time, against all stations. */
export function worldBatches(fetched: readonly NormalizedReport[]): readonly Batch[] {
  return [...groupBy(fetched, ({ observedAt }) => Math.floor(observedAt / WORLD_HOURS_SECONDS))].map(
    ([at, reports]) => {
      const from = at * WORLD_HOURS_SECONDS;
      return { reports, stretch: { station: ALL_STATIONS, from, to: from + WORLD_HOURS_SECONDS } };
    },
  );
}

/** A report filed at midnight on New Year's Day may have been observed in the old year. */
function wholeYears(fetched: readonly NormalizedReport[]): { readonly from: number; readonly to: number } {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const { observedAt } of fetched) {
    if (observedAt < first) first = observedAt;
    if (observedAt > last) last = observedAt;
  }
  return calendarYears({ from: first, to: last + 1 });
}

/** The calendar years that a stretch touches. */
export function calendarYears({ from, to }: Omit<StationWindow, 'station'>): Omit<StationWindow, 'station'> {
  return { from: Date.UTC(yearOf(from), 0) / 1000, to: Date.UTC(yearOf(to - 1) + 1, 0) / 1000 };
}
