import { isUtf8 } from 'node:buffer';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import { type Body, InvalidResponseError, UnreadableFileError } from './source.ts';

/** No line of a source is a tenth as long. The rest of a longer line is left out, because it could fill the memory. */
const MAX_LINE_BYTES = 65_536;

/** UTF-8 without the byte order mark that some servers and editors put first, or Latin-1 (D69). */
export function decodeText(bytes: Buffer): string {
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  return text.includes('\ufeff') ? text.replaceAll('\ufeff', '') : text;
}

/** A file can have lines in both encodings. So if it is not UTF-8 as a whole, each line is decoded by itself. */
function linesOf(bytes: Buffer): readonly string[] {
  const lines = isUtf8(bytes)
    ? decodeText(bytes).split('\n')
    : Array.from(bytes.toString('latin1').split('\n'), (line) => decodeText(Buffer.from(line, 'latin1')));
  return bytes.includes('\r') ? lines.map((line) => line.replace(/\r$/, '')) : lines;
}

/**
 * Splits a body into lines, one group for each chunk that holds a line end. Only one chunk is in memory as text.
 * `ended`: the last line of the group has its line feed too; the last line of a body that was cut off usually has none.
 */
export async function* splitLines(body: Body) {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const from = rest.length < MAX_LINE_BYTES ? 0 : bytes.indexOf('\n');
    if (from < 0) continue;
    const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes.subarray(from)]);
    const end = joined.lastIndexOf('\n') + 1;
    if (end > 0) yield { lines: linesOf(joined.subarray(0, end - 1)), ended: true };
    rest = joined.subarray(end);
  }
  if (rest.length > 0) yield { lines: linesOf(rest), ended: false };
}

/** Decompresses a file of gzip. A truncated or damaged file fails its checksum, so a readable file is whole. */
export async function unzip(bytes: Buffer, maxBytes: number): Promise<Buffer> {
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    throw new InvalidResponseError(`a damaged gzip file: ${(error as Error).message}`);
  }
}

/** @throws UnreadableFileError if the file is damaged; an error of the body as it is */
export async function* gunzipped(body: Body): Body {
  const bytes = pipeline(Readable.from(body), createGunzip(), () => {});
  try {
    yield* bytes;
  } catch (error) {
    const isDamage = (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true;
    throw isDamage ? new UnreadableFileError((error as Error).message, { cause: error }) : error;
  }
}

/** Removes gzip compression if the bytes begin with its signature, because the name of a file does not always tell. */
export async function* unzipped(body: Body): Body {
  const { start, all } = await peek(body);
  yield* start[0] === 0x1f && start[1] === 0x8b ? gunzipped(all) : all;
}

/** Every format is recognized by as many bytes. A tar archive can end a chunk after any byte of a file. */
const MAX_START_BYTES = 4096;

export async function peek(body: Body): Promise<{ readonly start: Buffer; readonly all: Body }> {
  const rest = body[Symbol.asyncIterator]();
  let [start, next]: [Buffer, ReturnType<typeof rest.next>] = [Buffer.alloc(0), rest.next()];
  for (; ; next = rest.next()) {
    // An error is thrown once what came before it has been read.
    const { done, value } = await next.catch(() => ({ done: true, value: undefined }) as const);
    if (done === true || start.length >= MAX_START_BYTES) break;
    start = Buffer.concat([start, value]);
  }
  async function* all() {
    try {
      if (start.length > 0) yield start;
      for (; (await next).done !== true; next = rest.next()) yield (await next).value;
    } finally {
      await rest.return?.();
    }
  }
  return { start, all: all() };
}

/** Control characters of a name would reach the terminal. */
const CONTROL = /\p{Cc}+/gu;

/**
 * The files of a tar archive, one after another as they arrive. The unread rest of one is skipped before the next.
 * Names are for messages only: nothing is written to the disk.
 *
 * @throws UnreadableFileError if the archive is damaged; an error of its bytes as it is
 */
export async function* tarEntries(archive: Body) {
  // Imported here, because its packages take 0.06 s of CPU time and most commands read no tar archive.
  const { extract } = await import('tar-stream');
  const entries = extract();
  let failure: unknown;
  const bytes = Readable.from(archive).on('error', (error) => {
    // An error of the archive ends its bytes too.
    if (!entries.destroyed) failure = error;
  });
  // An error of the bytes reaches the reader through `entries`. A reader of an entry may only learn that it was closed.
  const ended = new Promise<unknown>((resolve) => pipeline(bytes, entries, resolve));
  const next = entries[Symbol.asyncIterator]();
  for (;;) {
    const { value: entry, done } = await damageOf(() => next.next());
    if (done === true) return;
    if (entry.header.type !== 'file') {
      entry.resume();
      continue;
    }
    const chunks = (entry as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
    // A reader that stops early closes what it reads, and a closed entry closes the archive.
    const content: Body = { [Symbol.asyncIterator]: () => ({ next: () => damageOf(() => chunks.next()) }) };
    yield { name: entry.header.name.replace(CONTROL, ' '), content };
    for await (const _ of content);
  }

  /** Errors that do not come from the bytes mean that the archive is damaged. */
  async function damageOf<T>(read: () => T | Promise<T>): Promise<T> {
    try {
      return await read();
    } catch {
      const cause = await ended;
      throw cause === failure ? cause : new UnreadableFileError((cause as Error).message, { cause });
    }
  }
}

/**
 * Returns the values of one line of CSV (RFC 4180). A quoted value has `""` for a quote; it may hold a line end. What follows
 * its last quote is part of it.
 *
 * @param most how many values at most: the last one is the rest of the line, unless it is quoted
 */
export function parseCsvLine(line: string, separator = ',', most = Number.POSITIVE_INFINITY) {
  const values: string[] = [];
  for (let at = 0; at <= line.length; at += 1) {
    let value = '';
    if (line[at] === '"') {
      let from = at + 1;
      let end = line.indexOf('"', from);
      while (end >= 0 && line[end + 1] === '"') {
        value += line.slice(from, end + 1);
        from = end + 2;
        end = line.indexOf('"', from);
      }
      if (end < 0) end = line.length;
      value += line.slice(from, end);
      at = end + 1;
    }
    const next = values.length + 1 < most ? line.indexOf(separator, at) : -1;
    const end = next < 0 ? line.length : next;
    values.push(value === '' ? line.slice(at, end) : value + line.slice(at, end).replace(/"$/, ''));
    at = end;
  }
  return values;
}
