import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Context } from 'koa';
import type { QueuedRequest } from '../ops/request-queue.ts';

export type Encoding = 'zstd' | 'br' | 'gzip';

/** Node has Zstandard since 22.15. */
const { createZstdCompress } = zlib as {
  readonly createZstdCompress?: (options: zlib.BrotliOptions) => Transform;
};

/** The encodings that this version of Node has, cheapest first. */
export const ENCODINGS: readonly Encoding[] = createZstdCompress ? ['zstd', 'br', 'gzip'] : ['br', 'gzip'];

/** Documents are compressed once, so the encodings with the smallest results are used. */
export const DOCUMENT_ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/** The encoding that the client prefers. If its header has no weights, the first of `encodings` that it accepts. */
export function preferredEncoding(ctx: Context, encodings: readonly Encoding[]): Encoding | undefined {
  if (!ctx.get('Accept-Encoding').includes(';'))
    return encodings.find((each) => ctx.acceptsEncodings(each) === each);
  const accepted = ctx.acceptsEncodings(...encodings, 'identity');
  return encodings.find((each) => each === accepted);
}

const LEVELS = {
  /**
   * A page of 1,000 real reports, 205 kB: Zstandard of level 1 takes 0.35 ms for 25.7 kB, Brotli of quality 2 1.1 ms for
   * 25.6, gzip of level 4 1.6 ms for 29.2 (level 6: 3.4 ms for 27.9).
   */
  page: { zstd: 1, br: 2, gzip: 4 },
  /**
   * The lowest level of each, so that the engine does not wait long. Real reports as CSV, CPU time for a megabyte and share:
   * Zstandard 4.8 ms and 0.176, Brotli 5.4 and 0.194 (next quality 8.8 and 0.173), gzip 7.2 and 0.220 (default 23.2, 0.182).
   */
  stream: { zstd: 1, br: 1, gzip: 1 },
  /** Brotli: 9 takes 4 % of the time of the default, 11, for 9 % more bytes. No document is compressed with Zstandard. */
  document: { zstd: 1, br: 9, gzip: zlib.constants.Z_DEFAULT_COMPRESSION },
};

/**
 * A window of 256 kB needs a tenth of the memory of Brotli's default and compresses reports better, because equal texts are
 * close together. Documents have the default.
 */
const WINDOWS = { page: 18, stream: 18, document: zlib.constants.BROTLI_DEFAULT_WINDOW };

const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_LGWIN: WINDOW } = zlib.constants;
/** `ZSTD_c_compressionLevel`, which the types of older Node versions lack. */
const ZSTD_LEVEL = 100;

export function createCompressor(encoding: Encoding, content: keyof typeof LEVELS): Transform {
  const [level, chunkSize] = [LEVELS[content][encoding], 65_536];
  if (encoding === 'gzip') return zlib.createGzip({ chunkSize, level });
  if (encoding === 'zstd' && createZstdCompress)
    return createZstdCompress({ chunkSize, params: { [ZSTD_LEVEL]: level } });
  return zlib.createBrotliCompress({ chunkSize, params: { [QUALITY]: level, [WINDOW]: WINDOWS[content] } });
}

/** The compressed parts, which are not copied. */
export async function compress(parts: readonly Buffer[], encoding: Encoding, content: keyof typeof LEVELS) {
  const compressor = createCompressor(encoding, content);
  for (const part of parts) compressor.write(part);
  compressor.end();
  return Buffer.concat(await compressor.toArray());
}

/** Compressing a smaller body takes a few milliseconds, so it does not wait for a compressor. */
const SMALL_BYTES = 512 * 1024;
/** Memory of a compressor in addition to its input and output. */
const COMPRESSOR_BYTES = 1024 * 1024;

/** @throws 503 overloaded if no memory becomes free, or no compressor for a large page */
export async function compressPage(parts: readonly Buffer[], encoding: Encoding, client: QueuedRequest) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // The input, the pieces of the output, and the whole output.
  await client.reserve(COMPRESSOR_BYTES + length * 1.5);
  const isLarge = length >= SMALL_BYTES;
  if (isLarge) await client.enter('compressor', 0);
  try {
    return await compress(parts, encoding, 'page');
  } finally {
    if (isLarge) client.leave('compressor');
  }
}
