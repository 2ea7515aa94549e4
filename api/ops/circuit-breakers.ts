import { setTimeout as sleep } from 'node:timers/promises';
import type { Archive } from '../../clickhouse/archive.ts';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { isAnswerOfServer } from '../../clickhouse/errors.ts';

/** The work was not started, or was ended, because the store does not respond. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';
}

const MOST_FAILURES = 3;
const TRIAL_AFTER_MS = 500;

/**
 * Opens after three failures in a row. While it is open, one trial runs every half second; a successful trial closes
 * it. A store that accepts connections but does not respond costs each request its full time limit; while the circuit
 * is open, only the trial pays it.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #nextTrialAt = 0;

  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Runs work. While the circuit is open, throws `CircuitOpenError` instead, except for a trial. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const isOpen = this.#failures >= MOST_FAILURES;
    if (isOpen && this.#now() < this.#nextTrialAt) throw new CircuitOpenError('The last attempts failed');
    if (isOpen) this.#nextTrialAt = this.#now() + TRIAL_AFTER_MS;
    try {
      const result = await work();
      this.#failures = 0;
      return result;
    } catch (error) {
      this.#failures += 1;
      this.#nextTrialAt = this.#now() + TRIAL_AFTER_MS;
      throw error;
    }
  }
}

/** An archive that only has much to do answers a probe within this time. */
export const PROBE_TIMEOUT_MS = 3000;

/** Together less than the 5 s that a request waits for a place, so waiting requests get the true reason. */
const TIMES = { silentAfterMs: 1500, probeTimeoutMs: PROBE_TIMEOUT_MS, halfOpenAfterMs: 500 };

/** A timer this late shows that this process itself did not run, so the probe says nothing. */
const MAX_TIMER_DELAY_MS = 500;

/**
 * Detects an archive that accepts connections but does not respond; queries alone cannot tell it from a slow query. If
 * queries run and none gets a response for `silentAfterMs`, one ping probes the archive. If it gets no response either,
 * the circuit opens. While it is open, a ping every `halfOpenAfterMs` tries to close it.
 */
export function watchStorage(archive: Pick<Archive, 'ping'>, times = TIMES) {
  /** Running queries with their start times, oldest first. */
  const running = new Map<AbortController, number>();
  const probing = new SingleFlight<boolean>();
  let openedBy: CircuitOpenError | undefined;
  let respondedAt = performance.now();
  let isWatching = false;

  async function responds(): Promise<boolean> {
    try {
      await archive.ping(AbortSignal.timeout(times.probeTimeoutMs));
      return true;
    } catch (error) {
      return isAnswerOfServer(error);
    }
  }

  async function closeWhenItResponds(): Promise<void> {
    do await sleep(times.halfOpenAfterMs, undefined, { ref: false });
    while (!(await responds()));
    respondedAt = performance.now();
    openedBy = undefined;
  }

  async function probeAndOpen(): Promise<boolean> {
    const startedAt = performance.now();
    const hasResponded = await responds();
    const now = performance.now();
    if (hasResponded) respondedAt = now;
    const isDelayed = now - startedAt > times.probeTimeoutMs + MAX_TIMER_DELAY_MS;
    if (respondedAt >= startedAt || isDelayed) return true;
    openedBy = new CircuitOpenError('The storage does not respond');
    for (const controller of running.keys()) controller.abort(openedBy);
    void closeWhenItResponds();
    return false;
  }

  /** Whether the archive has responded since `time` (`performance.now()`) or does now. If not, opens the circuit. */
  async function hasRespondedSince(time: number): Promise<boolean> {
    if (openedBy !== undefined) return false;
    return respondedAt > time || probing.join(probeAndOpen);
  }

  /** Wakes up once the current queries have waited for `silentAfterMs`, until no query runs. */
  function watchQueries(): void {
    const [oldest] = running.values();
    if (isWatching || oldest === undefined || openedBy !== undefined) return;
    isWatching = true;
    const silentSince = Math.max(oldest, respondedAt);
    const wakeUp = async () => {
      if (running.size > 0) await hasRespondedSince(silentSince);
      isWatching = false;
      watchQueries();
    };
    setTimeout(wakeUp, silentSince + times.silentAfterMs - performance.now()).unref();
  }

  return {
    /**
     * Watches a query and its wait for a place, until `end`. Throws `CircuitOpenError` while the circuit is open.
     *
     * @returns aborts when the circuit opens during the query
     */
    begin(): AbortController {
      if (openedBy !== undefined) throw openedBy;
      const query = new AbortController();
      running.set(query, performance.now());
      watchQueries();
      return query;
    },
    end: (query: AbortController) => running.delete(query),
    /** A query has got its result. */
    noteResponse() {
      respondedAt = performance.now();
    },
    hasRespondedSince,
  };
}
