import { createHash } from 'node:crypto';
import { mkdir, open, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Only the owner can access files: they hold passwords and key hashes. */
const MODE = 0o600;
const READABLE = 0o644;
const PRIVATE_FOLDER = 0o700;
/** For files meant to be shared. */
export const READABLE_FOLDER = 0o755;

/**
 * Replaces a file, or makes it. A reader sees the old file or the new one; once this resolves, a power failure changes
 * nothing: a rename that reaches the disk before the data would leave the file empty (D49).
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  await replaceBy(`${path}.${process.pid}`, path, text, MODE);
}

async function replaceBy(draft: string, path: string, content: Content, mode: number): Promise<void> {
  await writeAndSync(draft, 'w', content, mode);
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/**
 * Replaces a file by the bytes of a stream, or makes it, as `replaceFile` does. Everybody may read it.
 *
 * @returns what a reader can verify the file with; the hash is hexadecimal
 */
export async function replaceFileByStream(
  path: string,
  content: AsyncIterable<Uint8Array>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* hashed() {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await replaceBy(draftOf(path), path, hashed(), READABLE);
  return { bytes, sha256: hash.digest('hex') };
}

/** Where `replaceFileByStream` writes, next to the file: always the same name, so it replaces a leftover draft. */
export function draftOf(path: string): string {
  return `${path}.draft`;
}

/** Appends with one write, creating the file and its folder if missing. Survives a power failure (D49). */
export async function appendToFile(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  await writeAndSync(path, 'a', text, MODE);
  await syncFolder(dirname(path));
}

/**
 * Creates a folder and its parents, and syncs each folder's parent. Only the owner can access them, whatever the umask,
 * unless another mode is given.
 */
export async function makeFolder(path: string, mode = PRIVATE_FOLDER): Promise<void> {
  if (await isFolder(path)) return;
  const above = dirname(path);
  await makeFolder(above, mode);
  // One at a time: with `recursive`, Node never returns if no folder can be created, as in /proc.
  await mkdir(path, mode).catch(async (error: unknown) => {
    // Another process may have created it meanwhile.
    if (!(await isFolder(path))) throw error;
  });
  await syncFolder(above);
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() ?? false;
}

type Content = string | AsyncIterable<Uint8Array>;

async function writeAndSync(path: string, flags: 'w' | 'a', content: Content, mode: number): Promise<void> {
  const file = await open(path, flags, mode);
  try {
    await writeFile(file, content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new name is on disk once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
