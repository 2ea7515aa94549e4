import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Archive } from '../../clickhouse/archive.ts';
import { openArchive } from '../../clickhouse/client.ts';
import { REPORT_TABLES } from '../../clickhouse/statements/current-reports.ts';
import { demo } from '../../loader/sources/demo/demo.ts';
import { loadWith } from '../support/loader/run-load.ts';
import { DATABASE, describeArchive, openBenchEngine, runLoader } from './engine.ts';
import type { HttpClient } from './http-client.ts';
import { type Figure, type Results, type Section, sum } from './results.ts';

/** Bytes per report on disk, of everything in the archive, written by the loader's own code. */
export async function benchSize({ folder }: { readonly folder: string }): Promise<Results> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-size-'));
  const engine = await openBenchEngine(dataDir);
  const client = openArchive(engine.loader);
  const { http } = engine;
  try {
    await (folder === '' ? loadDemo(client) : runLoader(engine, `import ${folder}`));
    for (const table of [...REPORT_TABLES, 'coverage', 'stations', 'slices'])
      await http.command(`OPTIMIZE TABLE ${DATABASE}.${table} FINAL`);
    return {
      about: await describeArchive(engine),
      sections: [await bytesPerReport(http)],
    };
  } finally {
    await client.close();
    await engine.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const MAX_BYTES = 75;

async function bytesPerReport(http: HttpClient): Promise<Section> {
  const text = await http.command(
    `SELECT table, sum(bytes_on_disk) / (SELECT count() FROM ${DATABASE}.observations) FROM system.parts
      WHERE active AND database = '${DATABASE}' GROUP BY table ORDER BY table FORMAT TSV`,
  );
  const figures = text
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([what = '', each]): Figure => ({ what, measured: Number(each), unit: 'bytes' }));
  const total = sum(figures.map(({ measured }) => Number(measured)));
  return {
    title: 'Bytes per report, fully merged',
    figures: [{ what: 'total', measured: total, unit: 'bytes', atMost: MAX_BYTES }, ...figures],
  };
}

async function loadDemo(client: Archive): Promise<void> {
  const stations = 'XAAA,XAAB,XAAC,XAAD,XAAE,XAAF,XAAG,XAAH';
  await loadWith(client, demo(), `--source demo --stations ${stations} --from 2023-01-01 --to 2025-01-01`);
}
