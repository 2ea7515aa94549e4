import { access, constants } from 'node:fs/promises';
import { makeFolder } from '../durable-file.ts';

/**
 * Creates the folder of the embedded engine, and checks that this process can use it.
 *
 * @throws what to change
 */
export async function prepareDataDir(path: string): Promise<void> {
  try {
    await makeFolder(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `DATA_DIR ${path} cannot be used: ${reason}. Set DATA_DIR to a folder that this user may write, on a disk with free space.`,
      { cause },
    );
  }
}
