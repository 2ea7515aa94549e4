import type { Archive } from '../../clickhouse/archive.ts';
import { findLostSlices } from '../../clickhouse/coverage/ledger/claims.ts';
import { newRun, type RecordedSlice, rebuildReportHours } from '../../clickhouse/coverage/ledger/ledger.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { isUnreadableFile } from '../../clickhouse/errors.ts';
import { groupBy, inGroups } from '../../clickhouse/group-by.ts';
import { type Day, yearsOf } from '../../clickhouse/model/day.ts';
import { fingerprint } from '../../clickhouse/model/report.ts';
import { yearWindow } from '../../clickhouse/model/time-window.ts';
import { SNAPSHOT_TABLES, type SnapshotTable } from '../../clickhouse/snapshot/export-files.ts';
import {
  countRowsOfFile,
  type FileReport,
  hasAllSlices,
  insertMissingReports,
  insertTableFile,
  type ReportFileBytes,
  readFileTotals,
  readMonthsOfFile,
  readRowsToCheck,
  readSlicesOfFile,
} from '../../clickhouse/snapshot/import-files.ts';
import {
  damaged,
  type ReportFileContent,
  SnapshotError,
  type SnapshotFile,
  tablePath,
} from '../../clickhouse/snapshot/manifest.ts';
import { DECODER_VERSION } from '../decode.ts';
import { retryStorage } from '../http/retry-policy.ts';
import { readReports } from '../pipeline/normalize.ts';
import { type ReportContext, reclassifyConflicts, reclassifyYear } from '../pipeline/reclassify.ts';
import { type ReportTask, redecode } from '../pipeline/redecode.ts';
import { MinuteHistogram } from '../pipeline/report-type.ts';
import { runPool } from '../pipeline/workers.ts';
import { loadReports } from '../pipeline/write.ts';
import { Writer } from '../pipeline/writer.ts';
import type { SourceRow } from '../sources/format.ts';
import { KNOWN_SOURCES, TYPED_SOURCES } from '../sources/registry.ts';
import { MAX_TEXT_LENGTH } from '../sources/source.ts';
import type { Snapshot } from './snapshot-folder.ts';

