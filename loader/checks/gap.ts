import type { RecordedSlice } from '../../clickhouse/coverage/ledger/ledger.ts';
import { dueDays } from '../../clickhouse/coverage/rules.ts';
import type { StationDays } from '../../clickhouse/coverage/station-days.ts';
import type { Listing } from '../../clickhouse/coverage/station-listings.ts';
import {
  type DayRange,
  type DaySet,
  dayRangesOf,
  intersect,
  NO_DAYS,
  subtract,
  within,
} from '../../clickhouse/model/day.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import { isSourceName, SOURCE_ADAPTERS } from '../sources/registry.ts';

/** Days to load, of a station or, with `*`, of all of them. */
export type Gap = DayRange & { readonly station: string; readonly source: Source } & (
    | { readonly kind: 'not done' }
    /** Done by the ledger, but the archive holds fewer reports now than the ledger records. */
    | { readonly kind: 'lost'; readonly recorded: number; readonly stored: number }
    /** Done by the coverage view, but not by the ledger, so nothing says how many reports there were. */
    | { readonly kind: 'not recorded' }
    /** Done, without any report although the station reports before and after. */
    | { readonly kind: 'silent' }
    /** Done, with far fewer reports than the days around it. */
    | { readonly kind: 'low count'; readonly reports: number; readonly usual: number }
  );

/**
 * Adds each of the days as a gap of the first source that can fill it.
 *
 * @param candidates sources in the order of preference, and the days that they may be requested for
 * @returns the days that none can fill
 */
export function addGaps(
  gaps: Gap[],
  kind: 'not done' | 'silent',
  { station, listings }: StationDays,
  { days, candidates }: { readonly days: DaySet; readonly candidates: StationDays['done'] },
): DaySet {
  let left = days;
  for (const candidate of candidates) {
    const { source } = candidate;
    const filled = intersect(left, fillableDays(candidate.days, source, listings));
    for (const range of dayRangesOf(filled)) gaps.push({ kind, station, source, ...range });
    left = subtract(left, filled);
  }
  return left;
}

/**
 * The days of `asked` for which a load from this source makes a request (D39): the source can be requested, lists the
 * station, does not exclude the day from its period of record, and had not ended.
 *
 * @param listings of the station, by any source; `all` for the slices over all stations
 */
export function fillableDays(asked: DaySet, source: Source, listings: readonly Listing[] | 'all'): DaySet {
  if (!isSourceName(source)) return NO_DAYS;
  const own = listings === 'all' ? [] : listings.filter((listing) => listing.source === source);
  if (own.length === 0 && listings !== 'all') return NO_DAYS;
  const days = listings === 'all' ? asked : dueDays(asked, own);
  return within(days, SOURCE_ADAPTERS[source]());
}

/** Whether a row of all stations counts for a station: its source lists it. */
export function isListedFor({ listings }: StationDays): (row: RecordedSlice) => boolean {
  return ({ source }) => listings.some((listing) => listing.source === source);
}
