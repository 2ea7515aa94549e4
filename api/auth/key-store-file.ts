import { appendToFile } from '../../clickhouse/durable-file.ts';
import { keyFileCache } from './key-file-cache.ts';
import type { KeyChanges, KeyRecord, KeyStore } from './key-store.ts';

type Line = { readonly hash: string; readonly record: KeyRecord };

/**
 * The key store of one machine (D27): a file to which every change appends one line, `{"hash":…,"record":…}`. The last
 * line of a hash counts. Each change is one write in append mode, so the service and the keys command can both change
 * the file without a lock, and a reader never sees half a change.
 */
export function fileKeyStore(path: string): KeyStore {
  const readRecords = keyFileCache(path);
  async function change(id: string, changes: KeyChanges): Promise<number> {
    const found = [...(await readRecords())].filter(([, record]) => record.id === id);
    await append(
      path,
      found.map(([hash, record]) => ({ hash, record: { ...record, ...changes } })),
    );
    return found.length;
  }
  return {
    async find(hash) {
      return (await readRecords()).get(hash);
    },
    add: (hash, record) => append(path, [{ hash, record }]),
    async list() {
      return [...(await readRecords()).values()];
    },
    revoke: (id) => change(id, { status: 'revoked' }),
    change,
  };
}

/** Each line also begins with a line break, so a line cut off by a power failure does not damage the next. */
async function append(path: string, lines: readonly Line[]): Promise<void> {
  if (lines.length > 0) await appendToFile(path, lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''));
}
