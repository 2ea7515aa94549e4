import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { pipeline as finishPipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ClickHouseException } from './exception.ts';

/** What is held in memory of a body; the rest of an insert goes through a file. */
const headBytes = 1024 * 1024;

/** The beginning of a body, and what is still to come. */
export type Body = { readonly head: Buffer; readonly rest: AsyncIterator<Buffer> | undefined };

/** Undoes `Content-Encoding`. A body cut short by its sender throws where it is read. */
export function decodedBody(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding'] ?? 'identity';
  if (encoding === 'identity') return message;
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'deflate'
        ? createInflate()
        : encoding === 'br'
          ? createBrotliDecompress()
          : undefined;
  if (!decoder) {
    throw new ClickHouseException(
      89,
      'UNKNOWN_COMPRESSION_METHOD',
      `Unknown compression method: ${encoding}`,
    );
  }
  // An error of either end reaches whoever reads the decoder.
  return pipeline(message, decoder, () => {});
}

/** Reads far enough to know the statement. */
export async function beginBody(query: string, source: AsyncIterable<Buffer>): Promise<Body> {
  const chunks: Buffer[] = query === '' ? [] : [Buffer.from(`${query}\n`)];
  let length = chunks[0]?.length ?? 0;
  const rest = source[Symbol.asyncIterator]();
  while (length < headBytes) {
    const next = await rest.next();
    if (next.done) return { head: Buffer.concat(chunks), rest: undefined };
    chunks.push(next.value);
    length += next.value.length;
  }
  return { head: Buffer.concat(chunks), rest };
}

/** The whole body in memory: a long statement, or data that only works inline. */
export async function wholeBody({ head, rest }: Body): Promise<Buffer> {
  const chunks = [head];
  if (rest) for await (const chunk of remaining(rest)) chunks.push(chunk);
  return chunks.length === 1 ? head : Buffer.concat(chunks);
}

/**
 * Hands `use` a file with the body from byte `begin` on: the engine then reads a large insert block by block
 * instead of holding it several times over (a 155 MB insert: 0.9 GB less at its peak, and four times as fast).
 */
export async function withBodyFile<T>(
  body: Body,
  begin: number,
  directory: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(directory, name);
  try {
    await finishPipeline(async function* () {
      yield body.head.subarray(begin);
      if (body.rest) yield* remaining(body.rest);
    }, createWriteStream(path));
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}

function remaining(rest: AsyncIterator<Buffer>): AsyncIterable<Buffer> {
  return { [Symbol.asyncIterator]: () => rest };
}

/** The fields of a multipart body: parameters too long for a URL. */
export async function readForm(message: IncomingMessage): Promise<ReadonlyMap<string, string>> {
  const chunks: Buffer[] = [];
  for await (const chunk of decodedBody(message)) chunks.push(chunk);
  const headers = { 'content-type': message.headers['content-type'] ?? '' };
  const form = await new Response(Buffer.concat(chunks), { headers }).formData().catch(() => {
    throw new ClickHouseException(36, 'BAD_ARGUMENTS', 'Cannot read the multipart body');
  });
  const fields = new Map<string, string>();
  for (const [name, value] of form) {
    if (typeof value !== 'string') {
      throw new ClickHouseException(48, 'NOT_IMPLEMENTED', `External table '${name}' is not supported`);
    }
    fields.set(name, value);
  }
  return fields;
}
