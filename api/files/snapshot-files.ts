import { constants } from 'node:fs';
import { type FileHandle, open, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  MANIFEST,
  type Manifest,
  parseManifest,
  SnapshotError,
  type SnapshotFile,
  UNFINISHED,
  yearOfPath,
} from '../../clickhouse/snapshot/manifest.ts';
import { type CachedText, toCachedText } from '../answers/envelope.ts';

/** The folder is being written, or it does not hold what its manifest says. */
export class NoSnapshotError extends Error {
  override readonly name = 'NoSnapshotError';
}

export type Snapshot = {
  /** The real path: a symbolic link in `ARCHIVE_FILES` can be changed at any time. */
  readonly folder: string;
  readonly identity: string;
  readonly manifest: Manifest;
  /** The text of the list, which all responses share. */
  readonly list: CachedText;
};

export class SnapshotFiles {
  readonly #path: string;
  #last: Snapshot | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** @throws SnapshotError if the folder holds no snapshot, not even one that is being written */
  async require(): Promise<void> {
    const names = [MANIFEST, UNFINISHED].map((name) => join(this.#path, name));
    const found = await Promise.all(names.map((name) => stat(name).catch(() => undefined)));
    if (found.every((each) => each === undefined))
      throw new SnapshotError(
        `ARCHIVE_FILES: ${this.#path} holds no snapshot: write one with \`npm run load -- export ${this.#path}\``,
      );
    if (found[0] !== undefined) await this.current();
  }

  /** @throws NoSnapshotError */
  async current(): Promise<Snapshot> {
    try {
      const folder = await realpath(this.#path);
      const identity = await identityOf(folder);
      if (this.#last?.folder === folder && this.#last.identity === identity) return this.#last;
      const path = join(folder, MANIFEST);
      const manifest = parseManifest(await readFile(path, 'utf8'), path);
      this.#last = { folder, identity, manifest, list: toCachedText(Buffer.from(formatList(manifest))) };
      return this.#last;
    } catch (cause) {
      throw new NoSnapshotError(`${this.#path} cannot be read`, { cause });
    }
  }

  /** Close the handle. @throws NoSnapshotError if the path has a link, the size is wrong, or the manifest has been replaced */
  async open({ folder, identity }: Snapshot, { path, bytes }: SnapshotFile): Promise<FileHandle> {
    const name = join(folder, path);
    let file: FileHandle | undefined;
    try {
      if ((await realpath(name)) !== name) throw new Error('The path has a link');
      file = await open(name, constants.O_RDONLY | constants.O_NOFOLLOW);
      const { size } = await file.stat();
      if (size !== bytes) throw new Error(`The file has ${size} bytes, in the manifest ${bytes}`);
      // An export removes the manifest before it writes the first file.
      if ((await identityOf(folder)) !== identity) throw new Error('The manifest has been replaced');
      return file;
    } catch (cause) {
      await file?.close();
      throw new NoSnapshotError(`${name} cannot be sent`, { cause });
    }
  }
}

async function identityOf(folder: string): Promise<string> {
  const { ino, mtimeMs } = await stat(join(folder, MANIFEST));
  return `${ino} ${mtimeMs}`;
}

function formatList(manifest: Manifest): string {
  const { createdAt, firstDay: from, endDay: to, stations, reports, attribution, files } = manifest;
  const data = files.map(({ reports: content, ...file }) => ({
    ...file,
    year: yearOfPath(file.path),
    firstStation: content?.firstStation,
    lastStation: content?.lastStation,
  }));
  return JSON.stringify({ data, meta: { createdAt, from, to, stations, reports, attribution } });
}
