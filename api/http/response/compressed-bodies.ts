import { SingleFlight } from '../../../clickhouse/concurrency.ts';
import type { QueuedRequest } from '../../ops/request-queue.ts';
import type { Encoding } from '../request/accepted-encoding.ts';
import { type CompressedStart, compressStart } from './compression.ts';
import type { Envelope } from './envelope.ts';

/** Compressed bodies, by entity tag and encoding. */
export type CompressedCache = {
  compressed(key: string): CompressedStart | undefined;
  addCompressed(key: string, start: CompressedStart): void;
};

/** A smaller body takes a few milliseconds to compress, so it does not wait for large ones. */
const SMALL_BYTES = 512 * 1024;
/** Memory of a compressor in addition to its input and output. */
const COMPRESSOR_BYTES = 1024 * 1024;

/** Compresses each body once, as long as it is cached. */
export class CompressedBodies {
  readonly #cache: CompressedCache;
  readonly #runs = new Map<string, SingleFlight<CompressedStart>>();

  constructor(cache: CompressedCache) {
    this.#cache = cache;
  }

  /** The start of the envelope. The response then has memory reserved for compressing it. */
  async startOf(envelope: Envelope, encoding: Encoding, client: QueuedRequest): Promise<CompressedStart> {
    const key = `${envelope.etag} ${encoding}`;
    const known = this.#cache.compressed(key);
    if (known !== undefined) return known;
    const parts = envelope.start;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    // The input, the pieces of the output, and the output.
    await client.reserve(COMPRESSOR_BYTES + length * 1.5);
    const run = this.#runs.get(key) ?? new SingleFlight();
    this.#runs.set(key, run);
    const compress = async (signal: AbortSignal) => {
      try {
        // Another request may have compressed it while this one waited for memory.
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
    client: QueuedRequest,
    signal: AbortSignal,
  ): Promise<CompressedStart> {
    const leave = length < SMALL_BYTES ? undefined : await client.enter('compressor', 0, signal);
    try {
      const start = await compressStart(parts, encoding);
      this.#cache.addCompressed(key, start);
      return start;
    } finally {
      leave?.();
    }
  }
}
