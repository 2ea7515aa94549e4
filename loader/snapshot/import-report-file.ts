import type { Archive } from '../../clickhouse/archive.ts';
import { isUnreadableFile } from '../../clickhouse/errors.ts';
import { groupBy, inGroups } from '../../clickhouse/group-by.ts';
import { fingerprint } from '../../clickhouse/model/report.ts';
import { yearWindow } from '../../clickhouse/model/time-window.ts';
import {
  type FileReport,
  insertMissingReports,
  type ReportFileBytes,
  readFileTotals,
  readMonthsOfFile,
  readRowsToCheck,
} from '../../clickhouse/snapshot/import-files.ts';
import { damaged, SnapshotError, type SnapshotFile } from '../../clickhouse/snapshot/manifest.ts';
import { DECODER_VERSION } from '../decode.ts';
import { retryStorage } from '../http/retry-policy.ts';
import { loadReports, reportsOf } from '../pipeline/load-slice.ts';
import { MinuteHistogram } from '../pipeline/report-type.ts';
import type { WriteContext } from '../pipeline/write.ts';
import type { SourceRow } from '../sources/format.ts';
import { KNOWN_SOURCES, TYPED_SOURCES } from '../sources/registry.ts';
import { MAX_TEXT_LENGTH } from '../sources/source.ts';

const ACCEPTED = { sources: KNOWN_SOURCES, maxLength: MAX_TEXT_LENGTH, decoder: DECODER_VERSION };
/** Reports in memory that are reconciled at the same time. */
const BATCH_REPORTS = 20_000;

/**
 * Takes what the archive lacks of a file of reports. ClickHouse inserts reports that are new; those that the archive has
 * with another text, source or type go the way of a load, where D4 decides. Can be repeated.
 *
 * @returns `inserted`: reports that the archive lacked, or had with a less faithful text or under another type; `isMerged`: it
 *   already had reports for these stations and this year; `hasToDecode`: another decoder has read some reports, so all are
 *   stored without fields, perhaps by an import that was killed
 * @throws SnapshotError if the file is damaged, or has a report that a load would refuse
 */
export async function importReportFile(
  { archive, writer }: Pick<WriteContext, 'archive' | 'writer'>,
  { path, reports: content }: SnapshotFile,
  bytes: Buffer,
  signal: AbortSignal,
) {
  if (content === undefined) throw new Error(`${path} is not a file of reports`);
  const { year, firstStation, lastStation } = content;
  const range = { stations: [], ...yearWindow(year) };
  const file = { bytes, firstStation, lastStation, ...yearWindow(year) };
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
      await writer.write(range, () =>
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
        const reports = await reportsOf({ archive }, { rows: some.map(toSourceRow), skipped: {} });
        const context = { archive, writer, source, ...own };
        inserted += (await loadReports(context, reports, { scope: 'few stations' })).inserted;
      }
    }
    return { inserted, isMerged: stored > 0, hasToDecode, year };
  }, signal);
}

/** Those that the archive has in another form. */
async function readOthers(archive: Archive, path: string, file: ReportFileBytes) {
  const others: FileReport[] = [];
  for await (const some of readRowsToCheck(archive, file))
    for (const row of some) {
      if (fingerprint(row.raw) !== row.fingerprint)
        throw damaged(`${path}: the id of ${nameOf(row)} does not follow from its text`);
      if (row.isOther) others.push(row);
    }
  return others;
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

function nameOf({ station, observedAt }: FileReport): string {
  return `${station} at ${new Date(observedAt * 1000).toISOString()}`;
}

/** A row of a snapshot as its source has sent it. */
function toSourceRow({ station, observedAt, type, raw, source }: FileReport): SourceRow {
  const sent = TYPED_SOURCES.some((typed) => typed === source) ? { type } : {};
  return { station, filedAt: observedAt, text: raw, ...sent };
}