/** One file is read and checked while ClickHouse stores another; no statement of a year keeps two processors busy. */
const PARALLEL_TASKS = 2;

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
    const { path, rows } = file;
    const bytes = await snapshot.read(file);
    const count = () => refuseUnreadable(path, () => countRowsOfFile(archive, bytes));
    const found = await retryStorage(count, signal);
    if (found !== rows) throw damaged(`${path} has ${found} rows, and the manifest says ${rows}`);
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
  const context = { archive, writer };
  const done = { reports: 0, inserted: 0, bytes: 0 };
  const advance = progress(reports);
  const stopping = AbortSignal.any([stop.afterSlice, signal]);
  await runPool(ofReports, PARALLEL_TASKS, stopping, async (file) => {
    const result = await importReportFile(context, file, await read(file), signal);
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
  // What counts is then chosen without the hidden reports of the archive and of the snapshot.
  await takeTable('hidden_reports');
  const byYear = [...groupBy(imported, ({ year }) => year)].toSorted(([a], [b]) => a - b);
  const inYear = (year: number, work: () => Promise<void>) =>
    retryStorage(() => writer.write({ stations: [], ...yearWindow(year) }, work), signal);
  await runPool(byYear, PARALLEL_TASKS, signal, ([year, ofYear]) =>
    inYear(year, () => finishYear(context, year, { files: ofYear, wasComplete }, signal)),
  );
  // Checked even if the archive has all reports of the snapshot: a removal meanwhile would leave claims without reports.
  await runPool(yearsOf(snapshot.manifest), PARALLEL_TASKS, signal, async (year) => {
    const range = { firstDay: `${year}-01-01` as Day, endDay: `${year + 1}-01-01` as Day };
    const claims = await retryStorage(() => readSlicesOfFile(archive, tables.slices, range), signal);
    if (claims.length > 0) await inYear(year, () => checkClaims(archive, claims, year));
  });
  // The ledger is the last table, because it makes days done.
  for (const table of SNAPSHOT_TABLES.toReversed()) await takeTable(table);
  await writer.close();
  return { kind: 'imported', ...done } as const;
}

type ImportedFile = Awaited<ReturnType<typeof importReportFile>>;

const ACCEPTED = { sources: KNOWN_SOURCES, maxLength: MAX_TEXT_LENGTH, decoder: DECODER_VERSION };
/** Reports in memory that are reconciled at the same time. */
const BATCH_REPORTS = 20_000;

/**
 * Adds what the archive lacks of a file of reports. ClickHouse inserts new reports. Reports that the archive has with another text,
 * source or type are loaded like those of a source, and D4 decides. Can be repeated.
 *
 * @returns `inserted`: reports that the archive lacked, or had with a less faithful text or under another type; `isMerged`: it
 *   already had reports for these stations and this year; `hasToDecode`: another decoder has read some reports, so all are
 *   stored without fields, perhaps by an import that was killed
 * @throws SnapshotError if the file is damaged, or has a report that a load would refuse
 */
async function importReportFile(
  { archive, writer }: ReportContext,
  { path, reports: content }: SnapshotFile,
  bytes: Buffer,
  signal: AbortSignal,
) {
  const { year, firstStation, lastStation } = content as ReportFileContent;
  const window = yearWindow(year);
  const file = { bytes, firstStation, lastStation, ...window };
  let missingAtFirst: number | undefined;
  return retryStorage(async () => {
    const totals = await refuseUnreadable(path, () => readFileTotals(archive, file, ACCEPTED));
    const { refused, repeated, missing, toDecode, stored } = totals;
    const hasToDecode = toDecode > 0;
    if (refused !== '') throw new SnapshotError(`${path}: ${refused}: nothing of it is restored`);
    if (repeated > 0) throw damaged(`${path} has ${repeated} reports twice`);
    // An attempt that fails may have stored reports.
    missingAtFirst ??= missing;
    let inserted = missingAtFirst;
    const others = await refuseUnreadable(path, () => readOthers(archive, path, file));
    if (missing > 0)
      await writer.write({ stations: [], ...window }, () =>
        refuseUnreadable(path, async () => {
          const marked = writer.marks.begin();
          await marked.open(await readMonthsOfFile(archive, file));
          await insertMissingReports(archive, file, hasToDecode);
          marked.end();
        }),
      );
    for (const [source, ofSource] of groupBy(others, (other) => other.source)) {
      const own = { minutes: new MinuteHistogram(), listedStations: new Set<string>() };
      for (const some of inGroups(ofSource, BATCH_REPORTS)) {
        const reports = await readReports({ archive }, { rows: some.map(toSourceRow), skipped: {} });
        const context = { archive, writer, source, ...own };
        inserted += (await loadReports(context, reports, { scope: 'few stations' })).inserted;
      }
    }
    return { inserted, isMerged: stored > 0, hasToDecode, year };
  }, signal);
}

/** The reports of a file that the archive has with another text, source or type. */
async function readOthers(archive: Archive, path: string, file: ReportFileBytes) {
  const others: FileReport[] = [];
  for await (const some of readRowsToCheck(archive, file))
    for (const row of some) {
      if (fingerprint(row.raw) !== row.fingerprint) {
        const time = new Date(row.observedAt * 1000).toISOString();
        throw damaged(`${path}: the id of ${row.station} at ${time} does not follow from its text`);
      }
      if (row.isOther) others.push(row);
    }
  return others;
}

/** A row of a snapshot as its source has sent it. */
function toSourceRow({ station, observedAt, type, raw, source }: FileReport): SourceRow {
  const sent = TYPED_SOURCES.some((typed) => typed === source) ? { type } : {};
  return { station, filedAt: observedAt, text: raw, ...sent };
}

/**
 * Makes final what depends on all reports of a year: the types, where the archive had reports before; the hours with a
 * report, where a killed import has left them out; and the decoded fields, where an older decoder has read them.
 *
 * @param wasComplete the archive had the whole ledger of the snapshot before
 */
async function finishYear(
  context: ReportContext,
  year: number,
  { files, wasComplete }: { readonly files: readonly ImportedFile[]; readonly wasComplete: boolean },
  signal: AbortSignal,
): Promise<void> {
  const isAsBefore = wasComplete && files.every(({ inserted }) => inserted === 0);
  await reclassifyConflicts(context, [{ station: ALL_STATIONS, ...yearWindow(year) }]);
  const isMerged = files.some((file) => file.isMerged);
  if (!isAsBefore && isMerged) await reclassifyYear(context, year, signal);
  if (files.some(({ hasToDecode }) => hasToDecode)) {
    const stop = { afterSlice: signal, now: signal };
    await redecode({ ...context, progress: () => () => {}, stop }, { stations: [], ...yearWindow(year) });
  }
  if (isMerged) await rebuildReportHours(context.archive, yearWindow(year));
}

/** Checks, before the ledger is written, that the archive has all reports that its rows claim. */
async function checkClaims(archive: Archive, claims: readonly RecordedSlice[], year: number): Promise<void> {
  const [lost] = await findLostSlices(archive, year, claims);
  if (lost !== undefined)
    throw new SnapshotError(
      `slices.parquet says that ${lost.source} was loaded for ${lost.station} from ${lost.firstDay} to ${lost.doneDay}, but the files hold fewer reports: no day of the snapshot counts; copy or export it again`,
    );
}

/** If ClickHouse cannot read a file that matches its manifest, no export wrote the file. */
export async function refuseUnreadable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isUnreadableFile(error)) throw error;
    const [reason = ''] = String((error as Error).message).split('\n');
    throw damaged(`${path} cannot be read as a file of a snapshot: ${reason.slice(0, 200)}`);
  }
}
