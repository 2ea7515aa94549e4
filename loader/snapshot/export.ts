import { createHash } from 'node:crypto';
import type { Archive } from '../../clickhouse/archive.ts';
import { findLostSlices, sliceKey } from '../../clickhouse/coverage/ledger/lost-reports.ts';
import { readSliceHistory } from '../../clickhouse/coverage/ledger/read-slices.ts';
import { dayStart, FIRST_DAY } from '../../clickhouse/model/day.ts';
import {
  COLUMNS_OF_REPORTS,
  openReportFile,
  openTableFile,
  readStationStates,
  SNAPSHOT_TABLES,
  type SnapshotScope,
  type StationState,
} from '../../clickhouse/snapshot/export-files.ts';
import { readStatedRows } from '../../clickhouse/snapshot/import-tables.ts';
import { DECODER_VERSION } from '../decode.ts';
import { retryStorage, runPool } from '../pipeline/workers.ts';
import type { StepProgress } from '../progress/load-progress.ts';
import {
  ATTRIBUTION,
  FORMAT,
  FORMAT_VERSION,
  type Manifest,
  type ReportFileContent,
  reportPath,
  SnapshotError,
  type SnapshotFile,
  tablePath,
} from './manifest.ts';
import type { SnapshotFolder } from './snapshot-folder.ts';

export type ExportResult = {
  readonly kind: 'exported' | 'stopped';
  readonly manifest: Manifest;
  /** Report files that the folder already had. */
  readonly unchanged: number;
  /** Ledger rows left out because the archive has lost some of their reports. */
  readonly lostSlices: number;
};

/** Two statements keep two processors busy. */
const PARALLEL_FILES = 2;
/** They are named in one statement. */
const MAX_LOST_SLICES = 10_000;

/**
 * Writes a snapshot: the ledger first, then the reports, the manifest last. So it never claims more than it holds (D16),
 * also while loaders write. A file of reports that the folder has, and whose reports the archive has not changed since, is
 * left as it is: an export that was stopped is resumed by the next one.
 */
export async function exportSnapshot(
  client: Archive,
  folder: SnapshotFolder,
  scope: SnapshotScope,
  createdBy: string,
  progress: StepProgress,
  stop: { readonly afterSlice: AbortSignal; readonly now: AbortSignal },
): Promise<ExportResult> {
  const signal = stop.now;
  const context = { client, folder, signal };
  const about: Manifest = {
    format: FORMAT,
    version: FORMAT_VERSION,
    createdAt: new Date().toISOString(),
    createdBy,
    decoder: DECODER_VERSION,
    firstDay: scope.firstDay,
    endDay: scope.endDay,
    stations: scope.stations.length === 0 ? 'all' : scope.stations,
    reports: 0,
    attribution: ATTRIBUTION,
    files: [],
  };
  await folder.begin(about);
  const lost = await retryStorage(() => findLostKeys(client, scope, signal), signal);
  const files: SnapshotFile[] = [];
  for (const table of SNAPSHOT_TABLES)
    files.push(
      await writeFile(context, tablePath(table), () => openTableFile(client, table, scope, lost, signal)),
    );

  const plan: PlannedFile[] = [];
  for (const year of yearsOf(scope)) {
    const selection = selectionOf(scope, year);
    const states = await retryStorage(() => readStationStates(client, selection, signal), signal);
    plan.push(...planFiles(year, states, COLUMNS_OF_REPORTS));
  }
  const done = { reports: 0, bytes: 0, unchanged: 0 };
  progress.begin(plan.reduce((sum, { reports }) => sum + reports, 0));
  await runPool(plan, PARALLEL_FILES, AbortSignal.any([stop.afterSlice, signal]), async (planned) => {
    const { path, stations, content } = planned;
    const known = await folder.find(path, content.state);
    const selection = { ...selectionOf(scope, content.year), stations };
    const file =
      known ?? (await writeFile(context, path, () => openReportFile(client, selection, signal), content));
    if (known === undefined) await folder.note(file, about);
    else done.unchanged += 1;
    files.push(file);
    done.reports += planned.reports;
    done.bytes += file.bytes;
    progress.advance(done.reports, `${(done.bytes / 1e6).toFixed(1)} MB`);
  });
  const reports = files.reduce((sum, file) => sum + (file.reports === undefined ? 0 : file.rows), 0);
  const manifest = { ...about, reports, files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
  const isWhole = files.length === SNAPSHOT_TABLES.length + plan.length;
  if (isWhole) await folder.finish(manifest);
  return {
    kind: isWhole ? 'exported' : 'stopped',
    manifest,
    unchanged: done.unchanged,
    lostSlices: lost.length,
  };
}

type ExportContext = {
  readonly client: Archive;
  readonly folder: SnapshotFolder;
  readonly signal: AbortSignal;
};

/** Writes a file, and has the engine read it again. */
async function writeFile(
  { client, folder, signal }: ExportContext,
  path: string,
  open: () => Promise<AsyncIterable<Uint8Array>>,
  reports?: ReportFileContent,
): Promise<SnapshotFile> {
  return retryStorage(async () => {
    const written = await folder.write(path, await open());
    const rows = await readStatedRows(client, await folder.read(path), signal);
    return { path, ...written, rows, ...(reports && { reports }) };
  }, signal);
}

/** The ledger's claims that the archive's reports no longer support. */
async function findLostKeys(
  client: Archive,
  { firstDay, endDay }: SnapshotScope,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const year of yearsOf({ firstDay, endDay })) {
    const history = await readSliceHistory(client, year, [], signal);
    if (history.length === 0) continue;
    const slices = await findLostSlices(client, year, history, signal);
    lost.push(...slices.map(sliceKey));
  }
  if (lost.length > MAX_LOST_SLICES)
    throw new SnapshotError(
      `The archive has lost reports of ${lost.length} slices: run the commands that \`npm run load -- gaps\` prints, then export`,
    );
  return lost;
}

