import { type Archive, canceledBy } from '../../clickhouse/archive.ts';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { Problem } from '../problem.ts';

/** Requests without a key share one read of the storage for this time. */
const MAX_AGE_SECONDS = 60;
export const UP_TO_A_MINUTE_OLD = { 'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}` };
/** For this long a failure is also the answer to new requests. */
const FAILURE_MS = 2000;
const READ_TIMEOUT_MS = 2000;

export class SharedRead<T> {
  /** The last value, also while the storage does not respond. */
  last: T | undefined;
  readonly #read: () => Promise<T>;
  readonly #flight = new SingleFlight<void>();
  #failure: unknown;
  #expires = 0;

  constructor(archive: Archive, read: (archive: Archive) => Promise<T>) {
    this.#read = () => read(canceledBy(AbortSignal.timeout(READ_TIMEOUT_MS), archive));
  }

  /** @throws 503 storage_unavailable */
  async current(): Promise<T> {
    if (performance.now() >= this.#expires) await this.#flight.join(() => this.#refresh());
    if (this.#failure === undefined) return this.last as T;
    throw new Problem('storage_unavailable', 'The storage does not respond.', { cause: this.#failure });
  }

  async #refresh(): Promise<void> {
    try {
      this.last = await this.#read();
      this.#failure = undefined;
      this.#expires = performance.now() + MAX_AGE_SECONDS * 1000;
    } catch (cause) {
      this.#failure = cause;
      this.#expires = performance.now() + FAILURE_MS;
    }
  }
}
