import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Context } from 'koa';

export type Encoding = 'zstd' | 'br' | 'gzip';

type ZstdOptions = {
  readonly chunkSize: number;
  readonly finishFlush?: number;
  readonly params: Readonly<Record<number, number>>;
};

/** `ZSTD_c_compressionLevel`, which the types of older Node versions lack. */
export const ZSTD_LEVEL = 100;

/** Node has Zstandard since 22.15. */
export const { createZstdCompress } = zlib as {
  readonly createZstdCompress?: (options: ZstdOptions) => Transform;
};

/** The encodings that this version of Node has, cheapest first. */
export const ENCODINGS: readonly Encoding[] = createZstdCompress ? ['zstd', 'br', 'gzip'] : ['br', 'gzip'];

/**
 * The compression that the client prefers; `undefined` for none. A client that sends no weights has no preference and
 * gets the first of `encodings`.
 */
export function preferredEncoding<E extends Encoding>(ctx: Context, encodings: readonly E[]): E | undefined {
  if (!ctx.get('Accept-Encoding').includes(';'))
    return encodings.find((each) => ctx.acceptsEncodings(each) === each);
  const accepted = ctx.acceptsEncodings(...encodings, 'identity');
  return encodings.find((each) => each === accepted);
}
