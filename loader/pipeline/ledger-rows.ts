import type { SliceRecord } from '../../clickhouse/coverage/ledger/ledger.ts';
import {
  addDays,
  type Day,
  type DayRange,
  dayNumbersOf,
  dayOf,
  daySetOf,
} from '../../clickhouse/model/day.ts';
import type { Slice } from '../sources/source.ts';
import type { NormalizedReport, NormalizedReports } from './normalize.ts';
import type { WriteResult } from './write.ts';

/** A part of a slice: one incomplete day, or the days between incomplete days. */
type SlicePart = DayRange & { readonly isComplete: boolean; readonly reports: number };

/**
 * Splits a slice around days with an unreadable report at the source: the ledger must not make them done (D13), and the
 * days around them must not wait for them.
 *
 * @returns `undefined` if every day is complete
 */
export function splitAtIncompleteDays(
  slice: DayRange,
  { reports, incompleteDays = [] }: NormalizedReports,
): readonly SlicePart[] | undefined {
  if (incompleteDays.length === 0) return undefined;
  const parts: DayRange[] = [];
  let firstDay = slice.firstDay;
  for (const day of [...new Set(incompleteDays)].sort()) {
    if (firstDay < day) parts.push({ firstDay, endDay: day });
    firstDay = addDays(day, 1);
    parts.push({ firstDay: day, endDay: firstDay });
  }
  if (firstDay < slice.endDay) parts.push({ firstDay, endDay: slice.endDay });
  const counts = countByPart(parts, reports);
  const incomplete = new Set(incompleteDays);
  return parts.map((part, at) => ({
    ...part,
    isComplete: !incomplete.has(part.firstDay),
    reports: counts[at]?.size ?? 0,
  }));
}

/** Distinct reports. One observed outside the slice counts in the nearest part. */
function countByPart(
  parts: readonly DayRange[],
  reports: readonly NormalizedReport[],
): readonly ReadonlySet<string>[] {
  const distinct = parts.map(() => new Set<string>());
  for (const { observedAt, fingerprint } of reports) {
    const day = dayOf(observedAt);
    const at = parts.findIndex(({ endDay }) => day < endDay);
    distinct.at(at)?.add(`${observedAt} ${fingerprint}`);
  }
  return distinct;
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
  { reports, inserted, skipped, dailyCounts, parts }: LoadedSlice,
): readonly SliceRecord[] {
  const whole: SlicePart = { ...range, isComplete: true, reports };
  return (parts ?? [whole]).map(({ isComplete, ...part }, at) => {
    const doneDay = isComplete ? doneDayOf(part, provisionalFrom) : part.firstDay;
    return {
      source,
      station,
      ...part,
      doneDay,
      inserted: at === 0 ? inserted : 0,
      skipped: at === 0 ? skipped : {},
      run,
      reportsByDay: countsOf({ firstDay: part.firstDay, endDay: doneDay }, dailyCounts),
    };
  });
}

export type LoadedSlice = WriteResult & { readonly parts?: readonly SlicePart[] | undefined };

function countsOf(days: DayRange, dailyCounts: ReadonlyMap<number, number>): readonly number[] {
  return [...dayNumbersOf(daySetOf(days))].map((day) => dailyCounts.get(day) ?? 0);
}

function doneDayOf({ firstDay, endDay }: DayRange, provisionalFrom: Day): Day {
  if (provisionalFrom <= firstDay) return firstDay;
  return provisionalFrom < endDay ? provisionalFrom : endDay;
}
