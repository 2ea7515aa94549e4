import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArchive } from '../../clickhouse/client.ts';
import { joinEngine } from '../../clickhouse/embedded/join.ts';
import { migrate } from '../../clickhouse/migrate.ts';
import { listStations } from '../../clickhouse/stations.ts';
import { demo } from '../../loader/sources/demo.ts';
import { type Asker, openAsker } from './ask.ts';
import { END_YEAR, FIRST_YEAR, type Job, type Layout, layoutOf } from './read-layout.ts';

export type BuiltArchive = {
  /** As asked for; the archive holds about so many. */
  readonly reports: number;
  readonly layout: Layout;
  readonly url: string;
  /** Statements straight to the engine. */
  readonly engine: Asker;
  readonly database: string;
  close(): Promise<void>;
};

const DATABASE = 'history';
const WORKER = fileURLToPath(new URL('./read-worker.ts', import.meta.url));

/** Builds the archive of so many reports in `dataDir/READ-reports`, or uses the one that a run before has left. */
export async function openBuilt(reports: number, dataDir: string): Promise<BuiltArchive> {
  const folder = join(dataDir, `read-${reports}`);
  await mkdir(folder, { recursive: true });
  const layout = layoutOf(reports);
  const joined = await joinEngine({ dataDir: folder, port: 0 });
  const engine = openAsker(joined.url);
  const close = async () => {
    engine.close();
    await joined.leave();
  };
  try {
    await build(folder, joined.url, engine, layout);
  } catch (error) {
    await close();
    throw error;
  }
  return { reports, layout, url: joined.url, engine, database: DATABASE, close };
}

/** What is done is noted job by job, so that a build that was cut off goes on where it was. */
async function build(folder: string, url: string, engine: Asker, layout: Layout): Promise<void> {
  const notes = join(folder, 'jobs.txt');
  const done = new Set((await readFile(notes, 'utf8').catch(() => '')).split('\n'));
  if (done.has('all')) return;
  await migrate({ url, username: 'default', password: '', database: DATABASE });
  const left = layout.jobs.filter(({ id }) => !done.has(id));
  const started = performance.now();
  let reports = 0;
  await inWorkers(url, left, async (id, made) => {
    await appendFile(notes, `${id}\n`);
    reports += made;
    const seconds = (performance.now() - started) / 1000;
    process.stderr.write(
      `\rbuilding: ${reports.toLocaleString('en')} reports, ${Math.round(reports / seconds).toLocaleString('en')} a second `,
    );
  });
  process.stderr.write('\nmerging\n');
  await enterLedger(url, layout);
  for (let year = FIRST_YEAR; year < END_YEAR; year += 1)
    await engine.command(`OPTIMIZE TABLE ${DATABASE}.observations PARTITION ${year} FINAL`);
  for (const table of ['coverage', 'stations', 'slices'])
    await engine.command(`OPTIMIZE TABLE ${DATABASE}.${table} FINAL`);
  await writeFile(notes, 'all\n');
  process.stderr.write(`built in ${Math.round((performance.now() - started) / 1000)} s\n`);
}

async function inWorkers(
  url: string,
  jobs: readonly Job[],
  done: (id: string, reports: number) => Promise<void>,
): Promise<void> {
  const queue = jobs.values();
  const workers = Array.from({ length: Math.min(jobs.length, availableParallelism()) }, () =>
    fork(WORKER, [url, DATABASE]),
  );
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (const job of queue) {
          const { id, reports } = await doneBy(worker, job);
          await done(id, reports);
        }
      }),
    );
  } finally {
    for (const worker of workers) worker.kill();
  }
}

async function doneBy(worker: ChildProcess, job: Job): Promise<{ id: string; reports: number }> {
  const ended = new AbortController();
  const died = once(worker, 'exit', { signal: ended.signal }).then(() => {
    throw new Error(`A worker ended while it made ${job.id}`);
  });
  died.catch(() => {});
  worker.send(job);
  const [message] = await Promise.race([once(worker, 'message', { signal: ended.signal }), died]);
  ended.abort();
  return message as { id: string; reports: number };
}

/** As a loader leaves it that was asked for all 21 years of every station: silent years are done too. */
async function enterLedger(url: string, { all }: Layout): Promise<void> {
  const client = openArchive({ url, username: 'default', password: '', database: DATABASE });
  const source = demo();
  const years = Array.from({ length: END_YEAR - FIRST_YEAR }, (_, n) => FIRST_YEAR + n);
  const records = all.flatMap((station) =>
    years.map((year) => {
      const [firstDay, endDay] = [`${year}-01-01`, `${year + 1}-01-01`];
      return {
        source: 'demo',
        station,
        firstDay,
        doneDay: endDay,
        endDay,
        reports: 0,
        inserted: 0,
        skipped: {},
      };
    }),
  );
  await client.insert({ table: 'slices', values: records, format: 'JSONEachRow' });
  await listStations(client, all.map(source.period), new AbortController().signal);
  await client.close();
}
