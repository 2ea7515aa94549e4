import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addDays, type Day } from '../../../clickhouse/model/day.ts';
import { serve } from '../../support/sources/replay-server.ts';
import { type BenchEngine, openBenchEngine, runLoader } from '../engine.ts';
import { stationCodes } from '../read/layout.ts';
import { describeMachine, type Figure, formatCount, type Results } from '../results.ts';
import { stationYear, worldDay } from './iem-bodies.ts';

const [FIRST_YEAR, LAST_YEAR] = [2005, 2024];
const FIRST_DAY = `${LAST_YEAR}-06-01` as Day;

/**
 * Reports a second from the first request to the last row of the ledger: the loader as its users start it, from a local
 * replay of IEM that has its responses ready, into an embedded engine.
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
  const reports = Number(/reports, (\d+) new/.exec(out)?.[1] ?? 0);
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
