import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../../../clickhouse/client.ts';
import { addDays, type Day } from '../../../clickhouse/model/day.ts';
import { insertRevisions } from '../../../clickhouse/observations/insert.ts';
import { normalize } from '../../../loader/pipeline/normalize.ts';
import { reconcile } from '../../../loader/pipeline/reconcile.ts';
import { decodeRevisions } from '../../../loader/pipeline/write.ts';
import { parseAsos } from '../../../loader/sources/iem/asos.ts';
import type { Slice } from '../../../loader/sources/source.ts';
import { NO_LIMIT } from '../../support/archive/archive.ts';
import { serve } from '../../support/sources/replay-server.ts';
import { type BenchEngine, openBenchEngine, runLoader } from '../engine.ts';
import { stationCodes } from '../read/layout.ts';
import { describeMachine, type Figure, formatCount, type Results, sum } from '../results.ts';
import { stationYear, worldDay } from './iem-bodies.ts';

const [FIRST_YEAR, LAST_YEAR] = [2005, 2024];
const FIRST_DAY = `${LAST_YEAR}-06-01` as Day;
const ROUNDS = 10;
const CHUNK_BYTES = 65_536;

/**
 * Reports a second from the first request to the last row of the ledger: the loader as its users start it, from a local
 * replay of IEM that has its responses ready, into an embedded engine. Then each stage alone on one station-year.
 */
export async function benchLoad(options: {
  readonly stations: string;
  readonly days: string;
}): Promise<Results> {
  const stations = stationCodes(0, Number(options.stations));
  return {
    about: describeMachine(),
    sections: [
      {
        title: 'Reports a second from a source into the archive',
        figures: [
          ...(await measureStationYears(stations)),
          ...(await measureWorldDays(Number(options.days))),
        ],
      },
      { title: 'Stages, a report', figures: await withEngine(measureStages) },
    ],
  };
}

async function withEngine<T>(work: (engine: BenchEngine) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-load-'));
  const engine = await openBenchEngine(dataDir);
  try {
    return await work(engine);
  } finally {
    await engine.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureStationYears(stations: readonly string[]): Promise<readonly Figure[]> {
  const bodies = new Map<string, Buffer>();
  for (const station of stations)
    for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1)
      bodies.set(`${station} ${year}`, stationYear(station, year));
  return measureLoader(
    `station-years of ${stations.length} stations`,
    `--stations ${stations.join(',')} --from ${FIRST_YEAR}-01-01 --to ${LAST_YEAR + 1}-01-01`,
    (query) => bodies.get(`${query.get('station')} ${query.get('sts')?.slice(0, 4)}`),
  );
}

async function measureWorldDays(count: number): Promise<readonly Figure[]> {
  const days = Array.from({ length: count }, (_, n) => addDays(FIRST_DAY, n));
  const bodies = new Map(days.flatMap((day) => [...worldDay(day)]));
  return measureLoader(
    'days of the world',
    `--stations all --from ${FIRST_DAY} --to ${addDays(FIRST_DAY, count)}`,
    (query) => bodies.get(`${query.get('sts')?.slice(0, 10)} ${query.get('report_type')}`),
  );
}

/** Runs one `load` command in an empty archive: speed, memory and CPU. `bodyOf` is the source. */
async function measureLoader(
  name: string,
  options: string,
  bodyOf: (query: URLSearchParams) => Buffer | undefined,
): Promise<readonly Figure[]> {
  let firstRequestAt: number | undefined;
  const replay = await serve([], ({ url, response }) => {
    firstRequestAt ??= performance.now();
    const body = url.pathname.endsWith('/asos.py') ? bodyOf(url.searchParams) : undefined;
    if (body === undefined) response.writeHead(404).end();
    else response.end(body);
  });
  const line = `--source iem --interval 0 ${options}`;
  const { out, endedAt, megabytes, cpu, engineCpu } = await withEngine((engine) =>
    runLoader(engine, line, { IEM_URL: replay.url }),
  ).finally(() => replay.close());
  const seconds = (endedAt - (firstRequestAt ?? Number.NaN)) / 1000;
  const reports = Number(/(\d+) new/.exec(out)?.[1] ?? 0);
  if (reports === 0) throw new Error(`The loader wrote nothing: ${out}`);
  const perReport = (what: string, used: number): Figure => ({
    what: `${name}: CPU of the ${what}, a report`,
    measured: (1e6 * used) / reports,
    unit: 'µs',
  });
  return [
    {
      what: name,
      measured: reports / seconds,
      unit: 'a second',
      detail: `${formatCount(reports)} reports in ${seconds.toFixed(1)} s; peak memory of the loader ${megabytes} MB`,
    },
    perReport('loader', cpu),
    perReport('engine', engineCpu),
  ];
}

/** What each stage takes for the reports of one station-year, by its fastest round. */
async function measureStages(engine: BenchEngine): Promise<readonly Figure[]> {
  const client = openArchive(engine.loader);
  const [station = ''] = stationCodes(0, 1);
  const slice: Slice = {
    source: 'iem',
    station,
    firstDay: `${LAST_YEAR}-01-01` as Day,
    endDay: `${LAST_YEAR + 1}-01-01` as Day,
  };
  const body = stationYear(station, LAST_YEAR);
  async function* chunks() {
    for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES);
  }
  const fastest = new Map<string, number>();
  const timed = async <T>(stage: string, work: () => T | Promise<T>): Promise<T> => {
    const started = performance.now();
    const result = await work();
    const ms = performance.now() - started;
    fastest.set(stage, Math.min(fastest.get(stage) ?? Number.POSITIVE_INFINITY, ms));
    return result;
  };
  let reports = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const parsed = await timed('parse', () => parseAsos(chunks(), slice, Number.POSITIVE_INFINITY));
    const normalized = await timed('normalize', () => normalize(parsed));
    const reconciled = await timed('reconcile', () =>
      reconcile('iem', normalized.reports, [], { kind: 'final' }),
    );
    const revisions = await timed('decode', () => [...decodeRevisions(reconciled.revisions)]);
    await timed('insert', () => insertRevisions(client, revisions, NO_LIMIT));
    reports = revisions.length;
  }
  await client.close();
  const total = sum(fastest.values());
  return [...fastest].map(([what, ms]) => ({
    what,
    measured: (1000 * ms) / reports,
    unit: 'µs',
    detail: `${Math.round((100 * ms) / total)} %`,
  }));
}
