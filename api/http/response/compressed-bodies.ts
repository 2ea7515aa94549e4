import { availableParallelism } from 'node:os';
import { SingleFlight } from '../../../clickhouse/concurrency/single-flight.ts';
import { FairLimiter, QueueFullError } from '../../ops/fair-limiter.ts';
import type { QueryClient } from '../../ops/query-limits.ts';
import { MAX_QUEUED_BYTES, overloaded, queuedBytesOf } from '../../ops/response-memory.ts';
import type { Encoding } from '../request/accepted-encoding.ts';
import { type CompressedStart, compressStart } from './compression.ts';
import type { Envelope } from './envelope.ts';

/** What was compressed, by entity tag and encoding. */
export type CompressedCache = {
  compressed(key: string): CompressedStart | undefined;
  addCompressed(key: string, start: CompressedStart): void;
};

/** Compressors that run at once for large bodies, on threads that the main one does not wait for. Node has four of them. */
const AT_ONCE = Math.min(4, availableParallelism());
/**
 * A request that waits here has its page already; refusing it would waste the work of the engine. The memory of
 * responses bounds how many wait, so none waits so long.
 */
const TIMEOUT_MS = 60_000;
/** A smaller body takes a few milliseconds, and does not wait for large ones. */
const SMALL_BYTES = 512 * 1024;
/** Memory of a compressor beside its input and output. */
const COMPRESSOR_BYTES = 1024 * 1024;

/** Compresses bodies, each once as long as it is cached. */
export class CompressedBodies {
  readonly #cache: CompressedCache;
  readonly #runs = new Map<string, SingleFlight<CompressedStart>>();
  readonly #limiter = new FairLimiter({
    permits: AT_ONCE,
    maxQueuedBytes: MAX_QUEUED_BYTES,
    queueTimeoutMs: TIMEOUT_MS,
  });

  constructor(cache: CompressedCache) {
    this.#cache = cache;
  }

  /** The start of the envelope. The response then has memory reserved for compressing it. */
  async startOf(envelope: Envelope, encoding: Encoding, client: QueryClient): Promise<CompressedStart> {
    const key = `${envelope.etag} ${encoding}`;
    const known = this.#cache.compressed(key);
    if (known !== undefined) return known;
    const parts = envelope.start();
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    // The input, the pieces of the output, and the output.
    await client.memory.reserve(COMPRESSOR_BYTES + length * 1.5, client.disconnected);
    const run = this.#runs.get(key) ?? new SingleFlight();
    this.#runs.set(key, run);
    const compress = async (signal: AbortSignal) => {
      try {
        // Another request may have done it while this one waited for memory.
        return (
          this.#cache.compressed(key) ?? (await this.#compress(key, parts, length, encoding, client, signal))
        );
      } finally {
        this.#runs.delete(key);
      }
    };
    return run.joinUntilSuccess(compress, client.disconnected);
  }

  async #compress(
    key: string,
    parts: readonly Buffer[],
    length: number,
    encoding: Encoding,
    client: QueryClient,
    signal: AbortSignal,
  ): Promise<CompressedStart> {
    const lease = length < SMALL_BYTES ? undefined : await this.#acquire(client, signal);
    try {
      const start = await compressStart(parts, encoding);
      this.#cache.addCompressed(key, start);
      return start;
    } finally {
      lease?.release();
    }
  }

  #acquire(client: QueryClient, signal: AbortSignal) {
    const claim = { client: client.key, bytes: queuedBytesOf(client), permits: 1 };
    return this.#limiter.acquire(claim, signal).catch((error: unknown) => {
      throw error instanceof QueueFullError ? overloaded(error) : error;
    });
  }
}
