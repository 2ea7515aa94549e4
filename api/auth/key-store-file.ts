import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type KeyRecord, type KeyStore, readKeyRecord } from './key-store.ts';

type Line = { readonly hash: string; readonly record: KeyRecord };

/**
 * The key store of one machine (D27): a file to which every change appends one line, `{"hash":…,"record":…}`. The last
 * line of a hash holds. One append is one write, so the service and the command line change it side by side without
 * a lock, and a reader never meets half a change.
 */
export function fileKeyStore(path: string): KeyStore {
  return {
    async find(hash) {
      const text = await read(path);
      const at = text.lastIndexOf(`\n{"hash":"${hash}"`);
      return at < 0 ? undefined : parseLine(text.slice(at + 1, text.indexOf('\n', at + 1)))?.record;
    },
    add: (hash, record) => append(path, [{ hash, record }]),
    async list() {
      return [...latest(await read(path)).values()];
    },
    async revoke(id) {
      const found = [...latest(await read(path))].filter(([, record]) => record.id === id);
      const active = found.filter(([, { status }]) => status === 'active');
      await append(
        path,
        active.map(([hash, record]) => ({ hash, record: { ...record, status: 'revoked' } })),
      );
      return found.length;
    },
    async check() {
      await read(path);
    },
  };
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Each line brings the line break before it too: one that a power cut left unfinished spoils no other. */
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

function latest(text: string): ReadonlyMap<string, KeyRecord> {
  const records = new Map<string, KeyRecord>();
  for (const text_ of text.split('\n')) {
    const line = parseLine(text_);
    if (line !== undefined) records.set(line.hash, line.record);
  }
  return records;
}

function parseLine(text: string): Line | undefined {
  try {
    const { hash, record } = JSON.parse(text) as { hash: string; record: Record<string, string> };
    const read = readKeyRecord(record);
    return read && { hash, record: read };
  } catch {
    return undefined;
  }
}
