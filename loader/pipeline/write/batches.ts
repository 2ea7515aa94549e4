import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { yearOf } from '../../../clickhouse/model/day.ts';
import type { StationWindow } from '../../../clickhouse/observations/stored-reports.ts';
import { groupBy } from '../../group-by.ts';
import type { NormalizedReport } from '../reports/normalize.ts';

/** Reports, and the part of the archive that they are reconciled with. */
export type ReportBatch = { readonly reports: readonly NormalizedReport[]; readonly window: StationWindow };

type Window = Pick<StationWindow, 'from' | 'to'>;

/** Some 30,000 reports of all stations: the stored reports of the window fit into memory next to them. */
const BATCH_SECONDS = 3 * 3600;

/** One batch per station, with the calendar years that its reports touch: types are inferred by calendar year. */
export function batchesByStation(reports: readonly NormalizedReport[]): readonly ReportBatch[] {
  return [...groupBy(reports, ({ station }) => station)].map(([station, some]) => ({
    reports: some,
    window: { station, ...toCalendarYears(spanOf(some)) },
  }));
}

/** One batch every three hours, with all stations. */
export function batchesByHours(reports: readonly NormalizedReport[]): readonly ReportBatch[] {
  return [...groupBy(reports, ({ observedAt }) => Math.floor(observedAt / BATCH_SECONDS))].map(
    ([at, some]) => {
      const from = at * BATCH_SECONDS;
      return { reports: some, window: { station: ALL_STATIONS, from, to: from + BATCH_SECONDS } };
    },
  );
}

/** A report filed at midnight on 1 January may have been observed in the old year. */
function spanOf(reports: readonly NormalizedReport[]): Window {
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const { observedAt } of reports) {
    if (observedAt < first) first = observedAt;
    if (observedAt > last) last = observedAt;
  }
  return { from: first, to: last + 1 };
}

/** Extends a window to the calendar years that it touches. */
export function toCalendarYears({ from, to }: Window): Window {
  return { from: Date.UTC(yearOf(from), 0) / 1000, to: Date.UTC(yearOf(to - 1) + 1, 0) / 1000 };
}
