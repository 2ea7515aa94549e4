import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { REPORT_TABLES } from '../../../clickhouse/statements/current-reports.ts';
import { residentMegabytes, watchHighest } from '../../support/process-usage.ts';
import { Answers } from '../clients/answers.ts';
import { send } from '../clients/client.ts';
import type { Fault } from '../fault.ts';
import { sendAs } from '../power/claims.ts';
import { type Service, startService } from '../service.ts';

const [STATIONS, FIRST_YEAR, LAST_YEAR] = [200, 2019, 2023];
const [AT_A_TIME, ROWS_OF_TEMPLATE] = [25, 512];
/** Stations of the copied archive, which have all reports of 2023. */
const TEMPLATES = ['XAAA', 'XAAB', 'XAAC', 'XAAD'];

const codes = Array.from({ length: STATIONS }, (_, n) =>
  ['Z', 'Z', String.fromCharCode(65 + Math.floor(n / 26)), String.fromCharCode(65 + (n % 26))].join(''),
);
const RANGE = `stations=${codes}&from=${FIRST_YEAR}-01-01T00:00:00Z&to=${LAST_YEAR + 1}-01-01T00:00:00Z`;

/** Three million records in hundreds of unmerged parts, and the most that a statistic may ask for: 1,000 station-years. */
const STREAM = `/v1/history/observations.parquet?${RANGE}&include=raw,decoded`;
const VALUES = ['temp_c', 'dewp_c', 'wspd_kt', 'altim_hpa'].map((field) => `mean(${field}),p50(${field})`);
const STATISTIC = `/v1/history/statistics?${RANGE}&by=month,hour&select=${VALUES}`;

/** The embedded engine takes half of the memory that there is, and leaves the rest to the others. */
export const ENGINE_IN_2_GB: Fault = {
  name: '2 GB: a stream beside a statistic of 1,000 station-years',
  action: `api and engine in a container of 2 GB; one key reads three million reports of ${STATIONS} stations in five years as Parquet while another asks for statistics of them, with percentiles of four fields; then a small page`,
  // The engine has a half, 1 GB: what needs more is refused or broken off, as the log says.
  expect: { answers: ['200', '503 overloaded', 'broken off'], required: ['200'], longestWaitMs: 150_000 },
  async run() {
    const { service, memory, stop } = await startInContainer(2048);
    try {
      await copyYears(service);
      const engine = await service.enginePid();
      const watch = watchHighest(() => residentMegabytes(engine));
      const answers = new Answers();
      const [stream, statistic] = await Promise.all([
        read(service, STREAM, answers),
        read(service, STATISTIC, answers),
      ]);
      const most = watch.stop();
      answers.add(await send(service.url, { key: await service.createKey() }));
      const killed = await memory.killed();
      return {
        answers,
        notes: [
          `${Math.round(stream.bytes / 1e6)} MB in ${Math.round(stream.ms / 1000)} s, the statistic in ${(statistic.ms / 1000).toFixed(1)} s`,
          `engine ${most} MB, both with files ${await memory.peakMegabytes()} MB`,
        ],
        breaches: [
          stream.label === '200' && stream.end !== 'PAR1' && 'the stream looks whole',
          killed > 0 && `the kernel killed ${killed} processes`,
          (await service.enginePid()) !== engine && 'the engine ended',
        ],
      };
    } finally {
      await stop();
    }
  },
};

/** Gives the stations the reports of each third hour, for each year: those of the archive, in turns. */
async function copyYears({ dataDir }: Service): Promise<void> {
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1)
    for (let first = 0; first < STATIONS; first += AT_A_TIME) {
      const some = codes.slice(first, first + AT_A_TIME).map((code) => `'${code}'`);
      for (const table of REPORT_TABLES)
        await sendAs(
          dataDir,
          'loader',
          `INSERT INTO ${table} SELECT * EXCEPT (code)
            REPLACE (code AS station, addYears(observedAt, ${year - 2023}) AS observedAt)
          FROM (SELECT *, arrayJoin([${some}]) AS code FROM ${table}
            WHERE station = '${TEMPLATES[year % 4]}' AND toHour(observedAt) % 3 = 0)
          SETTINGS max_threads = 1, max_block_size = ${ROWS_OF_TEMPLATE},
            min_insert_block_size_rows = ${AT_A_TIME * ROWS_OF_TEMPLATE}, materialize_skip_indexes_on_insert = 0`,
        );
    }
}

