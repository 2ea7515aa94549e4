/** Another database with a table `reports` of the same rows, asked through its own driver. */
export type Database = {
  readonly name: 'PostgreSQL' | 'DuckDB';
  readonly version: string;
  /** Statements that mean the same: all run the first time, then the fastest of them. */
  select(candidates: readonly string[]): Promise<readonly (readonly unknown[])[]>;
  readonly dialect: Dialect;
  /** Writes the rows of a statement to a file of the page cache, as CSV; returns its path. */
  writeCsv(statement: string): Promise<string>;
  close(): Promise<void>;
};

/** Where the SQL of the two databases differs. */
export type Dialect = {
  /** The time as `YYYYMMDDHHMM`, and as RFC 3339. */
  readonly minute: string;
  readonly time: string;
  readonly percentile: (column: string, share: number) => string;
  /** Forms of a page besides the plain one, for which there is no better plan in the other database. */
  readonly pageForms: (page: PageParts) => readonly string[];
  /** The first report of each station and hour of these rows, which have an `hour`. */
  readonly firstOfHour: (rows: string, columns: readonly string[]) => readonly string[];
};

type PageParts = {
  readonly columns: string;
  readonly stations: readonly string[];
  /** Conditions other than on the station. */
  readonly where: string;
  /** The order and the limit. */
  readonly order: string;
};

/** The benchmark runs without this database. */
export class NotInstalledError extends Error {}

/** The columns of the file that both load, in this order, with types that both know. */
export const COLUMNS = {
  station: 'VARCHAR',
  observed_at: 'TIMESTAMP',
  type: 'VARCHAR',
  fingerprint: 'VARCHAR',
  clean: 'BOOLEAN',
  raw: 'VARCHAR',
  decoded: 'VARCHAR',
  temp_c: 'FLOAT8',
  wdir: 'FLOAT8',
  wdir_vrb: 'BOOLEAN',
  wspd_kt: 'FLOAT8',
  fltcat: 'VARCHAR',
} as const;

/** Chooses the fastest of several statements the first time, each after a run that warms up. */
export function fastestOf<T>(run: (statement: string) => Promise<T>) {
  const chosen = new Map<string, string>();
  const timeOf = async (statement: string) => {
    await run(statement);
    const started = performance.now();
    await run(statement);
    return { statement, ms: performance.now() - started };
  };
  return async (candidates: readonly string[]): Promise<T> => {
    const key = candidates.join();
    if (candidates.length > 1 && !chosen.has(key)) {
      const timed = [];
      for (const candidate of candidates) timed.push(await timeOf(candidate));
      chosen.set(key, timed.sort((a, b) => a.ms - b.ms)[0]?.statement ?? '');
    }
    return run(chosen.get(key) ?? candidates[0] ?? '');
  };
}
