import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArchive } from '../../clickhouse/client.ts';
import { joinEngine } from '../../clickhouse/embedded/join.ts';
import { readRecord } from '../../clickhouse/embedded/record.ts';
import { migrate } from '../../clickhouse/migrate.ts';
import { addDays, type Day } from '../../clickhouse/model/day.ts';
import { insertRevisions } from '../../clickhouse/observations/insert.ts';
import { decodeRevision } from '../../loader/pipeline/decode-revisions.ts';
import { normalize } from '../../loader/pipeline/normalize.ts';
import { reconcile } from '../../loader/pipeline/reconcile.ts';
import { parseAsos } from '../../loader/sources/iem/asos.ts';
import type { Slice } from '../../loader/sources/source.ts';
import { NO_LIMIT } from '../support/archive.ts';
import { createTestDatabase, startTestEngine } from '../support/engine.ts';
import { stationAt, worldDay, yearOf } from './load-bodies.ts';

/** The years that stations are loaded for, and the last of them for what is measured alone. */
const YEARS = { first: 2005, last: 2024 };
const YEAR = YEARS.last;
const STATIONS = 10;
const WORLD_DAYS = 8;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FINAL = { kind: 'final' } as const;
const FIRST_DAY = `${YEAR}-06-01` as Day;

/**
 * Reports a second from the first request to the last entry in the ledger: the loader as its users start it, against a
 * local replay that has its answers ready, into an embedded engine; then each room alone on one station-year.
 */
export async function benchLoad(): Promise<void> {
  const stations = Array.from({ length: STATIONS }, (_, at) => stationAt(at));
  const years = new Map<string, Buffer>();
  for (const station of stations)
    for (let year = YEARS.first; year <= YEARS.last; year += 1)
      years.set(`${station} ${year}`, yearOf(station, year));
  await measure(
    `station-years of ${STATIONS} stations`,
    `--stations ${stations.join(',')} --from ${YEARS.first}-01-01 --to ${YEARS.last + 1}-01-01`,
    (asked) => years.get(`${asked.get('station')} ${asked.get('sts')?.slice(0, 4)}`),
  );
  years.clear();
  const days = Array.from({ length: WORLD_DAYS }, (_, at) => addDays(FIRST_DAY, at));
  const world = new Map(days.flatMap((day) => [...worldDay(day)]));
  const end = addDays(FIRST_DAY, WORLD_DAYS);
  await measure('days of the world', `--stations all --from ${FIRST_DAY} --to ${end}`, (asked) =>
    world.get(`${asked.get('sts')?.slice(0, 10)} ${asked.get('report_type')}`),
  );
  await measureRooms(stations[0] ?? '');
}

async function measure(
  name: string,
  line: string,
  answer: (asked: URLSearchParams) => Buffer | undefined,
): Promise<void> {
  const replay = await serve(answer);
  const dataDir = await mkdtemp(join(tmpdir(), 'engine-'));
  const engine = await joinEngine({ dataDir, port: 0 });
  try {
    const env = {
      PATH: process.env.PATH,
      IEM_URL: `http://127.0.0.1:${replay.port}`,
      CLICKHOUSE_URL: engine.url,
      CLICKHOUSE_DATABASE: await createTestDatabase(engine.url),
    };
    const args = [...(await loaderArguments()), '--source', 'iem', '--interval', '0', ...line.split(' ')];
    const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    let peak = 0;
    let loaderCpu = 0;
    const enginePid = (await readRecord(dataDir))?.pid ?? 0;
    const engineCpuBefore = await cpuSeconds(enginePid);
    const watch = setInterval(() => {
      if (child.pid === undefined) return;
      void peakMegabytes(child.pid).then((megabytes) => (peak = Math.max(peak, megabytes)));
      void cpuSeconds(child.pid).then((used) => (loaderCpu = Math.max(loaderCpu, used)));
    }, 50);
    const [code] = await once(child, 'close');
    clearInterval(watch);
    const seconds = (performance.now() - replay.firstAskedAt()) / 1000;
    const engineCpu = (await cpuSeconds(enginePid)) - engineCpuBefore;
    const reports = Number(/(\d+) new/.exec(out)?.[1] ?? 0);
    if (code !== 0 || reports === 0) throw new Error(`the loader failed: ${out}`);
    const rate = Math.round(reports / seconds).toLocaleString('en');
    console.log(
      `${name}: ${reports.toLocaleString('en')} reports in ${seconds.toFixed(1)} s, ${rate} a second, loader at most ${peak} MB`,
    );
    const each = (cpu: number) => `${((1e6 * cpu) / reports).toFixed(1)} µs`;
    console.log(`CPU a report: loader ${each(loaderCpu)}, engine ${each(engineCpu)}`);
  } finally {
    replay.close();
    await engine.leave();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The loader as `npm run load` starts it. */
async function loaderArguments(): Promise<readonly string[]> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  return scripts.load.split(' ').slice(1);
}

/** Of all threads of a process, on Linux, where a tick is a hundredth of a second; 0 once it is gone. */
async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in parentheses, may hold blanks: utime and stime are the 12th and 13th values after it.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / 100;
}

/** What the process has held at most; 0 once it is gone. */
async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

async function measureRooms(station: string): Promise<void> {
  const engine = await startTestEngine();
  const settings = {
    url: engine.url,
    username: 'default',
    password: '',
    database: await createTestDatabase(engine.url),
  };
  await migrate(settings);
  const client = openArchive(settings);
  const slice: Slice = {
    source: 'iem',
    station,
    firstDay: `${YEAR}-01-01` as Day,
    endDay: `${YEAR + 1}-01-01` as Day,
  };
  const body = yearOf(station, YEAR);
  async function* chunks() {
    for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
  }
  const shares = new Map<string, number>();
  const timed = async <T>(room: string, work: () => T | Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await work();
    shares.set(room, Math.min(shares.get(room) ?? Number.POSITIVE_INFINITY, performance.now() - started));
    return result;
  };
  let reports = 0;
  for (let round = 0; round < 10; round += 1) {
    const reading = await timed('read', () => parseAsos(chunks(), slice));
    const normalized = await timed('normalize', () => normalize(reading));
    const reconciled = await timed('reconcile', () => reconcile('iem', normalized.reports, [], FINAL));
    const revisions = await timed('decode', () => Array.from(reconciled.revisions, decodeRevision));
    await timed('insert', () => insertRevisions(client, revisions, NO_LIMIT));
    reports = revisions.length;
  }
  await client.close();
  await engine.stop();
  const whole = [...shares.values()].reduce((sum, milliseconds) => sum + milliseconds, 0);
  for (const [room, milliseconds] of shares)
    console.log(
      `${room}: ${((1000 * milliseconds) / reports).toFixed(1)} µs a report, ${Math.round((100 * milliseconds) / whole)} %`,
    );
}

type Replay = { readonly port: number; readonly firstAskedAt: () => number; readonly close: () => void };

async function serve(answer: (asked: URLSearchParams) => Buffer | undefined): Promise<Replay> {
  let firstAskedAt: number | undefined;
  const server = createServer((request, response) => {
    firstAskedAt ??= performance.now();
    const url = new URL(request.url ?? '/', 'http://replay');
    const body = url.pathname.endsWith('/asos.py') ? answer(url.searchParams) : undefined;
    if (body === undefined) response.writeHead(404).end();
    else response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    firstAskedAt: () => firstAskedAt ?? Number.NaN,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
