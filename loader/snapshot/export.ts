import { hash } from 'node:crypto';
import type { Archive } from '../../clickhouse/archive.ts';
import { findLostSlices, sliceKey } from '../../clickhouse/coverage/ledger/claims.ts';
import { readSliceHistory } from '../../clickhouse/coverage/ledger/ledger.ts';
import { countReports, groupBy, groupStations } from '../../clickhouse/group-by.ts';
import { yearsOf } from '../../clickhouse/model/day.ts';
import { clipToYear, type Scope, windowOfDays } from '../../clickhouse/model/time-window.ts';
import { findRepeatedReports } from '../../clickhouse/observations/maintenance.ts';
import { openDayFile } from '../../clickhouse/snapshot/export-days.ts';
import {
  COLUMNS_OF_REPORTS,
  openReportFile,
  openTableFile,
  readStationStates,
  SNAPSHOT_TABLES,
} from '../../clickhouse/snapshot/export-files.ts';
import { countRowsOfFile } from '../../clickhouse/snapshot/import-files.ts';
import {
  dayPath,
  FORMAT,
  FORMAT_VERSION,
  type Manifest,
  type ReportFileContent,
  reportPath,
  SnapshotError,
  type SnapshotFile,
  tablePath,
} from '../../clickhouse/snapshot/manifest.ts';
import { PROGRAM } from '../config.ts';
import { DECODER_VERSION } from '../decode.ts';
import { retryStorage } from '../http/retry-policy.ts';
import type { ReportTask } from '../pipeline/redecode.ts';
import { runPool } from '../pipeline/workers.ts';
import { PUBLISHERS } from '../sources/registry.ts';
import { repeatedText } from '../wording.ts';
import type { SnapshotFolder } from './snapshot-folder.ts';

const ATTRIBUTION =
  `METAR and SPECI reports were issued by the national weather services. ${PUBLISHERS} collect them: please name them ` +
  'where you use the data.';

/** Two statements keep two processors busy. */
const PARALLEL_FILES = 2;
/** One statement names all of them. */
const MAX_LOST_SLICES = 10_000;

/**
 * Writes a snapshot: the ledger first, then the reports, the manifest last. So it never claims more than it holds (D16),
 * also while loaders write. A file of reports that the folder has, and whose reports the archive has not changed since, is
 * left as it is: an export that was stopped is resumed by the next one. Files of days are always written again: zones and
 * rules of days can change too, and the days of 1,000 stations and a year take a second.
 *
 * @returns `unchanged`: report files that the folder already had; `lostSlices`: rows of the ledger that are left out because the
 *   archive has lost some of their reports
 */
