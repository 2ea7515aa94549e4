import { type BigIntStats, constants, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { SingleFlight } from '../../clickhouse/concurrency/single-flight.ts';
import { type KeyRecord, parseKeyRecord } from './key-store.ts';

/** What has been read of the file. */
type Content = {
  /** Differs whenever the file has changed or is another file. */
  readonly identity: string;
  /** The offset after the last complete line. */
  readonly end: number;
  /** CRC-32 of the bytes before `end`. */
  readonly checksum: number;
  readonly records: Map<string, KeyRecord>;
};

/** A record takes some 300 bytes. */
const MAX_LINE_BYTES = 65_536;
/** A writer of the file can be met this often in a row. */
const MAX_READS = 10;

const empty = (): Content => ({ identity: 'none', end: 0, checksum: 0, records: new Map() });

/**
 * The current records of a key file by hash. The file is read when it has changed: a call costs one `stat`, whatever the
 * number of keys. It is synchronous: that takes some microseconds, while the thread pool takes as much processor time
 * for it as a tenth of a small page. An absent file has no records.
 */
export function keyFileCache(path: string): () => Promise<ReadonlyMap<string, KeyRecord>> {
  let content = empty();
  const flight = new SingleFlight<Content['records']>();
  const read = async () => {
    try {
      content = await readUnchanged(path, content);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      content = empty();
    }
    return content.records;
  };
  return async () => {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    const isKnown = (stats === undefined ? empty().identity : identify(stats)) === content.identity;
    return isKnown ? content.records : flight.joinNext(read);
  };
}

/** Holds `ctime` too: a program that copies a file can set `mtime` back. */
function identify({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join();
}

/** Reads again while somebody writes: what was read of a file that is being replaced can lack keys. */
async function readUnchanged(path: string, known: Content): Promise<Content> {
  let content = known;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    content = await readChanges(path, content);
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined && identify(stats) === content.identity) return content;
  }
  throw new Error(`${path} changes while it is read`);
}

/**
 * Continues after the lines that are known. Reads the whole file again when its first bytes are no longer the bytes
 * that were read: the file was replaced, truncated or edited.
 */
async function readChanges(path: string, known: Content): Promise<Content> {
  // Without O_NONBLOCK, opening a FIFO waits for somebody who writes.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
    const identity = identify(stats);
    const isContinued = (await checksumOfStart(file, known.end)) === known.checksum;
    return { ...(await readLines(file, isContinued ? known : empty())), identity };
  } finally {
    await file.close();
  }
}

async function checksumOfStart(file: FileHandle, end: number): Promise<number> {
  let checksum = 0;
  if (end === 0) return checksum;
  for await (const chunk of file.createReadStream({ start: 0, end: end - 1, autoClose: false }))
    checksum = crc32(chunk, checksum);
  return checksum;
}

/** Reads from `end` on. A last line without a line break is still being written: it is read once it is complete. */
async function readLines(file: FileHandle, known: Content): Promise<Content> {
  let { end, checksum } = known;
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of file.createReadStream({ start: end, autoClose: false })) {
    const bytes = Buffer.concat([rest, chunk]);
    const lines = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
    rest = bytes.subarray(lines.length);
    if (rest.length > MAX_LINE_BYTES)
      throw new Error(
        `A line of the key file is longer than ${MAX_LINE_BYTES} bytes, at byte ${end + lines.length}`,
      );
    end += lines.length;
    checksum = crc32(lines, checksum);
    for (const line of lines.toString().split('\n')) applyLine(known.records, line);
  }
  return { ...known, end, checksum };
}

/** The last line of a hash is valid. With a damaged record the key is unknown; a torn line is no change. */
function applyLine(records: Map<string, KeyRecord>, line: string): void {
  if (line === '') return;
  try {
    const { hash, record } = JSON.parse(line) as { hash: string; record: Record<string, string> };
    const parsed = parseKeyRecord(record);
    if (parsed === undefined) records.delete(hash);
    else records.set(hash, parsed);
  } catch {}
}
