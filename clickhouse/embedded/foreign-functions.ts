import { closeSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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

/** The path of ClickHouse as a shared library. Throws where a package is missing or has no build for this platform. */
export function findLibrary(): string {
  try {
    require.resolve('ffi-rs');
    const chdb = createRequire(require.resolve('chdb'));
    const suffix = process.platform === 'linux' ? '-gnu' : '';
    const build = chdb.resolve(`@chdb/lib-${process.platform}-${process.arch}${suffix}`);
    return join(dirname(build), 'libchdb.so');
  } catch (cause) {
    throw new Error(
      'The embedded ClickHouse needs the optional packages chdb and ffi-rs, which are not installed or have no build for ' +
        `this platform (${process.platform}-${process.arch}): run npm install with optional dependencies, or set ` +
        'CLICKHOUSE_URL to a ClickHouse server.',
      { cause },
    );
  }
}

/** Runs `clickhouse local` on a thread of its own. It prints its errors: its result may be NULL, which crashes who reads it. */
export async function runClickHouse(path: string, args: readonly string[]): Promise<void> {
  const { DataType, load, open } = ffi();
  open({ library: 'chdb', path });
  await load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [args.length, [...args]],
    runInNewThread: true,
  });
}

/** Not imported: the package is optional. */
function ffi(): typeof FfiRs {
  return require('ffi-rs');
}
