import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_STATION_YEARS } from '../../../api/statistics/bounds.ts';
import { peakMegabytes } from '../../support/process-usage.ts';
import { comparedDatabases, type Database, type Dialect, withDatabases } from '../databases/databases.ts';
import { DATABASE, describeArchive } from '../engine.ts';
import { type Api, requestPage, withBenchApi } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import type { Layout } from '../read/layout.ts';
import { fresh, yearsOf } from '../read/queries.ts';
import { type Figure, formatCount, formatMs, formatRatio, type Results, Times } from '../results.ts';

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

const PAGES = 15;
const QUESTIONS_AT_ONCE = 2;
const YEARS = 21;
const SELECT = 'mean(temp_c),p5(temp_c),p95(temp_c),p95(wspd_kt),low:share(visib_m < 5000)';

/** First pages of a range that no one has asked for, alone and next to two questions of the largest size. */
export async function measureLightPage(
  { layout, engine }: BenchArchive,
  api: Api,
): Promise<readonly Figure[]> {
  const stations = layout.long.slice(0, Math.floor(MAX_STATION_YEARS / YEARS));
  const times = new Times();
  const askPages = async (what: string) => {
    for (let n = 0; n < PAGES; n += 1) {
      const query = fresh(yearsOf(layout.hourly[n % layout.hourly.length] ?? ''));
      await times.measure(what, n, () => requestPage(api, query));
      await sleep(200);
    }
  };
  await askPages('warm up');
  await askPages('alone');
  let isStopped = false;
  const askQuestions = async (_: unknown, n: number) => {
    for (let hours = n; !isStopped; hours += QUESTIONS_AT_ONCE) {
      const to = new Date(Date.UTC(2026, 0, 1) - hours * 3_600_000).toISOString();
      const query = new URLSearchParams({
        stations: stations.join(),
        from: '2005-01-01T00:00:00Z',
        to,
        select: SELECT,
        by: 'month,hour',
      });
      await times.measure('question', n, () => api.get(`/v1/history/statistics?${query}`));
    }
  };
  const questions = Promise.all(Array.from({ length: QUESTIONS_AT_ONCE }, askQuestions));
  await sleep(1000);
  await askPages('next to questions').finally(() => (isStopped = true));
  await questions;
  return [
    {
      what: `a page next to ${QUESTIONS_AT_ONCE} questions of ${stations.length * YEARS} station-years`,
      measured: times.median('next to questions'),
      unit: 'ms',
      atMost: 100,
      detail: `alone ${formatMs(times.median('alone'))}; a question ${formatMs(times.median('question'))}; the engine at most ${await peakMegabytes(engine.pid)} MB`,
    },
  ];
}

const FEW_ROUNDS = 3;

/** Questions over HTTP, next to DuckDB and PostgreSQL on the same rows. */
export async function benchStatistics(options: {
  readonly rows: string;
  readonly rounds: string;
  readonly data: string;
}): Promise<Results> {
  return withBenchApi(options, (archive, api) =>
    withDatabases(archive, async (databases, missing) => {
      const questions: Figure[] = [];
      for (const question of benchQuestions(archive.layout))
        questions.push(await measureQuestion(api, databases, question, Number(options.rounds)));
      const conditions: Figure[] = [];
      for (const filter of ['wspd_kt >= 32', 'temp_c < -90'])
        conditions.push(await measureCondition(archive, api, databases, filter));
      return {
        about: [await describeArchive(archive.engine), ...missing].join(' '),
        sections: [
          {
            title: 'Questions over HTTP',
            about:
              'Medians, and as multiples of the time of the service. The databases through their own driver, each with the ' +
              'faster of two statements: DuckDB on one Parquet file that is sorted by station, PostgreSQL with an index by ' +
              'station and time.',
            figures: questions,
          },
          {
            title: 'Records that meet a condition: 50 stations, 21 years',
            about: 'Until the last record as NDJSON, in the databases by one statement.',
            figures: conditions,
          },
          {
            title: 'An hourly series of 50 stations and a year as Parquet',
            figures: await measureHourlySeries(archive, api),
          },
          {
            title: 'First pages of a light key next to questions of the largest size',
            figures: await measureLightPage(archive, api),
          },
        ],
      };
    }),
  );
}

