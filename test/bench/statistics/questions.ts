import type { Dialect } from '../databases/database.ts';
import type { Layout } from '../read/layout.ts';

/** One question for the service, for ClickHouse's own table and for other databases. */
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
  /** The same in ClickHouse. */
  readonly engine: { readonly values: string; readonly groups: string };
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
  const extremes = 'avg(temp_c), min(temp_c), max(temp_c)';
  return [
    {
      name: 'one station, 21 years: temperature by year and month',
      ...one,
      select: 'mean(temp_c),min(temp_c),max(temp_c)',
      by: 'year,month',
      columns: ['temp_c'],
      values: () => extremes,
      groups: [YEAR, MONTH],
      engine: { values: extremes, groups: 'toYear(hour), toMonth(hour)' },
    },
    {
      name: 'one station, 21 years: wind rose by month',
      ...one,
      select: 'count',
      by: 'month,wind_sector(16),class(wspd_kt;4;11;17;22;28)',
      columns: ['wdir', 'wdir_vrb', 'wspd_kt'],
      values: () => 'count(*)',
      groups: [MONTH, SECTOR, SPEED],
      engine: {
        values: 'count()',
        groups: `toMonth(hour), multiIf(wspd_kt = 0, 200, wdir_vrb, 201, floor((wdir + 11.25) % 360 / 22.5)),
          arrayCount(b -> wspd_kt >= b, [4, 11, 17, 22, 28])`,
      },
    },
    {
      name: 'one station, 21 years: flight category by month and hour',
      ...one,
      select: 'count',
      by: 'month,hour,fltcat',
      columns: ['fltcat'],
      values: () => 'count(*)',
      groups: [MONTH, HOUR, 'fltcat'],
      engine: { values: 'count()', groups: 'toMonth(hour), toHour(hour), fltcat' },
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
      engine: {
        values: 'avg(temp_c), quantileExactInclusive(0.95)(temp_c)',
        groups: 'toMonth(hour)',
      },
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

/**
 * The cheapest statement that we know over ClickHouse's own table: of the highest version of each report that is neither
 * retracted nor NIL, as the service.
 *
 * @param to RFC 3339
 */
export function engineStatement({ stations, from, columns, engine }: BenchQuestion, to: string): string {
  const isNumber = (name: string) => name !== 'fltcat' && name !== 'wdir_vrb';
  const read = columns.map((name) => (isNumber(name) ? `toFloat64(${name}) AS ${name}` : name)).join(', ');
  const key = 'station, observedAt, type, fingerprint';
  const end = to.slice(0, 19).replace('T', ' ');
  return `SELECT station, ${engine.groups}, count() AS n, ${engine.values}
FROM (
  SELECT *, lagInFrame(hour) OVER (PARTITION BY station ORDER BY observedAt, type, fingerprint ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS hourBefore
  FROM (
    SELECT * FROM (
      SELECT ${key}, retracted, nil, toDateTime(intDiv(toUInt32(observedAt) + 600, 3600) * 3600, 'UTC') AS hour, ${read}
      FROM observations
      WHERE ${stationList(stations)} AND type = 'METAR' AND observedAt >= '${from} 00:00:00' AND observedAt < '${end}'
      ORDER BY ${key}, version DESC LIMIT 1 BY ${key}
    ) WHERE NOT retracted AND nil IS NULL
  )
  QUALIFY hour != hourBefore
)
GROUP BY station, ${engine.groups}
FORMAT JSONEachRow`;
}

/** In parentheses that no other list has: DuckDB needs it in another form. */
export function stationList(stations: readonly string[]): string {
  return `station IN (${stations.map((station) => `'${station}'`).join()})`;
}
