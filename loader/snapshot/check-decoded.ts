import { DERIVED_FIELDS } from '../../clickhouse/model/derived-fields.ts';
import { DERIVED_COLUMNS } from '../../clickhouse/model/field-columns.ts';
import { DECODED_FIELDS, type Field } from '../../clickhouse/model/fields.ts';
import type { RowToCheck } from '../../clickhouse/snapshot/read-report-file.ts';
import { DECODER_VERSION, decode } from '../decode.ts';
import { SnapshotError } from './snapshot-error.ts';

type FileField = Pick<Field, 'name' | 'type' | 'required'>;

/** Whether all of the text was understood. */
const CLEAN: FileField = { name: 'clean', type: 'Bool', required: true };
const FIELDS: readonly FileField[] = [
  CLEAN,
  ...DECODED_FIELDS,
  ...DERIVED_COLUMNS.map(({ name, storedType }) => ({ name, type: storedType })),
];

/**
 * Rejects a report whose fields do not match its text. Fields from another decoder version are not compared: an import
 * decodes the report again if that version is older.
 */
export function checkDecoded(path: string, row: RowToCheck): void {
  if (row.decoder !== DECODER_VERSION) return;
  const expected = expectedFields(row.raw);
  for (const field of FIELDS) {
    const [found, wanted] = [row, expected].map((fields) => comparable(field, fields[field.name]));
    if (found === wanted) continue;
    const time = new Date(row.observedAt * 1000).toISOString();
    throw new SnapshotError(
      `${path}: ${field.name} of ${row.station} at ${time} is ${found}, and its text says ${wanted}: take a snapshot from elsewhere, or decode all of its reports again with --decode-again`,
    );
  }
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
  if (type === 'Decimal') return String(number);
  return type === 'Float32' ? String(Math.fround(number)) : String(value);
}
