import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openArchive } from '../../../clickhouse/client.ts';
import { startApi } from '../../support/api/api.ts';
import { nodeArguments, ROOT } from '../../support/process.ts';
import { archiveEnvironment, type BenchEngine, openBenchEngine } from '../embedded-engine.ts';
import type { Figure, Results } from '../figures.ts';
import { stationYear } from '../load/iem-bodies.ts';
import { describeMachine } from '../machine.ts';
import { peakMegabytes } from '../process-usage.ts';
import { stationCodes } from '../stations.ts';

const [FIRST_YEAR, LAST_YEAR] = [2020, 2024];
const SAMPLE_MS = 50;

/**
 * Export and import against a load and a CSV stream of the same reports, each program as its users start it, from its
 * start to its end. The reports are synthetic, 56,000 a station, unless a folder of files of sources is given.
 */
export async function benchSnapshot(args: readonly string[]): Promise<Results> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { stations: { type: 'string', default: '26' } },
  });
  const folder = await mkdtemp(join(tmpdir(), 'bench-snapshot-'));
  const engines: BenchEngine[] = [];
  const open = async (name: string) => {
    const engine = await openBenchEngine(join(folder, name));
    engines.push(engine);
    return engine;
  };
  try {
    const files = positionals[0] ?? (await writeFiles(join(folder, 'files'), Number(values.stations)));
    const [source, target] = [await open('source'), await open('target')];
    const load = await runLoader('load of files', `--source files --path ${files}`, source);
    const snapshot = join(folder, 'snapshot');
    const exported = await runLoader('export', `export --to ${snapshot}`, source);
    const streamed = await streamCsv(source);
    const imported = await runLoader('import', `--source snapshot --path ${snapshot}`, target);
    const again = await runLoader('import again', `--source snapshot --path ${snapshot}`, target);
    const manifest = JSON.parse(await readFile(join(snapshot, 'manifest.json'), 'utf8'));
    const reports: number = manifest.reports;
    const bytes = manifest.files.reduce((sum: number, file: { bytes: number }) => sum + file.bytes, 0);
    const rate = (what: string, seconds: number, detail = ''): Figure => ({
      what,
      measured: reports / seconds,
      unit: 'a second',
      detail: `${seconds.toFixed(1)} s${detail}`,
    });
    const figures: readonly Figure[] = [
      { what: 'a report in the files', measured: bytes / reports, unit: 'bytes' },
      ...[load, exported, imported, again].map(({ name, seconds, loader, engine }) =>
        rate(name, seconds, `; peak memory: loader ${loader} MB, engine ${engine} MB`),
      ),
      rate('CSV stream', streamed),
      {
        what: 'import, compared with the load',
        measured: load.seconds / imported.seconds,
        unit: '×',
        atLeast: 4,
      },
      {
        what: 'export, compared with the CSV stream',
        measured: streamed / exported.seconds,
        unit: '×',
        atLeast: 0.7,
      },
    ];
    return {
      about: describeMachine(),
      sections: [{ title: `${reports.toLocaleString('en')} reports`, figures }],
    };
  } finally {
    for (const engine of engines) await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeFiles(folder: string, stations: number): Promise<string> {
  await mkdir(folder);
  for (const station of stationCodes(0, stations))
    for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1)
      await writeFile(join(folder, `${station}_${year}.csv`), stationYear(station, year));
  return folder;
}

async function runLoader(name: string, line: string, { loader, pid }: BenchEngine) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeArguments('load'), ...line.split(' ')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...archiveEnvironment(loader) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let megabytes = 0;
  // It is 0 after the end of the process.
  const timer = setInterval(async () => {
    megabytes = Math.max(megabytes, await peakMegabytes(child.pid ?? 0));
  }, SAMPLE_MS);
  const [code] = await once(child, 'close');
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(timer);
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return { name, seconds, loader: megabytes, engine: await peakMegabytes(pid) };
}

/** The seconds that the API takes for the same reports with raw and decoded. */
async function streamCsv({ api: login }: BenchEngine): Promise<number> {
  const client = openArchive(login);
  const api = await startApi(client);
  try {
    const text = await (await api.get('/v1/history/stations?limit=1000')).text();
    const { data }: { data: readonly { station: string }[] } = JSON.parse(text);
    const stations = data.map(({ station }) => station).join();
    const range = 'from=2005-01-01T00:00:00Z&to=2030-01-01T00:00:00Z';
    const startedAt = performance.now();
    // Compressing it would take most of the time.
    const response = await api.get(
      `/v1/history/observations.csv?stations=${stations}&${range}&include=raw,decoded`,
      { headers: { 'accept-encoding': 'identity' } },
    );
    if (!response.ok || response.body === null) throw new Error(await response.text());
    for await (const chunk of response.body) void chunk;
    return (performance.now() - startedAt) / 1000;
  } finally {
    await api.stop();
    await client.close();
  }
}
