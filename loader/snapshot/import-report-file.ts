import { isOverOwnMemoryLimit, isUnreadableFile } from '../../clickhouse/errors.ts';
import { groupBy, inGroups } from '../../clickhouse/group-by.ts';
import { DERIVED_FIELDS } from '../../clickhouse/model/derived-fields.ts';
import { DERIVED_COLUMNS } from '../../clickhouse/model/field-columns.ts';
import { DECODED_FIELDS, type Field } from '../../clickhouse/model/fields.ts';
import { type Source, versionAbove } from '../../clickhouse/model/report.ts';
import { yearWindow } from '../../clickhouse/model/time-window.ts';
import {
  insertReportFile,
  type RowToCheck,
  readFileTotals,
  readRowsToCheck,
} from '../../clickhouse/snapshot/import-reports.ts';
import { damaged, SnapshotError, type SnapshotFile } from '../../clickhouse/snapshot/manifest.ts';
import { DECODER_VERSION, decode } from '../decode.ts';
import { loadReports, reportsOf } from '../pipeline/load-slice.ts';
import { normalize } from '../pipeline/normalize.ts';
import { MinuteHistogram } from '../pipeline/report-type.ts';
import type { WriteContext } from '../pipeline/write.ts';
import { KNOWN_SOURCES, rankOf, TYPED_SOURCES } from '../sources/registry.ts';
import type { SourceRow } from '../sources/source.ts';

export type ImportedFile = {
  readonly reports: number;
  /** Reports that the archive lacked, or had with a less faithful text or under another type. */
  readonly inserted: number;
  /** The archive already had reports for these stations and this year. */
  readonly isMerged: boolean;
  readonly oldestDecoder: number;
  readonly year: number;
};

/** Versions of reports that are new to an archive. */
const VERSIONS: ReadonlyMap<Source, number> = new Map(
  KNOWN_SOURCES.map((source) => [source, versionAbove(rankOf(source))]),
);
/** Reports in memory that are reconciled at the same time. */
const BATCH_REPORTS = 20_000;

/**
 * Takes what the archive lacks of a file of reports. ClickHouse inserts reports that are new; those that the archive has
 * with another text, source or type go the way of a load, where D4 decides. Can be repeated.
 *
 * @param decodeAgain ignore its decoded fields and store them as those of a decoder before all others
 * @throws SnapshotError if no export wrote the file
 */
export async function importReportFile(
  { archive, writer }: Pick<WriteContext, 'archive' | 'writer'>,
  { path, rows, reports: content }: SnapshotFile,
  bytes: Buffer,
  decodeAgain: boolean,
): Promise<ImportedFile> {
  if (content === undefined) throw new Error(`${path} is not a file of reports`);
  const { year, firstStation, lastStation } = content;
  const file = { bytes, firstStation, lastStation, ...yearWindow(year) };
  const totals = await refuseUnreadable(path, () => readFileTotals(archive, file));
  if (totals.malformed > 0)
    throw damaged(
      `${path} has ${totals.malformed} rows that are not reports of ${firstStation} to ${lastStation} in ${year}`,
    );
  const isMerged = totals.stored > 0;
  /** Reports that the archive has in another form. */
  const others: RowToCheck[] = [];
  await refuseUnreadable(path, async () => {
    for await (const some of readRowsToCheck(archive, file, { rows, isMerged }))
      for (const row of some) {
        if (!decodeAgain) checkDecoded(path, row);
        if (!followsFromText(row))
          throw damaged(`${path}: the id of ${nameOf(row)} does not follow from its text`);
        if (row.isOther) others.push(row);
      }
  });
  if (totals.missing > 0)
    await writer.write(yearWindow(year), () =>
      refuseUnreadable(path, () => insertReportFile(archive, file, VERSIONS, decodeAgain)),
    );
  let inserted = totals.missing;
  for (const [source, ofSource] of groupBy(others, (other) => other.source)) {
    const own = { minutes: new MinuteHistogram(), listedStations: new Set<string>() };
    for (const some of inGroups(ofSource, BATCH_REPORTS)) {
      const reports = await reportsOf({ archive }, { rows: some.map(toSourceRow), skipped: {} });
      const context = { archive, writer, source, ...own };
      inserted += (await loadReports(context, reports, { scope: 'few stations' })).inserted;
    }
  }
  const oldestDecoder = decodeAgain ? 0 : totals.oldestDecoder;
  return { reports: rows, inserted, isMerged, oldestDecoder, year };
}

