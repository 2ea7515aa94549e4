import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COLUMNS, type Database, type Dialect, fastestOf, NotInstalledError } from './database.ts';

const DIALECT: Dialect = {
  minute: "strftime(observed_at, '%Y%m%d%H%M')",
  time: "strftime(observed_at, '%Y-%m-%dT%H:%M:%SZ')",
  percentile: (column, share) => `quantile_cont(${column}, ${share})`,
  pageForms: () => [],
  firstOfHour(rows, columns) {
    // DuckDB 1.5 fails with an internal error where a window follows a long list of constants.
    const selected = rows.replace(/IN \((.*?)\)/, 'IN (SELECT unnest([$1]))');
    const first = columns.map((name) => `, arg_min_null(${name}, observed_at) AS ${name}`).join('');
    return [
      `(FROM ${selected} QUALIFY row_number() OVER (PARTITION BY station, hour ORDER BY observed_at) = 1)`,
      `(SELECT station, hour${first} FROM ${selected} GROUP BY station, hour)`,
    ];
  },
};

/** DuckDB in this process over one Parquet file, sorted by station and time, so that its statistics find a page. */
export async function openDuckdb(rows: string): Promise<Database> {
  const { DuckDBInstance } = await import('@duckdb/node-api').catch(() => {
    throw new NotInstalledError('DuckDB is left out: the package @duckdb/node-api is not installed.');
  });
  const folder = await mkdtemp(join(tmpdir(), 'bench-duckdb-'));
  const [file, csv] = [join(folder, 'reports.parquet'), join(folder, 'range.csv')];
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '6GB', temp_directory: folder });
  const connection = await instance.connect();
  const close = async () => {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  };
  const run = async (statement: string) => (await connection.runAndReadAll(statement)).getRows();
  try {
    const types = Object.entries(COLUMNS).map(([name, type]) => `'${name}': '${type}'`);
    await run("SET TimeZone = 'UTC'");
    await run(`COPY (FROM read_csv('${rows}', delim = '\\t', header = false, quote = '', escape = '', nullstr = '\\N',
      columns = {${types.join(', ')}})) TO '${file}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)`);
    await run(`CREATE VIEW reports AS FROM '${file}'`);
    return {
      name: 'DuckDB',
      version: `DuckDB ${(await run('SELECT version()'))[0]?.[0]}`,
      dialect: DIALECT,
      select: fastestOf(run),
      async writeCsv(statement) {
        await run(`COPY (${statement}) TO '${csv}' (FORMAT csv, HEADER)`);
        return csv;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
