import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as FfiRs from 'ffi-rs';

const require = createRequire(import.meta.url);

/**
 * The path of ClickHouse as a shared library, out of the optional package chdb. Throws where it or ffi-rs is not
 * installed, or has no build for this platform.
 */
export function findLibrary(): string {
  try {
    require.resolve('ffi-rs');
    const chdb = createRequire(require.resolve('chdb'));
    const suffix = process.platform === 'linux' ? '-gnu' : '';
    const folder = dirname(chdb.resolve(`@chdb/lib-${process.platform}-${process.arch}${suffix}`));
    const file = readdirSync(folder).find((name) => /^libchdb\.(so|dylib)$/.test(name));
    if (file === undefined) throw new Error(`no libchdb in ${folder}`);
    return join(folder, file);
  } catch (cause) {
    throw new Error(
      'The embedded ClickHouse needs the optional packages chdb and ffi-rs, which are not installed or have no build for ' +
        `this platform (${process.platform}-${process.arch}): run npm install with optional dependencies, or set ` +
        'CLICKHOUSE_URL to a ClickHouse server.',
      { cause },
    );
  }
}

/**
 * Runs `clickhouse local` with these arguments on a thread of its own. Resolves when the program ends, with its error.
 * It has to be one: the library returns NULL for the text of none, and reading that crashes.
 */
export async function runUntilError(path: string, args: readonly string[]): Promise<string> {
  const { DataType, load, open } = ffi();
  open({ library: 'chdb', path });
  const result = await load({
    library: 'chdb',
    funcName: 'chdb_query_cmdline',
    retType: DataType.External,
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [args.length, [...args]],
    runInNewThread: true,
  });
  return load({
    library: 'chdb',
    funcName: 'chdb_result_error',
    retType: DataType.String,
    paramsType: [DataType.External],
    paramsValue: [result],
  });
}

/** Node has no call for this. */
export function makeFifo(path: string): void {
  const { DataType, load, open } = ffi();
  open({ library: 'process', path: '' });
  const failed = load({
    library: 'process',
    funcName: 'mkfifo',
    retType: DataType.I32,
    paramsType: [DataType.String, DataType.I32],
    paramsValue: [path, 0o600],
  });
  if (failed) throw new Error(`The FIFO ${path} cannot be made`);
}

/** Not imported: only the process of the engine needs it, and it may be missing. */
function ffi(): typeof FfiRs {
  return require('ffi-rs');
}
