import { setTimeout as sleep } from 'node:timers/promises';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { isAnswerOfServer } from '../../clickhouse/errors.ts';
import { CircuitOpenError } from './circuit-breaker.ts';

/** Throws when the dependency does not respond. */
export type Check = (signal: AbortSignal) => Promise<void>;

/** Detects a storage that accepts connections but does not respond; queries alone cannot tell it from a slow query. */
type StorageBreaker = {
  /**
   * Runs a query and its wait for a place. Throws `CircuitOpenError` without starting it while the circuit is open, or
   * when the circuit opens during the query.
   */
  run<T>(query: (circuitOpened: AbortSignal) => Promise<T>): Promise<T>;
  /** Whether the storage has responded since `time` (`performance.now()`) or does now. If not, opens the circuit. */
  hasRespondedSince(time: number): Promise<boolean>;
};

/** Together less than the 5 s that a request waits for a place, so waiting requests get the true reason. */
const TIMES = { silentAfterMs: 1500, probeTimeoutMs: 3000, halfOpenAfterMs: 500 };

/** A timer this late shows that this process itself did not run, so the probe says nothing. */
const MAX_TIMER_DELAY_MS = 500;

/**
 * If queries run and none gets a response for `silentAfterMs`, one probe asks the storage. If the probe gets no
 * response either, the circuit opens. While it is open, a probe every `halfOpenAfterMs` tries to close it.
 *
 * @param probe the cheapest statement
 */
export function createStorageBreaker(
  probe: Check,
  { silentAfterMs, probeTimeoutMs, halfOpenAfterMs } = TIMES,
): StorageBreaker {
  /** Running queries with their start times, oldest first. */
  const running = new Map<AbortController, number>();
  let openedBy: CircuitOpenError | undefined;
  let respondedAt = performance.now();
  const probing = new SingleFlight<boolean>();
  let isWatching = false;

  async function hasRespondedSince(time: number): Promise<boolean> {
    if (openedBy !== undefined) return false;
    if (respondedAt > time) return true;
    return probing.join(probeAndOpen);
  }

  async function probeAndOpen(): Promise<boolean> {
    const startedAt = performance.now();
    const isSilent = !(await responds(probe, probeTimeoutMs));
    const isDelayed = performance.now() - startedAt > probeTimeoutMs + MAX_TIMER_DELAY_MS;
    if (!isSilent) respondedAt = performance.now();
    if (respondedAt >= startedAt || isDelayed) return true;
    open();
    return false;
  }

  function open(): void {
    const reason = new CircuitOpenError('The storage does not respond');
    openedBy = reason;
    for (const controller of running.keys()) controller.abort(reason);
    void closeWhenItResponds();
  }

  async function closeWhenItResponds(): Promise<void> {
    do await sleep(halfOpenAfterMs, undefined, { ref: false });
    while (!(await responds(probe, probeTimeoutMs)));
    respondedAt = performance.now();
    openedBy = undefined;
  }

  /** Wakes up once the current queries have waited for `silentAfterMs`, until no query runs. */
  function watchQueries(): void {
    const [oldest] = running.values();
    if (isWatching || oldest === undefined || openedBy !== undefined) return;
    isWatching = true;
    const silentSince = Math.max(oldest, respondedAt);
    setTimeout(
      async () => {
        if (running.size > 0) await hasRespondedSince(silentSince);
        isWatching = false;
        watchQueries();
      },
      silentSince + silentAfterMs - performance.now(),
    ).unref();
  }

  return {
    hasRespondedSince,
    async run(query) {
      if (openedBy !== undefined) throw openedBy;
      const controller = new AbortController();
      running.set(controller, performance.now());
      watchQueries();
      try {
        const result = await query(controller.signal);
        respondedAt = performance.now();
        return result;
      } catch (error) {
        throw controller.signal.aborted ? controller.signal.reason : error;
      } finally {
        running.delete(controller);
      }
    },
  };
}

async function responds(probe: Check, timeoutMs: number): Promise<boolean> {
  try {
    await probe(AbortSignal.timeout(timeoutMs));
    return true;
  } catch (error) {
    return isAnswerOfServer(error);
  }
}
