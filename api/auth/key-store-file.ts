import { type BigIntStats, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { SingleFlight } from '../../clickhouse/concurrency.ts';
import { appendToFile } from '../../clickhouse/durable-file.ts';
import { type KeyRecord, type KeyStore, parseKeyRecord } from './key-store.ts';

/** `identity` differs whenever the file has changed or is another file; damaged lines are counted from 1. */
type KeyFile = {
  readonly identity: string;
  readonly records: ReadonlyMap<string, KeyRecord>;
  readonly damaged: readonly number[];
};

const NO_KEYS: KeyFile = { identity: 'none', records: new Map(), damaged: [] };

/**
 * The key store of one machine (D27): a file to which every change appends one line, `{"hash":…,"record":…,"crc32":…}`, in one
 * write, so it needs no lock. The last line of a hash counts. A damaged line may have revoked a key, so the keys that it names
 * are refused: with one wrong byte it still has the hash or the id of its key.
 *
 * The file is read only when it has changed. `stat` is synchronous: the thread pool takes a tenth of the CPU of a small page.
 *
 * @param onDamagedLine receives, once, the name of each line that cannot be read
 */
export function fileKeyStore(path: string, onDamagedLine: (name: string) => void = () => {}): KeyStore {
  let content = NO_KEYS;
  const reported = new Set<string>();
  const reading = new SingleFlight<void>();
  const read = async () => {
    try {
      content = await readContent(path);
      for (const name of content.damaged.map((line) => `line ${line} of ${path}`)) {
        if (!reported.has(name)) onDamagedLine(name);
        reported.add(name);
      }
    } catch (error) {
      // A message such as that of EISDIR does not name the file.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT'))
        throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
      content = NO_KEYS;
    }
  };
  const records = async () => {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    const identity = stats === undefined ? NO_KEYS.identity : identityOfStats(stats);
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

type KeyLine = { readonly hash: string; readonly record: KeyRecord; readonly crc32?: number };

/** Each line also begins with a line break, so a line cut off by a power failure does not damage the next. */
async function append(path: string, lines: readonly Omit<KeyLine, 'crc32'>[]): Promise<void> {
  if (lines.length === 0) return;
  // The checksum is of the members in this order.
  const inOrder = lines.map(({ hash, record }) => ({ hash, record }));
  const written = inOrder.map((line) => JSON.stringify({ ...line, crc32: crc32(JSON.stringify(line)) }));
  await appendToFile(path, written.map((line) => `\n${line}\n`).join('')).catch((cause) => {
    throw new Error(`${path} cannot be written: ${cause.message}`, { cause });
  });
}

/** Includes `ctime`: a program that copies a file can set `mtime` back. */
function identityOfStats({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join();
}

async function readContent(path: string): Promise<KeyFile> {
  const file = await open(path);
  try {
    const identity = identityOfStats(await file.stat({ bigint: true }));
    return { identity, ...readLines(await file.readFile('utf8')) };
  } finally {
    await file.close();
  }
}

function readLines(text: string): Pick<KeyFile, 'records' | 'damaged'> {
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
