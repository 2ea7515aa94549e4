import { once } from 'node:events';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Context } from 'koa';

export type Encoding = 'zstd' | 'br' | 'gzip';

type CompressorOptions = {
  readonly level?: number;
  readonly params?: Readonly<Record<number, number>>;
  readonly finishFlush?: number;
};

/** Node has Zstandard since 22.15. */
const { createZstdCompress } = zlib as {
  readonly createZstdCompress?: (options: CompressorOptions) => Transform;
};

/** The encodings that this version of Node has, cheapest first. */
export const ENCODINGS: readonly Encoding[] = createZstdCompress ? ['zstd', 'br', 'gzip'] : ['br', 'gzip'];

/** Documents are compressed once, so the encodings with the smallest results are used. */
export const DOCUMENT_ENCODINGS = ['br', 'gzip'] as const satisfies readonly Encoding[];
type DocumentEncoding = (typeof DOCUMENT_ENCODINGS)[number];

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

const { BROTLI_PARAM_QUALITY: QUALITY, BROTLI_PARAM_LGWIN: WINDOW } = zlib.constants;
/** `ZSTD_c_compressionLevel` and `ZSTD_e_flush`, which the types of older Node versions lack. */
const ZSTD_LEVEL = 100;
const ZSTD_FLUSH = 1;

/**
 * The output ends on a byte boundary, and the stream stays open.
 *
 * A page of 1,000 real reports, 205 kB: Zstandard of level 1 takes 0.35 ms for 25.7 kB, Brotli of quality 2 1.1 ms for
 * 25.6 (quality 4: 1.7 ms for 25.5), gzip of level 4 1.6 ms for 29.2 (level 6: 3.4 ms for 27.9; level 1: 1.2 for 32.9).
 * A window of 256 kB needs a tenth of the memory of Brotli's default and compresses reports better, because equal texts
 * are close together.
 */
const OF_START: Readonly<Record<Encoding, CompressorOptions>> = {
  zstd: { params: { [ZSTD_LEVEL]: 1 }, finishFlush: ZSTD_FLUSH },
  br: { params: { [QUALITY]: 2, [WINDOW]: 18 }, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH },
  gzip: { level: 4, finishFlush: zlib.constants.Z_SYNC_FLUSH },
};

/**
 * The lowest level of each, because a stream must be fast enough that the engine does not wait long. Real reports as
 * CSV, CPU time for a megabyte and compressed share: Zstandard 4.8 ms and 0.176, Brotli 5.4 and 0.194, gzip 7.2 and
 * 0.220; Brotli's next quality 8.8 and 0.173, gzip's default 23.2 and 0.182.
 */
const OF_STREAM: Readonly<Record<Encoding, CompressorOptions>> = {
  zstd: { params: { [ZSTD_LEVEL]: 1 } },
  br: { params: { [QUALITY]: 1, [WINDOW]: 18 } },
  gzip: { level: 1 },
};

/** Brotli: 9 takes 4 % of the time of the default, 11, for 9 % more bytes. */
const OF_DOCUMENT: Readonly<Record<DocumentEncoding, CompressorOptions>> = {
  br: { params: { [QUALITY]: 9 } },
  gzip: {},
};

function createCompressor(encoding: Encoding, options: CompressorOptions): Transform {
  const inChunks = { chunkSize: 65_536, ...options };
  if (encoding === 'zstd' && createZstdCompress) return createZstdCompress(inChunks);
  return encoding === 'br' ? zlib.createBrotliCompress(inChunks) : zlib.createGzip(inChunks);
}

export function createStreamCompressor(encoding: Encoding): Transform {
  return createCompressor(encoding, OF_STREAM[encoding]);
}

export function compressDocument(body: Buffer, encoding: DocumentEncoding): Promise<Buffer> {
  return collect(createCompressor(encoding, OF_DOCUMENT[encoding]), [body]);
}

/** The start of a body, compressed so that each response can append its own end. */
export type CompressedStart = {
  /** Memory that it takes. */
  readonly size: number;
  readonly encoding: Encoding;
  readonly bytes: Buffer;
  /** Before compression. */
  readonly length: number;
  readonly crc: number;
};

export async function compressStart(parts: readonly Buffer[], encoding: Encoding): Promise<CompressedStart> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const bytes = await collect(createCompressor(encoding, OF_START[encoding]), parts);
  // zlib returns 0 for an empty part: it treats it as missing.
  const filled = encoding === 'gzip' ? parts.filter((part) => part.length > 0) : [];
  const crc = filled.reduce((sum, part) => zlib.crc32(part, sum), 0);
  return { encoding, bytes, size: bytes.length, length, crc };
}

/** RFC 7932: an empty last meta-block. */
const BROTLI_END = Buffer.from([3]);

/** The complete body: the compressed start, then the end as an uncompressed block of less than 64 kB. */
export function appendEnd(start: CompressedStart, end: Buffer): readonly Buffer[] {
  if (start.encoding === 'zstd') return [start.bytes, zstdBlock(end.length), end];
  if (start.encoding === 'br') return [start.bytes, brotliBlock(end.length), end, BROTLI_END];
  const trailer = Buffer.alloc(8);
  // RFC 1952, 2.3.1: the checksum and the length of the whole body.
  trailer.writeUInt32LE(zlib.crc32(end, start.crc), 0);
  trailer.writeUInt32LE((start.length + end.length) >>> 0, 4);
  return [start.bytes, deflateBlock(end.length), end, trailer];
}

/** RFC 1951, 3.2.4: the header of a last block without compression. */
function deflateBlock(length: number): Buffer {
  const header = Buffer.from([1, 0, 0, 0, 0]);
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(~length & 0xffff, 3);
  return header;
}

/** RFC 8878, 3.1.1.2: the header of a last block without compression. */
function zstdBlock(length: number): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((length << 3) | 1, 0, 3);
  return header;
}

/** RFC 7932, 9.2: not last, a length of four nibbles, uncompressed. */
function brotliBlock(length: number): Buffer {
  const bits = ((length - 1) << 3) | (1 << 19);
  return Buffer.from([bits & 0xff, (bits >> 8) & 0xff, bits >> 16]);
}

/** The compressor's output for the parts, in its own memory; the parts are not copied. */
async function collect(compressor: Transform, parts: readonly Buffer[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  compressor.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const part of parts) compressor.write(part);
  compressor.end();
  await once(compressor, 'end');
  const bytes = Buffer.allocUnsafeSlow(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(bytes, at);
  return bytes;
}
