import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Context } from 'koa';
import type { StreamFormat } from '../../../clickhouse/observations/stream/output-formats.ts';
import {
  createZstdCompress,
  ENCODINGS,
  type Encoding,
  preferredEncoding,
  ZSTD_LEVEL,
} from '../../http/http-request.ts';

const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_LGWIN: WINDOW } = zlib.constants;
const CHUNK_BYTES = 65_536;

export type CreateCompressor = () => Transform;

const createZstd = createZstdCompress;

/**
 * The lowest level of each, because a stream must be fast enough that the engine does not wait long. Real reports as
 * CSV, CPU time for a megabyte and compressed share: Zstandard 4.8 ms and 0.176, Brotli 5.4 and 0.194, gzip 7.2 and
 * 0.220; Brotli's next quality 8.8 and 0.173, gzip's default 23.2 and 0.182.
 */
const COMPRESSORS: ReadonlyMap<Encoding | undefined, CreateCompressor> = new Map<Encoding, CreateCompressor>([
  ...(createZstd
    ? ([['zstd', () => createZstd({ chunkSize: CHUNK_BYTES, params: { [ZSTD_LEVEL]: 1 } })]] as const)
    : []),
  ['br', () => zlib.createBrotliCompress({ chunkSize: CHUNK_BYTES, params: { [QUALITY]: 1, [WINDOW]: 18 } })],
  ['gzip', () => zlib.createGzip({ chunkSize: CHUNK_BYTES, level: 1 })],
]);

const IS_TEXT: Readonly<Record<StreamFormat, boolean>> = {
  ndjson: true,
  csv: true,
  parquet: false,
  arrow: false,
};

/** Chooses a compression by `Accept-Encoding` for a text format, and sets the headers to match. */
export function setEncoding(ctx: Context, format: StreamFormat): CreateCompressor | undefined {
  if (!IS_TEXT[format]) return undefined;
  const encoding = preferredEncoding(ctx, ENCODINGS);
  if (encoding !== undefined) ctx.set('Content-Encoding', encoding);
  return COMPRESSORS.get(encoding);
}
