import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  MANIFEST,
  type Manifest,
  parseManifest,
  SnapshotError,
  UNFINISHED,
} from '../../clickhouse/snapshot/manifest.ts';

/** The folder is being written, or its manifest cannot be read. */
export class NoSnapshotError extends Error {
  override readonly name = 'NoSnapshotError';
}

/** The snapshot in a folder. Its manifest is read again once it has been replaced. */
export class SnapshotFiles {
  readonly folder: string;
  #read: { readonly identity: string; readonly manifest: Manifest } | undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** @throws SnapshotError if the folder holds no snapshot, not even one that is being written */
  async require(): Promise<void> {
    const names = [MANIFEST, UNFINISHED].map((name) => join(this.folder, name));
    const found = await Promise.all(names.map((name) => stat(name).catch(() => undefined)));
    if (found.every((each) => each === undefined))
      throw new SnapshotError(
        `ARCHIVE_FILES: ${this.folder} holds no snapshot: write one with \`npm run load -- export ${this.folder}\``,
      );
    if (found[0] !== undefined) await this.manifest();
  }

  /** @throws NoSnapshotError */
  async manifest(): Promise<Manifest> {
    const path = join(this.folder, MANIFEST);
    try {
      const { ino, mtimeMs } = await stat(path);
      const identity = `${ino} ${mtimeMs}`;
      if (this.#read?.identity !== identity)
        this.#read = { identity, manifest: parseManifest(await readFile(path, 'utf8'), path) };
      return this.#read.manifest;
    } catch (cause) {
      throw new NoSnapshotError(`${path} cannot be read`, { cause });
    }
  }
}
