import { hash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  MANIFEST,
  parseManifest,
  SnapshotError,
  type SnapshotFile,
  UNFINISHED,
} from '../../clickhouse/snapshot/manifest.ts';

export type Snapshot = Awaited<ReturnType<typeof openSnapshot>>;

const DOWNLOAD_TIMEOUT_MS = 120_000;

const AGAIN = 'copy or export the snapshot again';

/**
 * Opens a snapshot in a folder, or below an `https://` address.
 *
 * @throws SnapshotError if this program cannot read it, or one of its files is missing
 */
export async function openSnapshot(path: string, signal: AbortSignal) {
  const isRemote = /^https?:\/\//.test(path);
  const read = isRemote ? readerOfAddress(path, signal) : await readerOfFolder(path, signal);
  const text = await read(MANIFEST);
  const manifest = parseManifest(text.toString(), isRemote ? MANIFEST : join(path, MANIFEST));
  for (const { path: name, bytes } of isRemote ? [] : manifest.files) {
    const found = await sizeOf(path, name);
    if (found === undefined) throw new SnapshotError(`${name} is missing from ${path}: ${AGAIN}`);
    if (found !== bytes)
      throw new SnapshotError(`${name} has ${found} bytes, and the manifest says ${bytes}: ${AGAIN}`);
  }
  return {
    manifest,
    /** The bytes of a file; throws SnapshotError unless they are those of the manifest. */
    async read(file: SnapshotFile): Promise<Buffer> {
      const bytes = await read(file.path);
      if (hash('sha256', bytes) !== file.sha256)
        throw new SnapshotError(`${file.path} is damaged: its SHA-256 is not that of the manifest: ${AGAIN}`);
      return bytes;
    },
  };
}

type Read = (path: string) => Promise<Buffer>;

async function readerOfFolder(folder: string, signal: AbortSignal): Promise<Read> {
  await readdir(folder).catch(() => {
    throw new SnapshotError(`restore needs the folder of a snapshot; there is none at ${folder}`);
  });
  if ((await sizeOf(folder, MANIFEST)) === undefined) {
    const isUnfinished = (await sizeOf(folder, UNFINISHED)) !== undefined;
    throw new SnapshotError(
      isUnfinished
        ? `The export into ${folder} is not finished: run it again to finish it`
        : `${folder} has no ${MANIFEST}: name the folder of a snapshot`,
    );
  }
  return (path) => readFile(join(folder, path), { signal });
}

/** In bytes; `undefined` where there is no such file. */
async function sizeOf(folder: string, path: string): Promise<number | undefined> {
  const found = await stat(join(folder, path)).catch(() => undefined);
  return found?.isFile() ? found.size : undefined;
}

function readerOfAddress(address: string, stopping: AbortSignal): Read {
  const base = address.endsWith('/') ? address : `${address}/`;
  return async (path) => {
    const url = new URL(path, base);
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)]);
    try {
      const response = await fetch(url, { signal, redirect: 'error' });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    } catch (error) {
      if (stopping.aborted) throw error;
      const { message, cause } = error as Error;
      throw new SnapshotError(`${url} cannot be read: ${cause ?? message}: run the same command to resume`);
    }
  };
}