/** All in turn, in the reverse order in every other round: what runs first leaves the caches of the processor full. */
async function measureQuestion(
  api: Api,
  databases: readonly Database[],
  question: BenchQuestion,
  rounds: number,
): Promise<Figure> {
  const { name } = question;
  const times = new Times();
  let rows = 0;
  const contestants: readonly ((round: number) => Promise<unknown>)[] = [
    async (round) => {
      const path = pathOf(question, round);
      const first = await times.measure('service', round, () => api.get(path));
      await times.measure('again', round, () => api.get(path));
      const { data } = JSON.parse(first.body.toString()) as { readonly data: readonly { n: number }[] };
      rows = data.filter(({ n }) => n > 0).length;
    },
    ...databases.map((database) => async (round: number) => {
      const statements = databaseStatements(question, database.dialect);
      const found = await times.measure(`${database.name} question`, round, () =>
        database.select(statements),
      );
      if (Math.abs(found.length - rows) > rows / 100)
        throw new Error(`${name}: ${database.name} has ${found.length} rows, the service ${rows}`);
    }),
  ];
  for (let round = -1; round < rounds; round += 1)
    for (const ask of Math.abs(round) % 2 === 1 && round > 0 ? contestants.toReversed() : contestants)
      await ask(round);
  const service = times.median('service');
  const again = times.median('again');
  return {
    what: name,
    measured: service,
    unit: 'ms',
    detail: `${comparedDatabases(databases, times, 'question', service)}, again ${formatMs(again)} (${formatRatio(again / service)})`,
  };
}

/** Another end in each round: nothing of an answer is in memory. */
function endOf({ to }: BenchQuestion, round: number): string {
  return new Date(Date.parse(`${to}T00:00:00Z`) - (round + 1) * 3_600_000).toISOString();
}

function pathOf(question: BenchQuestion, round: number): string {
  const { stations, from, select, by } = question;
  const to = endOf(question, round);
  const query = new URLSearchParams({ stations: stations.join(), from: `${from}T00:00:00Z`, to, select, by });
  return `/v1/history/statistics?${query}`;
}

/** A condition means the same in CQL2 and in SQL. */
async function measureCondition(
  { layout }: BenchArchive,
  api: Api,
  databases: readonly Database[],
  filter: string,
): Promise<Figure> {
  const times = new Times();
  const query = {
    stations: layout.fifty.join(),
    from: '2005-01-01T00:00:00Z',
    to: '2026-01-01T00:00:00Z',
    filter,
  };
  const stream = `/v1/history/observations.ndjson?${new URLSearchParams(query)}`;
  const statement = `SELECT station, observed_at, type, raw FROM reports WHERE ${stationList(layout.fifty)}
    AND observed_at >= TIMESTAMP '2005-01-01 00:00:00' AND observed_at < TIMESTAMP '2026-01-01 00:00:00' AND ${filter}
    ORDER BY observed_at, station, type`;
  let records = 0;
  for (let round = 0; round < FEW_ROUNDS; round += 1) {
    records = 0;
    await times.measure('service', round, () =>
      api.download(stream, (chunk) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) records += 1;
      }),
    );
    for (const { name, select } of databases) {
      const found = await times.measure(`${name} condition`, round, () => select([statement]));
      if (found.length !== records)
        throw new Error(`${filter}: ${name} finds ${found.length}, not ${records}`);
    }
  }
  const service = times.median('service');
  return {
    what: filter,
    measured: service,
    unit: 'ms',
    detail: `${comparedDatabases(databases, times, 'condition', service)}, ${formatCount(records)} records`,
  };
}

/** A year of 50 stations as Parquet: the hourly series next to the reports that it is made of, with `raw`. */
async function measureHourlySeries({ layout, engine }: BenchArchive, api: Api): Promise<readonly Figure[]> {
  const times = new Times();
  const query = `stations=${layout.fifty.join()}&from=2024-01-01T00:00:00Z&to=2025-01-01T00:00:00Z`;
  const reports = await engine.http.command(
    `SELECT count() FROM ${DATABASE}.observations
     WHERE ${stationList(layout.fifty)} AND toYear(observedAt) = 2024 FORMAT TSV`,
  );
  for (let round = -1; round < FEW_ROUNDS; round += 1) {
    await times.measure('series', round, () => api.download(`/v1/history/hourly.parquet?${query}`));
    await times.measure('reports', round, () =>
      api.download(`/v1/history/observations.parquet?${query}&include=raw`),
    );
  }
  const hours = layout.fifty.length * 366 * 24;
  const series = (1000 * hours) / times.median('series');
  const raw = (1000 * Number(reports)) / times.median('reports');
  return [
    { what: 'rows of the hourly series', measured: series, unit: 'a second' },
    { what: 'reports of the same year', measured: raw, unit: 'a second' },
    { what: 'the series, compared with its reports', measured: series / raw, unit: '×', atLeast: 0.5 },
  ];
}
