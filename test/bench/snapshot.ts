import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchEngine, openBenchEngine, runLoader } from './engine.ts';
import { stationYear } from './load/iem-bodies.ts';
import { startApi } from './read/api.ts';
import { stationCodes } from './read/layout.ts';
import { describeMachine, type Figure, formatCount, type Results } from './results.ts';

const [FIRST_YEAR, LAST_YEAR] = [2020, 2024];

/**
 * Export and import against a load and a CSV stream of the same reports, each program as its users start it, from its
 * start to its end. The reports are synthetic, 56,000 a station, unless a folder of files of sources is given.
 */
export async function benchSnapshot(options: {
  readonly stations: string;
  readonly folder: string;
}): Promise<Results> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-snapshot-'));
  const engines: BenchEngine[] = [];
  try {
    const files = options.folder || (await writeFiles(join(folder, 'files'), Number(options.stations)));
    for (const name of ['source', 'target']) engines.push(await openBenchEngine(join(folder, name)));
    const [source, target] = engines as [BenchEngine, BenchEngine];
    const snapshot = join(folder, 'snapshot');
    const importing = `restore ${snapshot}`;
    const load = await runLoader(source, `--source files --path ${files}`);
    const exported = await runLoader(source, `export ${snapshot}`);
    const streamed = await streamCsv(source);
    const imported = await runLoader(target, importing);
    const again = await runLoader(target, importing);
    const manifest = JSON.parse(await readFile(join(snapshot, 'manifest.json'), 'utf8'));
    const reports: number = manifest.reports;
    const bytes = manifest.files.reduce((sum: number, file: { bytes: number }) => sum + file.bytes, 0);
    const rate = (what: string, { seconds, megabytes, engineMegabytes }: typeof load): Figure => ({
      what,
      measured: reports / seconds,
      unit: 'a second',
      detail: `${seconds.toFixed(1)} s; peak memory: loader ${megabytes} MB, engine ${engineMegabytes} MB`,
    });
    const compared = (what: string, one: number, other: number, atLeast: number): Figure => ({
      what,
      measured: one / other,
      unit: '×',
      atLeast,
    });
    const figures: readonly Figure[] = [
      { what: 'a report in the files', measured: bytes / reports, unit: 'bytes' },
      rate('load of files', load),
      rate('export', exported),
      rate('import', imported),
      rate('import again', again),
      { what: 'CSV stream', measured: reports / streamed, unit: 'a second' },
      compared('import, compared with the load', load.seconds, imported.seconds, 4),
      compared('export, compared with the CSV stream', streamed, exported.seconds, 0.7),
    ];
    return { about: describeMachine(), sections: [{ title: `${formatCount(reports)} reports`, figures }] };
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

/** The seconds that the API takes for the same reports with raw and decoded. Compressing them would take most of the time. */
async function streamCsv(engine: BenchEngine): Promise<number> {
  const api = await startApi(engine);
  try {
    const { data }: { data: readonly { station: string }[] } = JSON.parse(
      (await api.get('/v1/history/stations?limit=1000')).body.toString(),
    );
    const stations = data.map(({ station }) => station).join();
    const range = 'from=2005-01-01T00:00:00Z&to=2030-01-01T00:00:00Z';
    const path = `/v1/history/observations.csv?stations=${stations}&${range}&include=raw,decoded`;
    return (await api.download(path)).ms / 1000;
  } finally {
    await api.stop();
  }
}
