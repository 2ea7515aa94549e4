import type { Archive } from '../../clickhouse/archive.ts';
import { newRun, type RecordedSlice, rebuildReportHours } from '../../clickhouse/coverage/ledger/ledger.ts';
import { findLostSlices } from '../../clickhouse/coverage/ledger/lost-reports.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../clickhouse/group-by.ts';
import { type Day, yearsOf } from '../../clickhouse/model/day.ts';
import { yearWindow } from '../../clickhouse/model/time-window.ts';
import { SNAPSHOT_TABLES, type SnapshotTable } from '../../clickhouse/snapshot/export-files.ts';
import {
  countRowsOfFile,
  hasAllSlices,
  insertTableFile,
  readSlicesOfFile,
} from '../../clickhouse/snapshot/import-files.ts';
import { damaged, SnapshotError, type SnapshotFile, tablePath } from '../../clickhouse/snapshot/manifest.ts';
import { retryStorage } from '../http/retry-policy.ts';
import { reclassifyConflicts, reclassifyYear } from '../pipeline/reclassify.ts';
import { type ReportTask, redecode } from '../pipeline/redecode.ts';
import { runPool } from '../pipeline/workers.ts';
import type { WriteContext } from '../pipeline/write.ts';
import { Writer } from '../pipeline/writer.ts';
import { importReportFile, refuseUnreadable } from './import-report-file.ts';
import type { Snapshot } from './open-snapshot.ts';

/** One is read and checked while ClickHouse stores the other. */
const PARALLEL_FILES = 2;
/** No statement of a year keeps two processors busy. */
const PARALLEL_YEARS = 2;

/**
 * Adds what the archive lacks of a snapshot: reports, then what is inferred from them, then the small tables, the
 * ledger last. Every step can be repeated, so an import that was stopped or killed is resumed by the same command. If
 * anything in the snapshot is not as stated, none of it is claimed.
 *
 * @returns how many reports the snapshot has, and how many of them the archive lacked
 * @throws SnapshotError if the snapshot is damaged
 */
export async function importSnapshot({ archive, progress, stop }: ReportTask, snapshot: Snapshot) {
  const signal = stop.now;
  const { files, reports } = snapshot.manifest;
  const ofReports = files.filter((file) => file.reports !== undefined);
  const read = async (file: SnapshotFile): Promise<Buffer> => {
    const bytes = await snapshot.read(file);
    await retryStorage(() => checkRows(archive, file, bytes), signal);
    return bytes;
  };
  const tables = {} as Record<SnapshotTable, Buffer>;
  for (const table of SNAPSHOT_TABLES) {
    const file = files.find(({ path }) => path === tablePath(table)) as SnapshotFile;
    tables[table] = await read(file);
  }
  const wasComplete = await refuseUnreadable(tablePath('slices'), () => hasAllSlices(archive, tables.slices));
  const imported: ImportedFile[] = [];
  const writer = new Writer(archive, newRun());
  const done = { reports: 0, inserted: 0, bytes: 0 };
  const advance = progress(reports);
  const stopping = AbortSignal.any([stop.afterSlice, signal]);
  await runPool(ofReports, PARALLEL_FILES, stopping, async (file) => {
    const result = await importReportFile({ archive, writer }, file, await read(file), signal);
    imported.push(result);
    done.reports += file.rows;
    done.inserted += result.inserted;
    done.bytes += file.bytes;
    advance(done.reports, done.bytes);
  });
  if (imported.length < ofReports.length) {
    await writer.close();
    return { kind: 'stopped', ...done } as const;
  }

  const takeTable = async (table: SnapshotTable) => {
    const take = () => insertTableFile(archive, table, tables[table]);
    await retryStorage(() => refuseUnreadable(tablePath(table), take), signal);
  };
  // What counts is chosen without the hidden reports of both.
  await takeTable('hidden_reports');
  const byYear = [...groupBy(imported, ({ year }) => year)].toSorted(([a], [b]) => a - b);
  const inYear = (year: number, work: () => Promise<void>) =>
    retryStorage(() => writer.write({ stations: [], ...yearWindow(year) }, work), signal);
  await runPool(byYear, PARALLEL_YEARS, signal, ([year, ofYear]) =>
    inYear(year, () => finishYear({ archive, writer }, year, { files: ofYear, wasComplete }, signal)),
  );
  // Also where the archive has all reports: a removal waits for the ledger, which would claim days that it has removed.
  await runPool(yearsOf(snapshot.manifest), PARALLEL_YEARS, signal, async (year) => {
    const range = { firstDay: `${year}-01-01` as Day, endDay: `${year + 1}-01-01` as Day };
    const claims = await retryStorage(() => readSlicesOfFile(archive, tables.slices, range), signal);
    if (claims.length > 0) await inYear(year, () => checkClaims(archive, claims, year));
  });
  // The ledger is the last of them: it claims days only once all else is there.
  for (const table of SNAPSHOT_TABLES.toReversed()) await takeTable(table);
  await writer.close();
  return { kind: 'imported', ...done } as const;
}

type ImportedFile = Awaited<ReturnType<typeof importReportFile>>;

/**
 * Makes final what depends on all reports of a year: the types, where the archive had reports before; the hours with a
 * report, where a killed import has left them out; and the decoded fields, where an older decoder has read them.
 *
 * @param wasComplete the archive had the whole ledger of the snapshot before
 */
async function finishYear(
  context: Pick<WriteContext, 'archive' | 'writer'>,
  year: number,
  { files, wasComplete }: { readonly files: readonly ImportedFile[]; readonly wasComplete: boolean },
  signal: AbortSignal,
): Promise<void> {
  const isAsBefore = wasComplete && files.every(({ inserted }) => inserted === 0);
  await reclassifyConflicts(context, [{ station: ALL_STATIONS, ...yearWindow(year) }]);
  const isMerged = files.some((file) => file.isMerged);
  if (!isAsBefore && isMerged) await reclassifyYear(context, year, signal);
  if (files.some(({ hasToDecode }) => hasToDecode)) {
    const selection = { stations: [], ...yearWindow(year) };
    await redecode(
      { ...context, progress: () => () => {}, stop: { afterSlice: signal, now: signal } },
      selection,
    );
  }
  await rebuildReportHours(context.archive, year, isMerged ? 'all' : 'NIL');
}

/** Before any of the ledger is written. */
async function checkClaims(archive: Archive, claims: readonly RecordedSlice[], year: number): Promise<void> {
  const [lost] = await findLostSlices(archive, year, claims);
  if (lost !== undefined)
    throw new SnapshotError(
      `slices.parquet says that ${lost.source} was loaded for ${lost.station} from ${lost.firstDay} to ${lost.doneDay}, but the files hold fewer reports: no day of the snapshot counts; copy or export it again`,
    );
}

/** Refuses a file that is no Parquet, or has another number of rows than the manifest says. */
async function checkRows(archive: Archive, { path, rows }: SnapshotFile, bytes: Buffer): Promise<void> {
  const found = await refuseUnreadable(path, () => countRowsOfFile(archive, bytes));
  if (found !== rows) throw damaged(`${path} has ${found} rows, and the manifest says ${rows}`);
}
