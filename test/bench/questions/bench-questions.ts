import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASE } from '../embedded-engine.ts';
import type { Figure, Results } from '../figures.ts';
import { describeArchive } from '../machine.ts';
import { formatMs, formatRatio } from '../markdown.ts';
import { type Api, withBenchApi } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import { median } from '../statistics.ts';
import { type Database, openDatabases } from './databases.ts';
import { measureFilteredWalks } from './filtered-walks.ts';
import { measureHourlySeries } from './hourly-series.ts';
import { measureLightPage } from './light-page.ts';
import { type BenchQuestion, benchQuestions } from './questions.ts';

/** Questions over HTTP, beside the engine's own statement, DuckDB and PostgreSQL on the same rows. */
export async function benchQuestionsOverHttp(args: readonly string[]): Promise<Results> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '5' },
      data: { type: 'string', default: join(tmpdir(), 'history-bench') },
    },
  });
  return withBenchApi({ rows: Number(values.rows), data: values.data }, async (archive, api) => {
    const { installed, missing } = await openDatabases(archive);
    try {
      const questions: Figure[] = [];
      for (const question of benchQuestions(archive.layout)) {
        questions.push(await measure(archive, api, installed, question, Number(values.rounds)));
        process.stderr.write('.');
      }
      return {
        about: [await describeArchive(archive.engine), ...missing].join(' '),
        sections: [
          {
            title: 'Questions over HTTP',
            about:
              'Medians, and as multiples of the time of the service. The databases through their own driver, each with the faster of two statements, on typed columns: DuckDB on one Parquet file that is sorted by station, PostgreSQL with an index by station and time.',
            figures: questions,
          },
          {
            title: 'Records that meet a condition: 50 stations, 21 years',
            about: 'Until the last record as NDJSON, in the databases by one statement.',
            figures: await measureFilteredWalks(archive, api, installed),
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
    } finally {
      for (const database of installed) await database.close();
    }
  });
}

async function measure(
  { engine }: BenchArchive,
  api: Api,
  databases: readonly Database[],
  question: BenchQuestion,
  rounds: number,
): Promise<Figure> {
  const times = {
    service: [] as number[],
    sameMeaning: [] as number[],
    fastest: [] as number[],
    again: [] as number[],
    known: [] as number[],
  };
  const others = databases.map(() => [] as number[]);
  const list = question.stations.map((station) => `'${station}'`).join();
  const askEngine = async (statement: string, round: number) => {
    const text = statement
      .replace('$stations', list)
      .replace('$from', `${question.from} 00:00:00`)
      .replace('$to', endOf(question, round).slice(0, 19).replace('T', ' '));
    const settings = `database=${DATABASE}&max_threads=${question.stations.length > 25 ? 2 : 1}`;
    return (await engine.http.query(text, settings)).ms;
  };
  let rowsOfService = 0;
  const contestants: readonly ((round: number) => Promise<void>)[] = [
    async (round) => {
      const first = await ask(api, question, round);
      const again = await ask(api, question, round);
      const known = await ask(api, question, round, first.etag);
      if (known.status !== 304) throw new Error(`${question.name}: ${known.status} in place of 304`);
      rowsOfService = first.rows;
      if (round < 0) return;
      times.service.push(first.ms);
      times.again.push(again.ms);
      times.known.push(known.ms);
    },
    async (round) => {
      const ms = await askEngine(question.engine.sameMeaning, round);
      if (round >= 0) times.sameMeaning.push(ms);
    },
    async (round) => {
      const ms = await askEngine(question.engine.fastest, round);
      if (round >= 0) times.fastest.push(ms);
    },
    ...databases.map((database, n) => async (round: number) => {
      const started = performance.now();
      const rows = await database.answer(question);
      if (round >= 0) others[n]?.push(performance.now() - started);
      if (round < 0 && Math.abs(rows - rowsOfService) > rowsOfService / 100)
        throw new Error(`${question.name}: ${database.name} has ${rows} rows, the service ${rowsOfService}`);
    }),
  ];
  for (let round = -1; round < rounds; round += 1) {
    for (const n of orderOf(contestants.length, Math.max(0, round))) await contestants[n]?.(round);
  }
  const service = median(times.service);
  const compared = (name: string, values: readonly number[] = []) =>
    `${name} ${formatMs(median(values))} (${formatRatio(median(values) / service)})`;
  return {
    what: question.name,
    measured: service,
    unit: 'ms',
    detail: [
      compared('the engine alone, same meaning', times.sameMeaning),
      compared('its fastest', times.fastest),
      ...databases.map(({ name }, n) => compared(name, others[n])),
      compared('again', times.again),
      compared('304', times.known),
    ].join(', '),
  };
}

/**
 * The order of the contestants in a round. Who comes after another database finds the caches of the processor full of its
 * data, so each is first in turn, and each comes after every other one: the step of the order is another one in each round.
 */
function orderOf(contestants: number, round: number): readonly number[] {
  const steps = Array.from({ length: contestants }, (_, n) => n).filter((n) => areCoprime(n, contestants));
  const step = steps.at(-1 - (round % steps.length)) ?? 1;
  return Array.from({ length: contestants }, (_, n) => (round + n * step) % contestants);
}

function areCoprime(a: number, b: number): boolean {
  return b === 0 ? a === 1 : areCoprime(b, a % b);
}

/** Another end in each round: nothing of an answer is in memory. */
function endOf({ to }: BenchQuestion, round: number): string {
  return new Date(Date.parse(`${to}T00:00:00Z`) - (round + 1) * 3_600_000).toISOString();
}

async function ask(api: Api, question: BenchQuestion, round: number, etag?: string) {
  const query = new URLSearchParams({
    stations: question.stations.join(),
    from: `${question.from}T00:00:00Z`,
    to: endOf(question, round),
    select: question.select,
    by: question.by,
  });
  const headers = {
    authorization: api.authorization(),
    ...(etag !== undefined && { 'if-none-match': etag }),
  };
  const started = performance.now();
  const response = await fetch(`${api.url}/v1/history/statistics?${query}`, { headers });
  const text = await response.text();
  const ms = performance.now() - started;
  if (response.status === 304) return { status: 304, ms, rows: 0, etag };
  if (response.status !== 200) throw new Error(text);
  const { data } = JSON.parse(text) as { data: readonly { n: number }[] };
  const tag = response.headers.get('etag') ?? undefined;
  return { status: 200, ms, rows: data.filter(({ n }) => n > 0).length, etag: tag };
}
