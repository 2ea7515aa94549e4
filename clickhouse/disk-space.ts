import { statfs } from 'node:fs/promises';

/** The disk of a folder, in bytes; `undefined` if the folder does not exist. Programs without root rights can use `available`. */
export async function readDiskSpace(folder: string) {
  const found = await statfs(folder).catch(() => undefined);
  return found && { available: found.bavail * found.bsize, size: found.blocks * found.bsize };
}
