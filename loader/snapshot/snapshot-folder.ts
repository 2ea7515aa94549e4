import { createHash, hash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { makeFolder, replaceFile } from '../../clickhouse/durable-file.ts';
import {
  MANIFEST,
  type Manifest,
  parseManifest,
  SNAPSHOT_PATH,
  SnapshotError,
  type SnapshotFile,
  UNFINISHED,
} from '../../clickhouse/snapshot/manifest.ts';
import { KeyedMutex } from '../pipeline/workers.ts';

export class FolderFullError extends Error {
  override readonly name = 'FolderFullError';
}

/** The end of the name of a file that was not written to its end. */
const DRAFT = '.draft';

/** Readable for all users, because a snapshot is meant to be shared. */
const [READABLE_FILE, READABLE_FOLDER] = [0o644, 0o755];

export type SnapshotFolder = Awaited<ReturnType<typeof openSnapshotFolder>>;

/**
 * The folder that an export writes. It is created, or it already holds a snapshot, complete or not. Until its manifest is written,
 * the folder is not a snapshot; the unfinished manifest says which files the next export need not write again.
 *
 * @throws SnapshotError if it holds anything else
 */
export async function openSnapshotFolder(folder: string) {
  const found = await stat(folder).catch(() => undefined);
  if (found !== undefined && !found.isDirectory())
    throw new SnapshotError(`export needs a folder; ${folder} is a file`);
  if (found === undefined)
    await makeFolder(folder, READABLE_FOLDER).catch((error: Error) => {
      throw new SnapshotError(`the folder of the export cannot be created: ${error.message}`);
    });
  const names = await readdir(folder);
  const earlier = [UNFINISHED, MANIFEST].find((name) => names.includes(name));
  if (earlier === undefined && names.length > 0)
    throw new SnapshotError(`${folder} is not empty and holds no snapshot: name a new or empty folder`);
  const files = new Map<string, SnapshotFile>();
  if (earlier !== undefined) {
    const text = await readFile(join(folder, earlier), 'utf8');
    for (const file of parseManifest(text, join(folder, earlier), earlier === MANIFEST).files)
      files.set(file.path, file);
  }

  const replace = async (path: string, content: string | AsyncIterable<Uint8Array>) => {
    const file = join(folder, path);
    try {
      await replaceFile(file, content, READABLE_FILE, file + DRAFT);
    } catch (error) {
      // Errors of the folder have a `syscall`; errors of ClickHouse have none.
      const { code, syscall, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC') throw new FolderFullError(`The disk of ${folder} is full: ${String(error)}`);
      if (syscall !== 'open') throw error;
      throw new SnapshotError(`the folder of the export cannot be written: ${message}`);
    }
  };
  const saving = new KeyedMutex();
  /** One after another: they write the same file. */
  const save = (name: string, manifest: Manifest) =>
    saving.run(folder, () => replace(name, `${JSON.stringify(manifest, undefined, 1)}\n`));
  const saveUnfinished = (manifest: Manifest) =>
    save(UNFINISHED, { ...manifest, files: [...files.values()] });

  return {
    /**
     * Writes the folder while no other export of this machine does. The kernel frees an abstract name of Linux with the
     * process that holds it, however that ends, so no lock has to be removed by hand. Other systems have none.
     *
     * @throws SnapshotError if another export is running
     */
    async writeAlone<T>(work: () => Promise<T>): Promise<T> {
      if (process.platform !== 'linux') return work();
      const { dev, ino } = await stat(folder);
      const holder = createServer().listen(`\0historical-observations/export/${dev}/${ino}`);
      await once(holder, 'listening').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error;
        throw new SnapshotError(
          `Another export is writing to ${folder}: wait until it ends, or name another folder`,
        );
      });
      try {
        return await work();
      } finally {
        holder.close();
      }
    },
    /** The folder is no snapshot from here on, until it is finished. */
    async begin(manifest: Manifest): Promise<void> {
      await saveUnfinished(manifest);
      await rm(join(folder, MANIFEST), { force: true });
    },
    /** A file that already matches its manifest; `undefined` if it must be written. */
    async find(path: string, state: string): Promise<SnapshotFile | undefined> {
      const file = files.get(path);
      if (file?.reports?.state !== state) return undefined;
      const bytes = await readFile(join(folder, path)).catch(() => undefined);
      return bytes && hash('sha256', bytes) === file.sha256 ? file : undefined;
    },
    async write(path: string, content: AsyncIterable<Uint8Array>) {
      const sha256 = createHash('sha256');
      let bytes = 0;
      async function* hashed() {
        for await (const chunk of content) {
          sha256.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      }
      await makeFolder(dirname(join(folder, path)), READABLE_FOLDER);
      await replace(path, hashed());
      return { bytes, sha256: sha256.digest('hex') };
    },
    read: (path: string) => readFile(join(folder, path)),
    /** Notes a file that is written, so that an export that is stopped later need not write it again. */
    async note(file: SnapshotFile, manifest: Manifest): Promise<void> {
      files.set(file.path, file);
      await saveUnfinished(manifest);
    },
    /** Removes files no longer part of the snapshot, and makes the folder a snapshot. */
    async finish(manifest: Manifest): Promise<void> {
      const paths = new Set(manifest.files.map(({ path }) => path));
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const path = relative(folder, join(entry.parentPath, entry.name));
        const isOurs = entry.isFile() && SNAPSHOT_PATH.test(path.replace(DRAFT, ''));
        if (isOurs && !paths.has(path)) await rm(join(folder, path));
      }
      await save(MANIFEST, manifest);
      await rm(join(folder, UNFINISHED), { force: true });
    },
  };
}

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
  const names = await readdir(folder).catch(() => {
    throw new SnapshotError(`restore needs the folder of a snapshot; there is none at ${folder}`);
  });
  if (!names.includes(MANIFEST))
    throw new SnapshotError(
      names.includes(UNFINISHED)
        ? `The export into ${folder} is not finished: run it again to finish it`
        : `${folder} has no ${MANIFEST}: name the folder of a snapshot`,
    );
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
