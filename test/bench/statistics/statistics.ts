import type { Database } from '../databases/database.ts';
import { comparedDatabases, withDatabases } from '../databases/databases.ts';
import { DATABASE, describeArchive } from '../engine.ts';
import { type Api, withBenchApi } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import { type Figure, formatCount, formatMs, formatRatio, type Results, Times } from '../results.ts';
import { measureLightPage } from './light-page.ts';
import { type BenchQuestion, benchQuestions, databaseStatements, stationList } from './questions.ts';

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
