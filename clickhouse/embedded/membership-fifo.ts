import { closeSync, constants, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';

const { O_RDONLY, O_WRONLY, O_NONBLOCK } = constants;

/** The program that starts an engine is its first member as soon as the FIFO is there. */
const FIRST_MEMBER_MILLISECONDS = 30_000;

/**
 * The members of an engine are the processes that hold the write end of its FIFO. The kernel closes it with the
 * process, however that ends, so that no lease and no heartbeat is needed. Nothing is ever written.
 */
export function fifoPath(dataDir: string, instance: string): string {
  return join(dataDir, `engine.${instance}.fifo`);
}

/** The write end; undefined where no engine reads. Node opens files close-on-exec. */
export function openMembership(path: string): number | undefined {
  try {
    return openSync(path, O_WRONLY | O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** Calls `onEmpty` when the last member closed its end, or when none came. */
export function watchMembers(path: string, onEmpty: () => void): void {
  const fd = openSync(path, O_RDONLY | O_NONBLOCK);
  // Silent until the first member opens its end; "end" comes when the last one closes it.
  new Socket({ fd, readable: true, writable: false }).on('end', onEmpty).resume();
  setTimeout(() => hasMembers(path) || onEmpty(), FIRST_MEMBER_MILLISECONDS);
}

/** Reading an empty FIFO gives EAGAIN where somebody holds the write end, else its end. */
export function hasMembers(path: string): boolean {
  let fd: number | undefined;
  try {
    fd = openSync(path, O_RDONLY | O_NONBLOCK);
    return readSync(fd, Buffer.alloc(1)) > 0;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Removes what engines that were killed left. */
export function removeStaleFifos(dataDir: string, instance: string): void {
  for (const name of readdirSync(dataDir))
    if (/^engine\..+\.fifo$/.test(name) && name !== `engine.${instance}.fifo`)
      rmSync(join(dataDir, name), { force: true });
}
