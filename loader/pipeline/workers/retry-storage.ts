import { storageFailure } from '../../../clickhouse/errors.ts';
import { backoffSeconds, STORAGE_ATTEMPTS, STORAGE_PAUSE_SECONDS } from '../../http/retry-policy.ts';
import { SYSTEM_TIMER } from '../../http/timer.ts';

/** Repeats work while ClickHouse restarts or is overloaded. The work must be repeatable at any point. */
export async function retryStorage<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  timer = SYSTEM_TIMER,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || attempt === STORAGE_ATTEMPTS || storageFailure(error) === 'unknown') throw error;
      await timer.sleep(backoffSeconds(attempt, STORAGE_PAUSE_SECONDS) * 1000, signal);
    }
  }
}
