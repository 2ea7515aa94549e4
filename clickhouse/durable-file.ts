import { createHash } from 'node:crypto';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Files are for their owner alone: they hold passwords and the hashes of keys. */
const MODE = 0o600;
const READABLE = 0o644;
const PRIVATE_FOLDER = 0o700;
/** Of what is made to be handed on. */
export const READABLE_FOLDER = 0o755;

/**
 * Replaces a file, or makes it. A reader sees the old file or the new one, and once this resolves so does every reader
 * after a power failure: a rename that overtakes the data of its file leaves it empty (D49).
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeAndSync(draft, 'w', text);
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/**
 * Replaces a file by the bytes of a stream, or makes it, as `replaceFile` does. Everybody may read it.
 *
 * @returns what a reader can check the file by; the hash is hexadecimal
 */
export async function replaceFileByStream(
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const draft = draftOf(path);
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await open(draft, 'w', READABLE);
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  await syncFolder(dirname(path));
  return { bytes, sha256: hash.digest('hex') };
}

/** Where `replaceFileByStream` writes beside a file: always the same name, so that a draft that was left is replaced. */
export function draftOf(path: string): string {
  return `${path}.draft`;
}

/** Appends with one write, and makes the file and its folder where they are missing. Survives a power failure (D49). */
export async function appendToFile(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  await writeAndSync(path, 'a', text);
  await syncFolder(dirname(path));
}

/**
 * Makes a folder and those above it, each of which has to be recorded in the one above. They are for their owner alone,
 * whatever the umask, unless another mode is given.
 */
export async function makeFolder(path: string, mode = PRIVATE_FOLDER): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  await makeFolder(above, mode);
  // One at a time: with `recursive` Node never returns where no folder can be made, as in /proc.
  await mkdir(path, mode).catch(async (error: unknown) => {
    // Another process may have made it meanwhile.
    if (!(await isFolder(path))) throw error;
  });
  await syncFolder(above);
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

async function writeAndSync(path: string, flags: 'w' | 'a', text: string): Promise<void> {
  const file = await open(path, flags, MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new name is on the disk once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
