import { readMissingDays } from '../../clickhouse/coverage/missing-days.ts';
import { daysBetween } from '../../clickhouse/model/day.ts';
import type { DayRange } from '../../clickhouse/model/day-ranges.ts';
import type { LoadContext } from '../pipeline/load-context.ts';
import { retryStorage } from '../pipeline/workers/retry-storage.ts';
import { intersect } from './ranges.ts';
import type { PlanChunk } from './schedule.ts';

/** Ranges of days, in order, by station. */
export type DaysByStation = ReadonlyMap<string, readonly DayRange[]>;

/** The days of a chunk that this source has not done and that its station's period of record does not exclude (D37). */
export async function missingDaysOf(
  { client, signal, source }: Pick<LoadContext, 'client' | 'signal' | 'source'>,
  { stations, range }: PlanChunk,
): Promise<DaysByStation> {
  return retryStorage(() => readMissingDays(client, { source, stations, ...range }, signal), signal);
}

/** The days that are missing from every source: coverage is the OR over sources (D13). */
export function missingFromAll(sources: readonly DaysByStation[]): DaysByStation {
  const [first = new Map<string, readonly DayRange[]>(), ...others] = sources;
  const missing = new Map<string, readonly DayRange[]>();
  for (const [station, ranges] of first) {
    const days = others.reduce((common, other) => intersect(common, other.get(station) ?? []), ranges);
    if (days.length > 0) missing.set(station, days);
  }
  return missing;
}

export function countDays(days: DaysByStation): number {
  const ranges = [...days.values()].flat();
  return ranges.reduce((sum, { firstDay, endDay }) => sum + daysBetween(firstDay, endDay), 0);
}
