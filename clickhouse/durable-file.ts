import { mkdir, open, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const MODE = 0o600;
const PRIVATE_FOLDER = 0o700;

/**
 * Replaces a file at once: a reader sees the old file or the new one. Once this resolves, it survives a power failure (D49).
 *
 * @param draft the path of the new file until it is complete. With a fixed name, it replaces the draft of a killed program
 */
export async function replaceFile(
  path: string,
  content: string | AsyncIterable<Uint8Array>,
  mode = MODE,
  draft = `${path}.${process.pid}`,
): Promise<void> {
  await writeFile(draft, content, { mode, flush: true });
  await rename(draft, path);
  await syncFolder(dirname(path));
}

/** Appends with one write, creating the file and its folder if missing. Survives a power failure (D49). */
export async function appendToFile(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path));
  await writeFile(path, text, { flag: 'a', mode: MODE, flush: true });
  await syncFolder(dirname(path));
}

/** Creates a folder with its parents and syncs each. Only the owner can access them, unless another mode is given. */
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

/** A new name is on disk once its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
