import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, dayOf, yearOf } from '../../clickhouse/model/day.ts';
import type { TimeWindow } from '../../clickhouse/model/time-window.ts';
import type { LoadContext } from '../pipeline/load-context.ts';
import { loadSlice } from '../pipeline/load-slice.ts';
import { retryStorage } from '../pipeline/workers/retry-storage.ts';
import { addStoredMinutes, reclassifyYear } from '../pipeline/write/reclassify.ts';
import type { LoadProgress } from '../progress/load-progress.ts';
import type { Slice } from '../sources/source.ts';

const HOUR = 3600;
/** Most sources have a report within minutes; later ones come with the whole day. */
const OVERLAP_SECONDS = 3 * HOUR;
/** Sources send all stations for at most a day at a time. */
const LONGEST_SECONDS = 24 * HOUR;

/**
 * The times to request in this cycle: the last three hours, and what earlier cycles have not received.
 *
 * @param receivedUntil seconds since 1970-01-01T00:00:00Z; `undefined` in the first cycle
 */
export function newestWindow(now: Date, receivedUntil: number | undefined): TimeWindow {
  const to = Math.floor(now.getTime() / 60_000) * 60;
  return { from: Math.max(to - LONGEST_SECONDS, (receivedUntil ?? 0) - OVERLAP_SECONDS), to };
}

/**
 * Loads the reports of a window of each station. The types of all stations are inferred from their calendar year. The
 * year is read once, because 10 million reports take 3 s; each cycle then adds its reports to the counts in memory.
 *
 * @param knownYears the years in `context.minutes`
 * @returns whether the source sent all of them
 */
export async function loadNewestReports(
  context: LoadContext,
  stations: readonly string[],
  window: TimeWindow,
  knownYears: Set<number>,
  progress: LoadProgress,
  stop: AbortSignal,
): Promise<boolean> {
  const { source, signal, client, sourceClient } = context;
  const days = { firstDay: dayOf(window.from), endDay: addDays(dayOf(window.to - 1), 1) };
  let isComplete = true;
  if (stations.includes(ALL_STATIONS))
    for (const year of [yearOf(window.from), yearOf(window.to - 1)]) {
      if (knownYears.has(year)) continue;
      await reclassifyYear(client, year, signal);
      await addStoredMinutes(context.minutes, client, year, signal);
      knownYears.add(year);
    }
  for (const station of stations) {
    if (stop.aborted || sourceClient.outage.isExhausted) return false;
    const slice: Slice = { source, station, ...days, window };
    const result = await retryStorage(() => loadSlice(context, slice), signal, sourceClient.timer);
    progress.done(slice, result);
    if (result.kind === 'failed') isComplete = false;
  }
  return isComplete;
}
