import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { appendToFile } from '../../clickhouse/durable-file.ts';
import { type KeyRecord, type KeyStore, parseKeyRecord } from './key-store.ts';

/**
 * The key store of one machine (D27): a file to which every change appends one line, `{"hash":…,"record":…,"crc32":…}`, in one
 * write, so it needs no lock. The last line with a hash counts. A damaged line may have revoked a key, so the key that it names
 * is refused: a line with one wrong byte still has the hash or the id of its key.
 *
 * The file is read only after it has changed. `stat` is synchronous: the thread pool takes a tenth of the CPU of a small page.
 *
 * @param onDamagedLine receives, once, the name of each line that cannot be read
 */
export function fileKeyStore(path: string, onDamagedLine: (name: string) => void = () => {}): KeyStore {
  let content: { readonly identity: string; readonly records: ReadonlyMap<string, KeyRecord> } = {
    identity: NO_FILE,
    records: new Map(),
  };
  const reported = new Set<string>();
  const reading = new SingleFlight<void>();
  /** @param identity of the file before it is read, so that the next look-up reads what is written meanwhile */
  const read = async (identity: string) => {
    const { records, damaged } = readLines(identity === NO_FILE ? '' : await readText(path));
    content = { identity, records };
    for (const name of damaged.map((line) => `line ${line} of ${path}`)) {
      if (!reported.has(name)) onDamagedLine(name);
      reported.add(name);
    }
  };
  const records = async () => {
    const identity = identityOf(path);
    if (identity !== content.identity) {
      // A read in progress may miss what has been written since it started.
      await reading.running?.catch(() => {});
      await reading.join(() => read(identity));
    }
    return content.records;
  };
  return {
    find: async (hash) => (await records()).get(hash),
    list: async () => [...(await records()).values()],
    add: (hash, record) => append(path, hash, record),
    async change(id, changes) {
      const found = [...(await records())].filter(([, record]) => record.id === id);
      for (const [hash, record] of found) await append(path, hash, { ...record, ...changes });
      return found.length;
    },
  };
}

const NO_FILE = '';

/** Differs after each change of the file. It includes `ctime`, because a program that copies a file can set `mtime` back. */
function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined
    ? NO_FILE
    : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return '';
    // A message such as that of EISDIR does not name the file.
    throw new Error(`${path}: ${cause.message}`, { cause });
  });
}

type KeyLine = { readonly hash: string; readonly record: KeyRecord; readonly crc32?: number };

/** Writes a line break before the line too, so that a line that a power failure cut off does not damage it. */
async function append(path: string, hash: string, record: KeyRecord): Promise<void> {
  const line = { hash, record };
  const text = JSON.stringify({ ...line, crc32: crc32(JSON.stringify(line)) });
  await appendToFile(path, `\n${text}\n`).catch((cause) => {
    throw new Error(`${path} cannot be written: ${cause.message}`, { cause });
  });
}

/** `damaged` has the numbers of lines, counted from 1. */
function readLines(text: string) {
  const records = new Map<string, KeyRecord>();
  const damaged: number[] = [];
  const lines = text.split('\n');
  for (const [at, line] of lines.entries()) {
    if (line === '') continue;
    const parsed = parseLine(line);
    // A last line without its line break may still be being written: no key is valid by it before it is complete.
    const isComplete = at < lines.length - 1;
    if (parsed?.isSound && isComplete) {
      records.set(parsed.hash, parsed.record);
      continue;
    }
    damaged.push(at + 1);
    for (const [hash, { id }] of records)
      if (line.includes(hash) || line.includes(`"id":${JSON.stringify(id)}`)) records.delete(hash);
    if (parsed !== undefined && isComplete) records.set(parsed.hash, { ...parsed.record, status: 'revoked' });
  }
  return { records, damaged };
}

/** `isSound`: it is as it was written. A line that was written by hand may have no checksum. */
function parseLine(line: string): (KeyLine & { readonly isSound: boolean }) | undefined {
  try {
    const { hash, record, crc32: stated } = JSON.parse(line) as KeyLine;
    const parsed = parseKeyRecord(record);
    if (typeof hash !== 'string' || parsed === undefined) return undefined;
    return {
      hash,
      record: parsed,
      isSound: stated === undefined || stated === crc32(JSON.stringify({ hash, record })),
    };
  } catch {
    return undefined;
  }
}