/** The part of a calendar year that a snapshot holds. */
function selectionOf({ stations, firstDay, endDay }: SnapshotScope, year: number) {
  return {
    stations,
    from: Math.max(dayStart(firstDay), Date.UTC(year, 0) / 1000),
    to: Math.min(dayStart(endDay), Date.UTC(year + 1, 0) / 1000),
  };
}

/** A file of reports that an export writes, unless the folder has it. */
type PlannedFile = {
  readonly path: string;
  readonly stations: readonly string[];
  readonly reports: number;
  readonly content: ReportFileContent;
};

/** Some three megabytes. While a file is imported, the engine needs two kilobytes of memory for each of its reports. */
const MAX_REPORTS = 100_000;
/** A statement names the stations of a file. */
const MAX_STATIONS = 1000;

/**
 * The files of a calendar year: neighbouring stations, each with all its reports of the year.
 *
 * @param states in the order of their codes
 * @param columns of the files: with others, each file has another state
 */
function planFiles(year: number, states: readonly StationState[], columns: string): readonly PlannedFile[] {
  const groups: StationState[][] = [];
  let reports = 0;
  for (const state of states) {
    const group = groups.at(-1);
    const isFull =
      group === undefined || reports + state.reports > MAX_REPORTS || group.length === MAX_STATIONS;
    if (isFull) groups.push([state]);
    else group.push(state);
    reports = isFull ? state.reports : reports + state.reports;
  }
  return groups.map((group, at) => ({
    path: reportPath(year, at + 1),
    stations: group.map(({ station }) => station),
    reports: group.reduce((sum, state) => sum + state.reports, 0),
    content: {
      year,
      firstStation: group[0]?.station ?? '',
      lastStation: group.at(-1)?.station ?? '',
      state: hashOf([columns, ...group.map((state) => Object.values(state).join(' '))]),
    },
  }));
}

/** The calendar years of a range, from the first year of the archive on. */
function yearsOf(range: { readonly firstDay: string; readonly endDay: string }): readonly number[] {
  const first = Math.max(Number(FIRST_DAY.slice(0, 4)), Number(range.firstDay.slice(0, 4)));
  const last = new Date(Date.parse(range.endDay) - 1).getUTCFullYear();
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
}

function hashOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 32);
}
