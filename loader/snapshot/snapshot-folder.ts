import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { makeFolder, replaceFile } from '../../clickhouse/durable-file.ts';
import {
  isSnapshotPath,
  MANIFEST,
  type Manifest,
  parseManifest,
  SnapshotError,
  type SnapshotFile,
  UNFINISHED,
} from '../../clickhouse/snapshot/manifest.ts';

export class FolderFullError extends Error {
  override readonly name = 'FolderFullError';
}

/** The end of the name of a file that was not written to its end. */
const DRAFT = '.draft';

/** A snapshot is meant to be shared. */
const [READABLE_FILE, READABLE_FOLDER] = [0o644, 0o755];

/**
 * The folder that an export writes. Until its manifest is there it is no snapshot: the unfinished manifest says which
 * files the next export can leave as they are.
 */
export class SnapshotFolder {
  private readonly folder: string;
  private readonly files = new Map<string, SnapshotFile>();
  private saved = Promise.resolve();

  private constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Makes the folder, or takes one that holds a snapshot, whole or not.
   *
   * @throws SnapshotError if it holds anything else
   */
  static async open(path: string): Promise<SnapshotFolder> {
    const folder = new SnapshotFolder(path);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && !found.isDirectory())
      throw new SnapshotError(`export needs a folder; ${path} is a file`);
    if (found === undefined)
      await makeFolder(path, READABLE_FOLDER).catch((error: Error) => {
        throw new SnapshotError(`the folder of the export cannot be created: ${error.message}`);
      });
    const names = await readdir(path);
    const manifest = [UNFINISHED, MANIFEST].find((name) => names.includes(name));
    if (manifest === undefined && names.length > 0)
      throw new SnapshotError(`${path} is not empty and holds no snapshot: name a new or empty folder`);
    if (manifest === undefined) return folder;
    const text = await readFile(join(path, manifest), 'utf8');
    for (const file of parseManifest(text, join(path, manifest), manifest === MANIFEST).files)
      folder.files.set(file.path, file);
    return folder;
  }

  /**
   * Writes the folder while no other export of this machine does. The kernel frees an abstract name of Linux with the
   * process that holds it, however that ends, so no lock has to be removed by hand. Elsewhere there are none.
   *
   * @throws SnapshotError if another export is running
   */
  async writeAlone<T>(work: () => Promise<T>): Promise<T> {
    if (process.platform !== 'linux') return work();
    const { dev, ino } = await stat(this.folder);
    const holder = createServer().listen(`\0historical-observations/export/${dev}/${ino}`);
    await once(holder, 'listening').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new SnapshotError(
        `Another export is writing to ${this.folder}: wait until it ends, or name another folder`,
      );
    });
    try {
      return await work();
    } finally {
      holder.close();
    }
  }

  /** The folder is no snapshot from here on, until it is finished. */
  async begin(manifest: Manifest): Promise<void> {
    await this.saveUnfinished(manifest);
    await rm(join(this.folder, MANIFEST), { force: true });
  }

  /** A file that already matches its manifest; `undefined` if it must be written. */
  async find(path: string, state: string): Promise<SnapshotFile | undefined> {
    const file = this.files.get(path);
    if (file?.reports?.state !== state) return undefined;
    const bytes = await readFile(join(this.folder, path)).catch(() => undefined);
    const isSame = bytes && createHash('sha256').update(bytes).digest('hex') === file.sha256;
    return isSame ? file : undefined;
  }

  async write(path: string, content: AsyncIterable<Uint8Array>): Promise<{ bytes: number; sha256: string }> {
    const hash = createHash('sha256');
    let bytes = 0;
    async function* hashed() {
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    }
    await makeFolder(dirname(join(this.folder, path)), READABLE_FOLDER);
    await this.replace(path, hashed());
    return { bytes, sha256: hash.digest('hex') };
  }

  async read(path: string): Promise<Buffer> {
    return readFile(join(this.folder, path));
  }

  /** Notes a file that is written, so that an export that is stopped later need not write it again. */
  async note(file: SnapshotFile, manifest: Manifest): Promise<void> {
    this.files.set(file.path, file);
    await this.saveUnfinished(manifest);
  }

  /** Removes files no longer part of the snapshot, and makes the folder a snapshot. */
  async finish(manifest: Manifest): Promise<void> {
    const paths = new Set(manifest.files.map(({ path }) => path));
    const names = await readdir(this.folder, { recursive: true, withFileTypes: true });
    for (const entry of names) {
      const path = relative(this.folder, join(entry.parentPath, entry.name));
      const isOurs = isSnapshotPath(path) || isSnapshotPath(path.replace(DRAFT, ''));
      if (entry.isFile() && isOurs && !paths.has(path)) await rm(join(this.folder, path));
    }
    await this.save(MANIFEST, manifest);
    await rm(join(this.folder, UNFINISHED), { force: true });
  }

  private async replace(path: string, content: string | AsyncIterable<Uint8Array>): Promise<void> {
    const file = join(this.folder, path);
    try {
      await replaceFile(file, content, READABLE_FILE, file + DRAFT);
    } catch (error) {
      // What fails in the archive has an error of ClickHouse, which has no `syscall`.
      const { code, syscall, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC')
        throw new FolderFullError(`The disk of ${this.folder} is full: ${String(error)}`);
      if (syscall !== 'open') throw error;
      throw new SnapshotError(`the folder of the export cannot be written: ${message}`);
    }
  }

  private async saveUnfinished(manifest: Manifest): Promise<void> {
    await this.save(UNFINISHED, { ...manifest, files: [...this.files.values()] });
  }

  /** One after another: they write the same file. */
  private async save(name: string, manifest: Manifest): Promise<void> {
    const text = `${JSON.stringify(manifest, undefined, 1)}\n`;
    this.saved = this.saved.then(() => this.replace(name, text));
    await this.saved;
  }
}
