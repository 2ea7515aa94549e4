import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASE } from '../embedded-engine.ts';
import { describeRun } from '../machine.ts';
import { formatMs, formatRatio, publish, section, table } from '../markdown.ts';
import { type Api, startApi } from '../read/api.ts';
import { type BenchArchive, openBenchArchive } from '../read/archive.ts';
import { median } from '../statistics.ts';
import { type Database, openDatabases } from './databases.ts';
import { measureFilteredWalks } from './filtered-walks.ts';
import { measureHourlySeries } from './hourly-series.ts';
import { measureLightPage } from './light-page.ts';
import { type BenchQuestion, benchQuestions } from './questions.ts';

/** Questions over HTTP, beside the engine's own statement, DuckDB and PostgreSQL on the same rows. */
export async function benchQuestionsOverHttp(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '5' },
      data: { type: 'string', default: join(tmpdir(), 'history-bench') },
      write: { type: 'string' },
    },
  });
  const archive = await openBenchArchive(Number(values.rows), values.data);
  try {
    const api = await startApi(archive.engine);
    const { installed, missing } = await openDatabases(archive);
    try {
      const rows: (readonly string[])[] = [];
      for (const question of benchQuestions(archive.layout)) {
        rows.push(await measure(archive, api, installed, question, Number(values.rounds)));
        process.stderr.write('.');
      }
      const names = installed.map(({ name }) => name);
      const header = [
        'question',
        'service',
        'the engine alone, same meaning',
        'its fastest',
        ...names,
        'again',
        '304',
      ];
      await publish(values.write, [
        await describeRun(
          archive.engine,
          'Statistics',
          `statistics --rows ${values.rows} --rounds ${values.rounds}`,
        ),
        section(
          'Medians in milliseconds, and as multiples of the time of the service',
          'Over HTTP; the databases through their own driver, each with the faster of two statements, on typed columns: DuckDB on one Parquet file that is sorted by station, PostgreSQL with an index by station and time.',
          ...missing,
          table(header, rows),
        ),
        section(
          'Records that meet a condition: 50 stations, 21 years',
          'Milliseconds until the last record, in the databases by one statement.',
          await measureFilteredWalks(archive, api, installed),
        ),
        section(
          'An hourly series of 50 stations and a year as Parquet',
          await measureHourlySeries(archive, api),
        ),
        section(
          'First pages of a light key beside questions of the largest size',
          await measureLightPage(archive, api),
        ),
      ]);
    } finally {
      for (const database of installed) await database.close();
      await api.stop();
    }
  } finally {
    await archive.close();
  }
}

async function measure(
  { engine }: BenchArchive,
  api: Api,
  databases: readonly Database[],
  question: BenchQuestion,
  rounds: number,
): Promise<readonly string[]> {
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
  const beside = (values: readonly number[]) =>
    `${formatMs(median(values))} (${formatRatio(median(values) / service)})`;
  return [
    question.name,
    formatMs(service),
    beside(times.sameMeaning),
    beside(times.fastest),
    ...others.map(beside),
    beside(times.again),
    beside(times.known),
  ];
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
