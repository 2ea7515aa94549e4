import { setTimeout as sleep } from 'node:timers/promises';
import type { Archive } from '../../clickhouse/archive.ts';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { isAnswerOfServer } from '../../clickhouse/errors.ts';

/** Work was not started, or was ended, because the archive or the key store does not respond. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';
}

const MOST_FAILURES = 3;
const TRIAL_AFTER_MS = 500;

/** After three failures in a row the circuit opens: only one call each half second is tried, and a success closes the circuit. */
export class CircuitBreaker {
  #failures = 0;
  #nextTrialAt = 0;

  async run<T>(work: () => Promise<T>): Promise<T> {
    const isOpen = this.#failures >= MOST_FAILURES;
    if (isOpen && performance.now() < this.#nextTrialAt)
      throw new CircuitOpenError('The last attempts failed');
    if (isOpen) this.#nextTrialAt = performance.now() + TRIAL_AFTER_MS;
    try {
      const result = await work();
      this.#failures = 0;
      return result;
    } catch (error) {
      this.#failures += 1;
      this.#nextTrialAt = performance.now() + TRIAL_AFTER_MS;
      throw error;
    }
  }
}

/** An archive that is only busy answers a probe within this time. */
export const PROBE_TIMEOUT_MS = 3000;

/** Together less than the 5 s that a request waits for a place, so that waiting requests are refused with the true reason. */
const BREAKER_TIMES = { silentAfterMs: 1500, probeTimeoutMs: PROBE_TIMEOUT_MS, halfOpenAfterMs: 500 };

/** If a timer is later than this, the process itself did not run, so the failed probe proves nothing. */
const MAX_TIMER_DELAY_MS = 500;

/**
 * Detects an archive that accepts connections but does not respond. If queries run and none gets a response for `silentAfterMs`,
 * a ping probes the archive, and without an answer the circuit opens; a ping every `halfOpenAfterMs` tries to close it.
 */
export function watchStorage(archive: Pick<Archive, 'ping'>, times = BREAKER_TIMES) {
  /** Running queries with their start times, oldest first. */
  const running = new Map<AbortController, number>();
  const probing = new SingleFlight<boolean>();
  let openedBy: CircuitOpenError | undefined;
  let respondedAt = performance.now();
  let isWatching = false;

  /** Checks the archive until no query runs and the circuit is closed. */
  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    while (running.size > 0 || openedBy !== undefined) {
      const [oldest = 0] = running.values();
      const silentSince = Math.max(oldest, respondedAt);
      const silentMs = Math.max(0, silentSince + times.silentAfterMs - performance.now());
      await sleep(openedBy ? times.halfOpenAfterMs : silentMs, undefined, { ref: false });
      if (openedBy) await probe();
      else if (running.size > 0) await hasRespondedSince(silentSince);
    }
    isWatching = false;
  }

  async function probe(): Promise<boolean> {
    const startedAt = performance.now();
    const response = archive.ping(AbortSignal.timeout(times.probeTimeoutMs));
    if (await response.then(() => true, isAnswerOfServer)) {
      respondedAt = performance.now();
      openedBy = undefined;
    }
    const isDelayed = performance.now() - startedAt > times.probeTimeoutMs + MAX_TIMER_DELAY_MS;
    if (respondedAt >= startedAt || isDelayed) return true;
    if (openedBy === undefined) {
      openedBy = new CircuitOpenError('The storage does not respond');
      for (const controller of running.keys()) controller.abort(openedBy);
      void watch();
    }
    return false;
  }

  /** Whether the archive has responded since `time` (`performance.now()`) or does now. If not, opens the circuit. */
  async function hasRespondedSince(time: number): Promise<boolean> {
    if (openedBy !== undefined) return false;
    return respondedAt > time || probing.join(probe);
  }

  return {
    hasRespondedSince,
    /**
     * Runs work that queries the archive. Its signal aborts when the circuit opens.
     *
     * @throws CircuitOpenError while the circuit is open
     */
    async run<T>(work: (opened: AbortSignal) => Promise<T>): Promise<T> {
      if (openedBy !== undefined) throw openedBy;
      const query = new AbortController();
      running.set(query, performance.now());
      void watch();
      try {
        const result = await work(query.signal);
        respondedAt = performance.now();
        return result;
      } catch (error) {
        throw query.signal.aborted ? query.signal.reason : error;
      } finally {
        running.delete(query);
      }
    },
  };
}
