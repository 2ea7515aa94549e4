import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../../../../clickhouse/client.ts';
import { recordListings } from '../../../../clickhouse/coverage/station-listings.ts';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { type BenchEngine, DATABASE } from '../../embedded-engine.ts';
import type { HttpClient } from '../../http-client.ts';
import { copyReports } from './copy-reports.ts';
import { type Layout, YEARS } from './layout.ts';
import { loadTemplates, TEMPLATE_DATABASE } from './templates.ts';

/**
 * Fills an archive: some station-years pass through decoder and loader, and the engine copies them to all stations and
 * years, so that most of the time goes into writing parts. The copies are ordinary reports: `raw` has the station and
 * the time of the row, `fingerprint` is that of `raw`, and `decoded` agrees with `raw`. At the end all parts of a year
 * are merged, as in an archive that nothing is written to.
 *
 * `done.txt` in the folder records the steps that are done, so that an interrupted build resumes.
 */
export async function buildArchive(engine: BenchEngine, folder: string, layout: Layout): Promise<void> {
  const { http } = engine;
  const doneFile = join(folder, 'done.txt');
  const done = new Set((await readFile(doneFile, 'utf8').catch(() => '')).split('\n'));
  if (done.has('all')) return;
  const started = performance.now();
  const log = (step: string) =>
    process.stderr.write(`building: ${step} after ${Math.round((performance.now() - started) / 1000)} s\n`);
  if (!done.has('templates')) {
    await loadTemplates(engine, layout);
    await recordCoverage(engine, layout);
    await appendFile(doneFile, 'templates\n');
    log('templates loaded');
  }
  await http.command(`SYSTEM STOP MERGES ${DATABASE}.observations`);
  // The loader's compression would take most of the time of a build. This one makes the archive larger and its pages no
  // faster.
  await http.command(
    `ALTER TABLE ${DATABASE}.observations MODIFY SETTING default_compression_codec = 'ZSTD(1)'`,
  );
  let copied = 0;
  const missing = layout.partRanges.filter(({ firstDay }) => !done.has(firstDay));
  await inParallel(missing, async (range) => {
    const reports = await copyReports(http, range);
    copied += reports;
    await appendFile(doneFile, `${range.firstDay}\n`);
    log(`${range.firstDay}, ${copied.toLocaleString('en')} reports`);
  });
  await mergeParts(http);
  log('merged');
  await http.command(`DROP DATABASE ${TEMPLATE_DATABASE}`);
  await writeFile(doneFile, 'all\n');
}

/** One at a time on each core. */
async function inParallel<T>(values: readonly T[], work: (value: T) => Promise<void>): Promise<void> {
  const queue = values.values();
  const lanes = Array.from({ length: availableParallelism() }, async () => {
    for (const value of queue) await work(value);
  });
  await Promise.all(lanes);
}

async function mergeParts(http: HttpClient): Promise<void> {
  await http.command(`SYSTEM START MERGES ${DATABASE}.observations`);
  await inParallel(YEARS, async (year) => {
    await http.command(
      `OPTIMIZE TABLE ${DATABASE}.observations PARTITION ${year} FINAL SETTINGS optimize_skip_merged_partitions = 1`,
    );
  });
  for (const table of ['coverage', 'stations', 'slices'])
    await http.command(`OPTIMIZE TABLE ${DATABASE}.${table} FINAL`);
}

/** The ledger of a loader that loaded all 21 years of every station: years without reports are done too. */
async function recordCoverage({ loader }: BenchEngine, { stations }: Layout): Promise<void> {
  const client = openArchive(loader);
  const slices = stations.flatMap((station) =>
    YEARS.map((year) => ({
      source: 'demo',
      station,
      firstDay: `${year}-01-01`,
      doneDay: `${year + 1}-01-01`,
      endDay: `${year + 1}-01-01`,
      reports: 0,
      inserted: 0,
      skipped: {},
    })),
  );
  await client.insert({ table: 'slices', rows: slices });
  await recordListings(client, stations.map(demo().listing), new AbortController().signal);
  await client.close();
}
