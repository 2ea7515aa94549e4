import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { type CompressedStart, compressStart, type Encoding } from '../http/compression.ts';
import type { QueuedRequest } from '../ops/queued-request.ts';
import type { Envelope } from './envelope.ts';
import type { ResponseCache } from './memory.ts';

/** A smaller body takes a few milliseconds to compress, so it does not wait for large ones. */
const SMALL_BYTES = 512 * 1024;
/** Memory of a compressor in addition to its input and output. */
const COMPRESSOR_BYTES = 1024 * 1024;

/** Compresses each body once, as long as it is cached: by entity tag, so it never becomes outdated. */
export class CompressedBodies {
  readonly #cache: ResponseCache;
  readonly #runs = new Map<string, SingleFlight<CompressedStart>>();

  constructor(cache: ResponseCache) {
    this.#cache = cache;
  }

  /** The start of the envelope. The response then has memory reserved for compressing it. */
  async startOf(envelope: Envelope, encoding: Encoding, client: QueuedRequest): Promise<CompressedStart> {
    const key = `${envelope.etag} ${encoding}`;
    const known = this.#cache.get(key) as CompressedStart | undefined;
    if (known !== undefined) return known;
    const parts = envelope.start;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    // The input, the pieces of the output, and the output.
    await client.reserve(COMPRESSOR_BYTES + length * 1.5);
    const run = this.#runs.get(key) ?? new SingleFlight();
    const compress = async () => {
      this.#runs.set(key, run);
      const isLarge = length >= SMALL_BYTES;
      try {
        // Another request may have compressed it while this one waited for memory.
        const compressed = this.#cache.get(key) as CompressedStart | undefined;
        if (compressed !== undefined) return compressed;
        if (isLarge) await client.enter('compressor', 0);
        try {
          const start = await compressStart(parts, encoding);
          this.#cache.set(key, start);
          return start;
        } finally {
          if (isLarge) client.leave('compressor');
        }
      } finally {
        if (this.#runs.get(key) === run) this.#runs.delete(key);
      }
    };
    return run.joinUntilSuccess(compress, client.disconnected);
  }
}