export async function exportSnapshot(
  { archive, progress, stop }: ReportTask,
  folder: SnapshotFolder,
  scope: Scope,
) {
  const signal = stop.now;
  const about: Manifest = {
    format: FORMAT,
    version: FORMAT_VERSION,
    createdAt: new Date().toISOString(),
    createdBy: PROGRAM,
    decoder: DECODER_VERSION,
    firstDay: scope.firstDay,
    endDay: scope.endDay,
    stations: scope.stations.length === 0 ? 'all' : scope.stations,
    reports: 0,
    attribution: ATTRIBUTION,
    files: [],
  };
  const writeFile = (path: string, open: Open, reports?: ReportFileContent) =>
    retryStorage(async (): Promise<SnapshotFile> => {
      const written = await folder.write(path, await open());
      // The engine reads each file again.
      const rows = await countRowsOfFile(archive, await folder.read(path));
      return { path, ...written, rows, ...(reports && { reports }) };
    }, signal);
  await folder.begin(about);
  await retryStorage(() => refuseRepeatedReports(archive, scope), signal);
  const lost = await retryStorage(() => findLostKeys(archive, scope), signal);
  const files: SnapshotFile[] = [];
  for (const table of SNAPSHOT_TABLES)
    files.push(await writeFile(tablePath(table), () => openTableFile(archive, table, scope, lost)));

  const window = windowOfDays(scope);
  const plan = await planReports(archive, scope, signal);
  const done = { reports: 0, bytes: 0, unchanged: 0 };
  const stopping = AbortSignal.any([stop.afterSlice, signal]);
  const advance = progress(countReports(plan));
  await runPool(plan, PARALLEL_FILES, stopping, async (planned) => {
    const { path, stations, content } = planned;
    const known = await folder.find(path, content.state);
    const selection = { stations, ...clipToYear(window, content.year) };
    const file = known ?? (await writeFile(path, () => openReportFile(archive, selection), content));
    if (known === undefined) await folder.note(file, about);
    else done.unchanged += 1;
    files.push(file);
    done.reports += planned.reports;
    done.bytes += file.bytes;
    advance(done.reports, done.bytes);
  });
  const years = [...groupBy(plan, ({ content }) => content.year)];
  await runPool(years, PARALLEL_FILES, stopping, async ([year, ofYear]) => {
    const stations = ofYear.flatMap((planned) => planned.stations);
    const asked = { stations, ...clipToYear(window, year) };
    files.push(await writeFile(dayPath(year), () => openDayFile(archive, asked, signal)));
  });
  const reports = files.reduce((sum, file) => sum + (file.reports === undefined ? 0 : file.rows), 0);
  const manifest = { ...about, reports, files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
  const isWhole = files.length === SNAPSHOT_TABLES.length + plan.length + years.length;
  if (isWhole) await folder.finish(manifest);
  const kind = isWhole ? 'exported' : 'stopped';
  return { kind, manifest, unchanged: done.unchanged, lostSlices: lost.length } as const;
}

type Open = () => Promise<AsyncIterable<Uint8Array>>;

/** Some three megabytes. While a file is imported, the engine needs two kilobytes of memory for each of its reports. */
const MAX_REPORTS_OF_FILE = 100_000;
/** A statement names the stations of a file. */
const MAX_STATIONS_OF_FILE = 1000;

/** The files of reports, each of neighboring stations with all their reports of a calendar year. */
async function planReports(archive: Archive, scope: Scope, signal: AbortSignal) {
  const plan = [];
  for (const year of yearsOf(scope)) {
    const selection = { stations: scope.stations, ...clipToYear(windowOfDays(scope), year) };
    const states = await retryStorage(() => readStationStates(archive, selection), signal);
    const groups = groupStations(states, MAX_REPORTS_OF_FILE, MAX_STATIONS_OF_FILE);
    for (const [at, group] of groups.entries()) {
      const stations = group.map(({ station }) => station);
      const [firstStation = '', lastStation = ''] = [stations[0], stations.at(-1)];
      // The columns are part of the state, so that all files are written again if their columns change.
      const lines = [COLUMNS_OF_REPORTS, ...group.map((each) => Object.values(each).join(' '))];
      const state = hash('sha256', lines.join('\n')).slice(0, 32);
      const content = { year, firstStation, lastStation, state };
      plan.push({ path: reportPath(year, at + 1), stations, reports: countReports(group), content });
    }
  }
  return plan;
}

/** A snapshot that has a report twice could not be restored. */
async function refuseRepeatedReports(archive: Archive, scope: Scope): Promise<void> {
  const range = { stations: scope.stations, ...windowOfDays(scope) };
  for await (const repeated of findRepeatedReports(archive, range))
    throw new SnapshotError(`${repeatedText(repeated)}, then export`);
}

async function findLostKeys(archive: Archive, scope: Scope) {
  const lost: string[] = [];
  for (const year of yearsOf(scope)) {
    const history = await readSliceHistory(archive, year, []);
    lost.push(...(await findLostSlices(archive, year, history)).map(sliceKey));
  }
  if (lost.length > MAX_LOST_SLICES)
    throw new SnapshotError(
      `The archive has lost reports of ${lost.length} slices: run the commands that \`npm run load -- gaps\` prints, then export`,
    );
  return lost;
}
