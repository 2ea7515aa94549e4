import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as FfiRs from 'ffi-rs';

const require = createRequire(import.meta.url);

const LOCK_EX = 2;
const LOCK_NB = 4;

export function makeFifo(path: string): void {
  const { DataType } = ffi();
  if (callLibc('mkfifo', [DataType.String, DataType.I32], [path, 0o600]) !== 0)
    throw new Error(`The FIFO ${path} cannot be made`);
}

/**
 * Locks a file, unless another process has it locked. The kernel releases the lock when the process ends.
 *
 * @returns what releases it; undefined where another process has it
 */
export function tryLock(path: string): (() => void) | undefined {
  const { DataType } = ffi();
  const fd = openSync(path, 'a', 0o600);
  if (callLibc('flock', [DataType.I32, DataType.I32], [fd, LOCK_EX + LOCK_NB]) === 0)
    return () => closeSync(fd);
  closeSync(fd);
  return undefined;
}

/** Calls for which Node has nothing. */
function callLibc(
  funcName: string,
  paramsType: readonly FfiRs.DataType[],
  paramsValue: readonly (string | number)[],
): number {
  const { DataType, load, open } = ffi();
  open({ library: 'process', path: '' });
  return load({
    library: 'process',
    funcName,
    retType: DataType.I32,
    paramsType: [...paramsType],
    paramsValue: [...paramsValue],
  });
}

/** Not imported: the package is optional. */
export function ffi(): typeof FfiRs {
  return require('ffi-rs');
}
