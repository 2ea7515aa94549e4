import { setTimeout as sleep } from 'node:timers/promises';
import { storageFailure } from '../../../clickhouse/errors.ts';
import { backoffSeconds, STORAGE_ATTEMPTS, STORAGE_PAUSE_SECONDS } from '../../http/retry-policy.ts';

/** Repeats work while ClickHouse restarts or is overloaded. The work must be such that it can be repeated at any point. */
export async function retryStorage<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || attempt === STORAGE_ATTEMPTS || storageFailure(error) === 'unknown') throw error;
      await sleep(backoffSeconds(attempt, STORAGE_PAUSE_SECONDS) * 1000, undefined, { signal });
    }
  }
}