/** If ClickHouse cannot read a file that matches its manifest, no export wrote the file. */
export async function refuseUnreadable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isOverOwnMemoryLimit(error))
      throw damaged(`${path} needs more memory than a file of a snapshot can need`);
    if (!isUnreadableFile(error)) throw error;
    const [reason = ''] = String((error as Error).message).split('\n');
    throw damaged(`${path} cannot be read as a file of a snapshot: ${reason.slice(0, 200)}`);
  }
}

type FileField = Pick<Field, 'name' | 'type' | 'required'>;

const FIELDS: readonly FileField[] = [
  // Whether all of the text was understood.
  { name: 'clean', type: 'Bool', required: true },
  ...DECODED_FIELDS,
  ...DERIVED_COLUMNS.map(({ name, storedType }) => ({ name, type: storedType })),
];

/**
 * Rejects a report whose fields do not match its text. Fields from another decoder version are not compared: an import
 * decodes the report again if that version is older.
 */
function checkDecoded(path: string, row: RowToCheck): void {
  if (row.decoder !== DECODER_VERSION) return;
  const expected = expectedFields(row.raw);
  for (const field of FIELDS) {
    const [found, wanted] = [row, expected].map((fields) => comparable(field, fields[field.name]));
    if (found === wanted) continue;
    throw new SnapshotError(
      `${path}: ${field.name} of ${nameOf(row)} is ${found}, and its text says ${wanted}: use another snapshot, or decode all of its reports again with --decode-again`,
    );
  }
}

function nameOf({ station, observedAt }: RowToCheck): string {
  return `${station} at ${new Date(observedAt * 1000).toISOString()}`;
}

function expectedFields(raw: string): Readonly<Record<string, unknown>> {
  const { fields, unexplained } = decode(raw);
  if (unexplained.length > 0) return { clean: false, nil: fields.nil };
  const derived = DERIVED_FIELDS.map(({ name, compute }) => [name, compute(fields)]);
  return { clean: true, ...fields, ...Object.fromEntries(derived) };
}

/** A value as it is in a file, whichever way it was read: a Decimal is a Float64 there, and a Float32 has 24 bits. */
function comparable({ type, required }: FileField, value: unknown): string {
  if (typeof type === 'object' && 'items' in type)
    return `[${((value ?? []) as readonly Readonly<Record<string, unknown>>[])
      .map((item) => type.items.map((part) => comparable(part, item[part.name])).join(' '))
      .join(', ')}]`;
  if (value === undefined || value === null) return type === 'Bool' && required ? 'false' : 'absent';
  const number = value === 'inf' ? Number.POSITIVE_INFINITY : Number(value);
  if (type === 'Temperature' && Object.is(number, -0)) return '-0';
  if (type === 'Decimal' || type === 'Temperature') return String(number);
  return type === 'Float32' ? String(Math.fround(number)) : String(value);
}

/** A row of a snapshot as its source has sent it. */
function toSourceRow({ station, observedAt, type, raw, source }: RowToCheck): SourceRow {
  const sent = TYPED_SOURCES.some((typed) => typed === source) ? { type } : {};
  return { station, filedAt: observedAt, text: raw, ...sent };
}

/** Whether a load of the same text gives the same time, fingerprint, text and type: then the ID follows from the text. */
function followsFromText(row: RowToCheck): boolean {
  const [report] = normalize({ rows: [toSourceRow(row)], skipped: {} }).reports;
  return (
    report?.observedAt === row.observedAt &&
    report.fingerprint === row.fingerprint &&
    report.raw === row.raw &&
    (report.sentType ?? row.type) === row.type
  );
}
