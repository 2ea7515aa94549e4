import type { Layout } from '../read/build/layout.ts';

/** One question for the service and for other databases over a table `reports`, one row a report, typed columns. */
export type BenchQuestion = {
  readonly name: string;
  readonly stations: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly select: string;
  readonly by: string;
  /** The cheapest statements that we know over ClickHouse's own table. */
  readonly engine: EngineStatements;
  /** Over the sampled rows, with the time `hour`. `month()` and `hour()` are of all databases alike. */
  readonly values: string;
  readonly groups: readonly string[];
};

type EngineStatements = {
  /** Of the highest version of each report that is neither retracted nor NIL, as the service. */
  readonly sameMeaning: string;
  /** It may assume one version of each report. */
  readonly fastest: string;
};

const YEAR = 'year(hour)';
const MONTH = 'month(hour)';
const HOUR = 'hour(hour)';
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
      values: 'avg(temp_c), min(temp_c), max(temp_c)',
      groups: [YEAR, MONTH],
      engine: engineStatements(
        ['temp_c'],
        'avg(temp_c), min(temp_c), max(temp_c)',
        'toYear(hour), toMonth(hour)',
      ),
    },
    {
      name: 'one station, 21 years: wind rose by month',
      ...one,
      select: 'count',
      by: 'month,wind_sector(16),class(wspd_kt;4;11;17;22;28)',
      values: 'count(*)',
      groups: [MONTH, SECTOR, SPEED],
      engine: engineStatements(
        ['wdir', 'wdir_vrb', 'wspd_kt'],
        'count()',
        'toMonth(hour), multiIf(wspd_kt = 0, 200, wdir_vrb, 201, floor((wdir + 11.25) % 360 / 22.5)), arrayCount(b -> wspd_kt >= b, [4, 11, 17, 22, 28])',
      ),
    },
    {
      name: 'one station, 21 years: flight category by month and hour',
      ...one,
      select: 'count',
      by: 'month,hour,fltcat',
      values: 'count(*)',
      groups: [MONTH, HOUR, 'fltcat'],
      engine: engineStatements(['fltcat'], 'count()', 'toMonth(hour), toHour(hour), fltcat'),
    },
    {
      name: '1,000 stations, one year: mean and 95th percentile by month',
      stations: thousand,
      from: '2024-01-01',
      to: '2025-01-01',
      select: 'mean(temp_c),p95(temp_c)',
      by: 'month',
      values: 'avg(temp_c), quantile_cont(temp_c, 0.95)',
      groups: [MONTH],
      engine: engineStatements(
        ['temp_c'],
        'avg(temp_c), quantileExactInclusive(0.95)(temp_c)',
        'toMonth(hour)',
      ),
    },
  ];
}

function engineStatements(columns: readonly string[], values: string, groups: string): EngineStatements {
  const isNumber = (name: string) => name !== 'fltcat' && name !== 'wdir_vrb';
  const read = columns.map((name) => (isNumber(name) ? `toFloat64(${name}) AS ${name}` : name));
  const hour = "toDateTime(intDiv(toUInt32(observedAt) + 600, 3600) * 3600, 'UTC') AS hour";
  const reports = `FROM observations
  WHERE station IN ($stations) AND type = 'METAR' AND observedAt >= '$from' AND observedAt < '$to'`;
  const grouped = (sampled: string) => `SELECT station, ${groups}, count() AS n, ${values}
FROM (${sampled})
GROUP BY station, ${groups}
FORMAT JSONEachRow`;
  const key = 'station, observedAt, type, fingerprint';
  return {
    fastest: grouped(
      `SELECT station, ${hour}, ${read.join(', ')} ${reports} ORDER BY station, observedAt LIMIT 1 BY station, hour`,
    ),
    sameMeaning:
      grouped(`SELECT *, lagInFrame(hour) OVER (PARTITION BY station ORDER BY observedAt, type, fingerprint ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS hourBefore
  FROM (
    SELECT * FROM (
      SELECT ${key}, retracted, nil, ${hour}, ${read.join(', ')} ${reports}
      ORDER BY ${key}, version DESC LIMIT 1 BY ${key}
    ) WHERE NOT retracted AND nil IS NULL
  )
  QUALIFY hour != hourBefore`),
  };
}
