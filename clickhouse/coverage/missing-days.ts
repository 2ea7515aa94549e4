import type { Archive } from '../archive.ts';
import type { DayRange } from '../model/day-ranges.ts';
import { dayRangesOf, daySetOf } from '../model/day-set.ts';
import type { Source } from '../model/report.ts';
import { openDays } from './rules.ts';
import { coverageStateReader, NO_COVERAGE } from './state/state.ts';
import { ALL_STATIONS } from './station-listings.ts';

/**
 * The days of a range that one source has to be asked for: those that are neither done in its own ledger nor outside
 * the period of record that it states. Other sources do not count (D13: each source can fill what another lacks).
 *
 * @param asked `stations` are ICAO codes, or `*` for the slices over all stations
 * @returns ranges in order, of the stations that have any
 */
export async function readMissingDays(
  client: Archive,
  asked: DayRange & { readonly source: Source; readonly stations: readonly string[] },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly DayRange[]>> {
  const { source, stations } = asked;
  const states = await coverageStateReader(client)([...stations, ALL_STATIONS], signal);
  const range = daySetOf(asked);
  const world = states.get(ALL_STATIONS) ?? NO_COVERAGE;
  const missing = new Map<string, readonly DayRange[]>();
  for (const station of stations) {
    const { listings, done } = states.get(station) ?? NO_COVERAGE;
    // No source lists `*`: its slices count by themselves.
    const own =
      station === ALL_STATIONS ? [{ source, station }] : listings.filter((each) => each.source === source);
    const days = openDays(range, own, done, world.done);
    if (days.length > 0) missing.set(station, dayRangesOf(days));
  }
  return missing;
}
