import { type DaysByStation, readMissingDays } from '../../clickhouse/coverage/missing-days.ts';
import { daysBetween } from '../../clickhouse/model/day.ts';
import type { LoadContext } from '../pipeline/load-context.ts';
import { retryStorage } from '../pipeline/workers/retry-storage.ts';
import type { PlanChunk } from './schedule.ts';

/** The days of a chunk that this source has not done and that its station's period of record does not exclude (D37). */
export async function missingDaysOf(
  { client, signal, source }: Pick<LoadContext, 'client' | 'signal' | 'source'>,
  { stations, range }: PlanChunk,
): Promise<DaysByStation> {
  return retryStorage(() => readMissingDays(client, { source, stations, ...range }, signal), signal);
}

export function countStationDays(days: DaysByStation): number {
  const ranges = [...days.values()].flat();
  return ranges.reduce((sum, { firstDay, endDay }) => sum + daysBetween(firstDay, endDay), 0);
}
