import type { Dialect } from '../databases/database.ts';
import type { Layout } from '../read/layout.ts';

/** One question for the service and for other databases. */
export type BenchQuestion = {
  readonly name: string;
  readonly stations: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly select: string;
  readonly by: string;
  /** Of the reports. */
  readonly columns: readonly string[];
  /** In the other databases, over the first report of each hour, with the time `hour`. */
  readonly values: (dialect: Dialect) => string;
  readonly groups: readonly string[];
};

const [YEAR, MONTH, HOUR] = ['year', 'month', 'hour'].map((unit) => `extract(${unit} FROM hour)`) as [
  string,
  string,
  string,
];
const SECTOR = `CASE WHEN wspd_kt = 0 THEN 200 WHEN wdir_vrb THEN 201 ELSE CAST(floor((wdir + 11.25) / 22.5) AS INT) % 16 END`;
const SPEED = [4, 11, 17, 22, 28].map((bound) => `CAST(wspd_kt >= ${bound} AS INT)`).join(' + ');

export function benchQuestions({ hourly, thousand }: Layout): readonly BenchQuestion[] {
  const one = { stations: hourly.slice(0, 1), from: '2005-01-01', to: '2026-01-01' };
  return [
    {
      name: 'one station, 21 years: temperature by year and month',
      ...one,
      select: 'mean(temp_c),min(temp_c),max(temp_c)',
      by: 'year,month',
      columns: ['temp_c'],
      values: () => 'avg(temp_c), min(temp_c), max(temp_c)',
      groups: [YEAR, MONTH],
    },
    {
      name: 'one station, 21 years: wind rose by month',
      ...one,
      select: 'count',
      by: 'month,wind_sector(16),class(wspd_kt;4;11;17;22;28)',
      columns: ['wdir', 'wdir_vrb', 'wspd_kt'],
      values: () => 'count(*)',
      groups: [MONTH, SECTOR, SPEED],
    },
    {
      name: 'one station, 21 years: flight category by month and hour',
      ...one,
      select: 'count',
      by: 'month,hour,fltcat',
      columns: ['fltcat'],
      values: () => 'count(*)',
      groups: [MONTH, HOUR, 'fltcat'],
    },
    {
      name: '1,000 stations, one year: mean and 95th percentile by month',
      stations: thousand,
      from: '2024-01-01',
      to: '2025-01-01',
      select: 'mean(temp_c),p95(temp_c)',
      by: 'month',
      columns: ['temp_c'],
      values: ({ percentile }) => `avg(temp_c), ${percentile('temp_c', 0.95)}`,
      groups: [MONTH],
    },
  ];
}

/** The candidates of another database. */
export function databaseStatements(question: BenchQuestion, dialect: Dialect): readonly string[] {
  const { stations, from, to, columns, groups, values } = question;
  const [first, end] = [from, to].map((day) => `TIMESTAMP '${day} 00:00:00' - INTERVAL '10 minutes'`);
  const rows = `(SELECT *, date_trunc('hour', observed_at + INTERVAL '10 minutes') AS hour FROM reports
    WHERE ${stationList(stations)} AND type = 'METAR' AND observed_at >= ${first} AND observed_at < ${end})`;
  const keys = groups.map((_, n) => n + 2).join();
  return dialect
    .firstOfHour(rows, columns)
    .map(
      (sampled) =>
        `SELECT station, ${groups.join(', ')}, count(*) AS n, ${values(dialect)} FROM ${sampled} GROUP BY 1, ${keys}`,
    );
}

/** In parentheses that no other list has: DuckDB needs it in another form. */
export function stationList(stations: readonly string[]): string {
  return `station IN (${stations.map((station) => `'${station}'`).join()})`;
}
