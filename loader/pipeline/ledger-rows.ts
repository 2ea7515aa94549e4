import type { SliceRecord } from '../../clickhouse/coverage/ledger/ledger.ts';
import {
  addDays,
  clip,
  type Day,
  type DayRange,
  dayNumbersOf,
  dayOf,
  dayRangesOf,
  daySetOf,
  firstProvisionalDay,
  subtract,
  unionOf,
} from '../../clickhouse/model/day.ts';
import type { Slice } from '../sources/source.ts';
import type { NormalizedReports } from './normalize.ts';
import type { LoadedReports } from './write.ts';

/** A part of a slice: one incomplete day, or the days between incomplete days. */
export type SlicePart = DayRange & { readonly isComplete: boolean; readonly reports: number };

/**
 * Splits a slice around days for which the source has an unreadable report. The ledger must not make these days done (D13), but
 * it must make the days around them done.
 *
 * @returns `undefined` if every day is complete
 */
export function splitAtIncompleteDays(slice: DayRange, { reports, incompleteDays = [] }: NormalizedReports) {
  if (incompleteDays.length === 0) return undefined;
  const incomplete = [...new Set(incompleteDays)].map((day) => ({ firstDay: day, endDay: addDays(day, 1) }));
  const others = subtract(daySetOf(slice), unionOf(incomplete.flatMap(daySetOf)));
  const parts = [...incomplete, ...dayRangesOf(others)].sort((a, b) => (a.firstDay < b.firstDay ? -1 : 1));
  // Distinct reports. One observed outside the slice counts in the nearest part.
  const distinct = parts.map(() => new Set<string>());
  for (const { observedAt, fingerprint } of reports) {
    const day = dayOf(observedAt);
    const at = parts.findIndex(({ endDay }) => day < endDay);
    distinct.at(at)?.add(`${observedAt} ${fingerprint}`);
  }
  return parts.map((part, at) => ({
    ...part,
    isComplete: !incompleteDays.includes(part.firstDay),
    reports: distinct[at]?.size ?? 0,
  }));
}

/**
 * The rows of the ledger for a loaded slice: one, or one per part. The first holds the counts over the whole slice.
 *
 * @param provisionalFrom days that ended less than 72 hours before the request are provisional (D13)
 */
export function ledgerRows(
  { source, station, ...range }: Slice,
  run: string,
  provisionalFrom: Day,
  loaded: Omit<LoadedReports, 'kind' | 'observed'>,
): readonly SliceRecord[] {
  const { reports, inserted, skipped, dailyCounts, parts } = loaded;
  const whole: SlicePart = { ...range, isComplete: true, reports };
  return (parts ?? [whole]).map(({ isComplete, ...part }, at) => {
    const doneDay = isComplete ? clip(part, { endDay: provisionalFrom }).endDay : part.firstDay;
    return {
      source,
      station,
      ...part,
      doneDay,
      inserted: at === 0 ? inserted : 0,
      skipped: at === 0 ? skipped : {},
      run,
      reportsByDay: [...dayNumbersOf(daySetOf({ firstDay: part.firstDay, endDay: doneDay }))].map(
        (day) => dailyCounts.get(day) ?? 0,
      ),
    };
  });
}

/** The first provisional day (D13) of an answer, by the earlier of two clocks: this machine's and the source's (D70). */
export function provisionalDayAt(askedAt: Date, provenAt: number): Day {
  return firstProvisionalDay(new Date(Math.min(askedAt.getTime(), provenAt * 1000)));
}