/** Reads the whole answer without keeping it; the last bytes say whether a Parquet file is whole. */
async function read({ url, createKey }: Service, path: string, answers: Answers) {
  const started = performance.now();
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${await createKey()}` } });
  let [bytes, last] = [0, Buffer.alloc(0)];
  let label = `${response.status}`;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      last = Buffer.concat([last, chunk]).subarray(response.ok ? -4 : -500);
    }
    if (!response.ok) label = `${label} ${(JSON.parse(`${last}`) as { code: string }).code}`;
  } catch {
    label = 'broken off';
  }
  const ms = performance.now() - started;
  const headers = Object.fromEntries(response.headers);
  answers.add({ status: response.status, label, headers, body: '', ms });
  return { bytes, ms, label, end: last.toString('latin1') };
}

/** A process and all that it starts from now on, which together may take so much memory: as a container has it. */
type LimitedMemory = {
  /** Processes that the kernel has killed because the memory was used up. */
  killed(): Promise<number>;
  /** Most that they have taken together, files that the kernel keeps for them included. */
  peakMegabytes(): Promise<number>;
  /** Call it when they have ended. */
  remove(): Promise<void>;
};

const MB = 1024 * 1024;
const ROOT = '/sys/fs/cgroup';

/** The names of both versions of cgroups. */
const VERSION_2 = { folder: ROOT, limit: 'memory.max', peak: 'memory.peak', killed: 'memory.events' };
const VERSION_1 = {
  folder: join(ROOT, 'memory'),
  limit: 'memory.limit_in_bytes',
  peak: 'memory.max_usage_in_bytes',
  killed: 'memory.oom_control',
};

async function limitMemory(pid: number, megabytes: number): Promise<LimitedMemory> {
  const controllers = await readFile(join(ROOT, 'cgroup.controllers'), 'utf8').catch(() => '');
  const names = controllers.includes('memory') ? VERSION_2 : VERSION_1;
  const folder = join(names.folder, `faults-${pid}`);
  try {
    if (names === VERSION_2) await writeFile(join(ROOT, 'cgroup.subtree_control'), '+memory');
    await mkdir(folder);
    await writeFile(join(folder, names.limit), `${megabytes * MB}`);
    await writeFile(join(folder, 'cgroup.procs'), `${pid}`);
  } catch (cause) {
    await rmdir(folder).catch(() => {});
    throw new Error('NOT RUN: only root can limit memory, where the kernel lets it make a cgroup', { cause });
  }
  const read = async (name: string) => readFile(join(folder, name), 'utf8').catch(() => '');
  return {
    killed: async () => Number(/oom_kill (\d+)/.exec(await read(names.killed))?.[1] ?? 0),
    peakMegabytes: async () => Math.round(Number(await read(names.peak)) / MB),
    async remove() {
      // A process that was killed leaves its group a moment later.
      for (let attempt = 0; attempt < 50; attempt += 1)
        try {
          return await rmdir(folder);
        } catch {
          await sleep(100);
        }
    },
  };
}

export type Container = {
  readonly service: Service;
  readonly memory: LimitedMemory;
  stop(): Promise<void>;
};

/** api and engine in one container of this size. */
export async function startInContainer(
  megabytes: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Container> {
  let memory: LimitedMemory | undefined;
  const service = await startService({
    settings,
    prepare: async (pid) => {
      memory = await limitMemory(pid, megabytes);
    },
  });
  if (memory === undefined) throw new Error('The memory is not limited');
  const { remove } = memory;
  const stop = async () => {
    await service.stop();
    await remove();
  };
  return { service, memory, stop };
}
