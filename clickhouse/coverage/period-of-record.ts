import { type Day, FIRST_DAY } from '../model/day.ts';
import { type Listing, statesPeriod } from './station-listings.ts';

/** `lastDay` is absent while the station still reports. */
export type PeriodOfRecord = { readonly firstDay: Day; readonly lastDay?: Day };

/**
 * The days from the first to the last that any source includes: a day lies outside only if every source that states a
 * period excludes it (D37). `undefined` if no source states one.
 */
export function periodOfRecord(listings: readonly Listing[]): PeriodOfRecord | undefined {
  const stated = listings.filter(statesPeriod);
  if (stated.length === 0) return undefined;
  const firstDay = stated.map((listing) => listing.firstDay ?? FIRST_DAY).sort()[0] as Day;
  const lastDays = stated.map((listing) => listing.lastDay);
  const lastDay = lastDays.every((day) => day !== undefined) ? lastDays.sort().at(-1) : undefined;
  return { firstDay, ...(lastDay !== undefined && { lastDay }) };
}
