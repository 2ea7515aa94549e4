import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type KeyRecord, type KeyStore, parseKeyRecord } from './key-store.ts';

type Line = { readonly hash: string; readonly record: KeyRecord };

/**
 * The key store of one machine (D27): a file to which every change appends one line, `{"hash":…,"record":…}`. The last
 * line of a hash is valid. One change is one write in append mode, so the service and the keys command can both change
 * the file without a lock, and a reader never sees half a change.
 */
export function fileKeyStore(path: string): KeyStore {
  return {
    async find(hash) {
      const text = await readText(path);
      const start = text.lastIndexOf(`\n{"hash":"${hash}"`);
      return start < 0 ? undefined : parseLine(text.slice(start + 1, text.indexOf('\n', start + 1)))?.record;
    },
    add: (hash, record) => append(path, [{ hash, record }]),
    async list() {
      return [...parseLatest(await readText(path)).values()];
    },
    async revoke(id) {
      const found = [...parseLatest(await readText(path))].filter(([, record]) => record.id === id);
      const active = found.filter(([, { status }]) => status === 'active');
      await append(
        path,
        active.map(([hash, record]) => ({ hash, record: { ...record, status: 'revoked' } })),
      );
      return found.length;
    },
    async check() {
      await readText(path);
    },
  };
}

/** An absent file is a store without keys. */
async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Each line begins with a line break too, so that a line cut off by a power failure does not damage the next. */
async function append(path: string, lines: readonly Line[]): Promise<void> {
  if (lines.length === 0) return;
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a', 0o600);
  try {
    await file.write(lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The last record of each hash. */
function parseLatest(text: string): ReadonlyMap<string, KeyRecord> {
  const records = new Map<string, KeyRecord>();
  for (const lineText of text.split('\n')) {
    const line = parseLine(lineText);
    if (line !== undefined) records.set(line.hash, line.record);
  }
  return records;
}

function parseLine(text: string): Line | undefined {
  try {
    const { hash, record } = JSON.parse(text) as { hash: string; record: Record<string, string> };
    const parsed = parseKeyRecord(record);
    return parsed && { hash, record: parsed };
  } catch {
    return undefined;
  }
}
