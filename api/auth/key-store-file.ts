import { appendToFile } from '../../clickhouse/durable-file.ts';
import { keyFileCache } from './key-file-cache.ts';
import type { KeyRecord, KeyStore } from './key-store.ts';

type Line = { readonly hash: string; readonly record: KeyRecord };

/**
 * The key store of one machine (D27): a file to which every change appends one line, `{"hash":…,"record":…}`. The last
 * line of a hash is valid. One change is one write in append mode, so the service and the keys command can both change
 * the file without a lock, and a reader never sees half a change.
 */
export function fileKeyStore(path: string): KeyStore {
  const readRecords = keyFileCache(path);
  return {
    async find(hash) {
      return (await readRecords()).get(hash);
    },
    add: (hash, record) => append(path, [{ hash, record }]),
    async list() {
      return [...(await readRecords()).values()];
    },
    async revoke(id) {
      const found = [...(await readRecords())].filter(([, record]) => record.id === id);
      const active = found.filter(([, { status }]) => status === 'active');
      await append(
        path,
        active.map(([hash, record]) => ({ hash, record: { ...record, status: 'revoked' } })),
      );
      return found.length;
    },
  };
}

/** Each line begins with a line break too, so that a line cut off by a power failure does not damage the next. */
async function append(path: string, lines: readonly Line[]): Promise<void> {
  if (lines.length > 0) await appendToFile(path, lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''));
}
