import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as FfiRs from 'ffi-rs';

const require = createRequire(import.meta.url);

/** The path of ClickHouse's shared library. Throws if a package is missing or has no build for this platform. */
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

/** Runs `clickhouse local` on a thread of its own. ClickHouse prints errors; reading a NULL result would crash. */
export async function runClickHouse(path: string, args: readonly string[]): Promise<void> {
  // Required here, not imported, because the package is optional.
  const { DataType, load, open }: typeof FfiRs = require('ffi-rs');
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
