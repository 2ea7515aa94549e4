import type { Stretch } from '../clickhouse/archived.ts';
import { yearOf } from '../clickhouse/day.ts';
import { EVERY_STATION } from '../clickhouse/stations.ts';
import { groupBy } from './group.ts';
import type { Fetched } from './split.ts';

/** Reports, and the stretch of the archive that they are held against. */
export type Piece = { readonly reports: readonly Fetched[]; readonly stretch: Stretch };

/** Some 30,000 reports of the world: what the archive holds of them fits into memory beside them. */
const WORLD_HOURS_SECONDS = 3 * 3600;

/** A station's reports go together, against the whole calendar years that they touch: types are settled over years. */
export function stationPieces(fetched: readonly Fetched[]): readonly Piece[] {
  return [...groupBy(fetched, ({ station }) => station)].map(([station, reports]) => ({
    reports,
    stretch: { station, ...wholeYears(reports) },
  }));
}

/** Reports of the world go a few hours at a time, against all stations. */
export function worldPieces(fetched: readonly Fetched[]): readonly Piece[] {
  return [...groupBy(fetched, ({ observedAt }) => Math.floor(observedAt / WORLD_HOURS_SECONDS))].map(
    ([at, reports]) => {
      const from = at * WORLD_HOURS_SECONDS;
      return { reports, stretch: { station: EVERY_STATION, from, to: from + WORLD_HOURS_SECONDS } };
    },
  );
}

/** A report filed at midnight on New Year's Day may have been observed in the old year. */
function wholeYears(fetched: readonly Fetched[]): { readonly from: number; readonly to: number } {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const { observedAt } of fetched) {
    if (observedAt < first) first = observedAt;
    if (observedAt > last) last = observedAt;
  }
  return calendarYears({ from: first, to: last + 1 });
}

/** The calendar years that a stretch touches. */
export function calendarYears({ from, to }: Omit<Stretch, 'station'>): Omit<Stretch, 'station'> {
  return { from: Date.UTC(yearOf(from), 0) / 1000, to: Date.UTC(yearOf(to - 1) + 1, 0) / 1000 };
}
