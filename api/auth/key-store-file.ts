import { type BigIntStats, constants, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { appendToFile } from '../../clickhouse/durable-file.ts';
import { type KeyRecord, type KeyStore, parseKeyRecord } from './key-store.ts';

/** What has been read from the file. */
type Content = {
  /** Differs whenever the file has changed or is another file. */
  readonly identity: string;
  readonly records: ReadonlyMap<string, KeyRecord>;
};

/** A record takes some 300 bytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How often in a row a read may coincide with a write. */
const MAX_READS = 10;

const EMPTY: Content = { identity: 'none', records: new Map() };

/**
 * The key store of one machine (D27): a file to which every change appends one line, `{"hash":…,"record":…}`. The last
 * line of a hash counts. Each change is one write in append mode, so the service and the keys command can both change
 * the file without a lock, and a reader never sees half a change. A missing file has no records.
 *
 * The file is read only when it has changed: otherwise a call costs one `stat`, however many keys there are. The `stat`
 * is synchronous: it takes microseconds, while the thread pool would use a tenth of the CPU time of a small page.
 */
export function fileKeyStore(path: string): KeyStore {
  let content = EMPTY;
  const reading = new SingleFlight<void>();
  const read = async () => {
    try {
      content = await readUnchanged(path);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      content = EMPTY;
    }
  };
  const records = async () => {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    const identity = stats === undefined ? EMPTY.identity : identify(stats);
    if (identity !== content.identity) {
      // A read in progress may miss what was written since its start.
      await reading.running?.catch(() => {});
      await reading.join(read);
    }
    return content.records;
  };
  return {
    find: async (hash) => (await records()).get(hash),
    list: async () => [...(await records()).values()],
    add: (hash, record) => append(path, [{ hash, record }]),
    async change(id, changes) {
      const found = [...(await records())].filter(([, record]) => record.id === id);
      const changed = found.map(([hash, record]) => ({ hash, record: { ...record, ...changes } }));
      await append(path, changed);
      return found.length;
    },
  };
}

type Line = { readonly hash: string; readonly record: KeyRecord };

/** Each line also begins with a line break, so a line cut off by a power failure does not damage the next. */
async function append(path: string, lines: readonly Line[]): Promise<void> {
  if (lines.length > 0) await appendToFile(path, lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''));
}

/** Includes `ctime`: a program that copies a file can set `mtime` back. */
function identify({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join();
}

/** Reads again while the file is being written: a read of a file that is being replaced can miss keys. */
async function readUnchanged(path: string): Promise<Content> {
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const content = await readContent(path);
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats !== undefined && identify(stats) === content.identity) return content;
  }
  throw new Error(`${path} changes while it is read`);
}

async function readContent(path: string): Promise<Content> {
  // Without O_NONBLOCK, opening a FIFO waits for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
    if (stats.size > MAX_BYTES)
      throw new Error(`${path} has ${stats.size} bytes, and a key file at most ${MAX_BYTES}`);
    const records = new Map<string, KeyRecord>();
    const lines = (await file.readFile('utf8')).split('\n');
    // A last line without a line break is still being written: it is read once it is complete.
    for (const line of lines.slice(0, -1)) applyLine(records, line);
    return { identity: identify(stats), records };
  } finally {
    await file.close();
  }
}

/** The last line of a hash counts. A damaged record makes the key unknown; a torn line changes nothing. */
function applyLine(records: Map<string, KeyRecord>, line: string): void {
  if (line === '') return;
  try {
    const { hash, record } = JSON.parse(line) as Line;
    const parsed = parseKeyRecord(record);
    if (parsed === undefined) records.delete(hash);
    else records.set(hash, parsed);
  } catch {}
}
