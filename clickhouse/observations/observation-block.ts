import { DERIVED_FIELDS } from '../model/derived-fields.ts';
import { COUNTS_TYPE, DERIVED_COLUMNS, enum8, FIELD_COLUMNS, valueType } from '../model/field-columns.ts';
import { DECODED_FIELDS, type FieldType, isList, type PartialDecoded } from '../model/fields.ts';
import { COUNTS, type Counts, REPORT_TYPES, type Report, storedText } from '../model/report.ts';
import {
  ArrayColumn,
  type Column,
  encodeBlock,
  NUMBERS,
  NullableStringColumn,
  NumberColumn,
  type NumberType,
  StringColumn,
  TupleColumn,
} from './native-columns.ts';
import type { StoredReport } from './stored-reports.ts';

/** Collects rows for the tables of reports into a block. */
export class ObservationBlock {
  private readonly columns = newColumns();
  private readonly fields = newFieldColumns();
  private count = 0;

  get rows(): number {
    return this.count;
  }

  /** Returns the block in the Native format and empties it. */
  take(): Buffer {
    const taken = encodeBlock({ ...this.columns, ...this.fields }, this.count);
    this.count = 0;
    return taken;
  }

  put(report: Report, version: number, counts: Counts): void {
    const row = this.key(report, version);
    this.columns.counts.put(row, COUNTS.indexOf(counts));
    const { raw, station, observedAt, clean, decoder, decoded } = report;
    this.columns.text.put(row, storedText(raw, station, observedAt));
    this.columns.clean.put(row, clean ? 1 : 0);
    this.columns.decoder.put(row, decoder);
    writeDecodedFields(
      this.fields,
      row,
      clean ? decoded : { nil: decoded.nil, cor: decoded.cor, cor_number: decoded.cor_number },
    );
    if (clean) writeDerivedFields(this.fields, row, decoded);
  }

  /** Removes a report from its type. Only its key is stored. */
  retract(archived: StoredReport, version: number): void {
    const row = this.key(archived, version);
    this.columns.retracted.put(row, 1);
    writeDecodedFields(this.fields, row, {});
  }

  private key(key: Report | StoredReport, version: number): number {
    const row = this.count;
    this.count += 1;
    const { columns } = this;
    columns.observedAt.put(row, key.observedAt);
    columns.station.put(row, key.station);
    columns.type.put(row, REPORT_TYPES.indexOf(key.type) + 1);
    columns.fingerprint.put(row, Number.parseInt(key.fingerprint, 16));
    columns.source.put(row, key.source);
    columns.version.put(row, version);
    return row;
  }
}

/** The columns of a block for the tables of reports. The server converts a String to LowCardinality. */
function newColumns() {
  return {
    observedAt: new NumberColumn("DateTime('UTC')", 'UInt32', 'required'),
    station: new StringColumn(),
    type: new NumberColumn(enum8(REPORT_TYPES), 'UInt8', 'required'),
    fingerprint: new NumberColumn('UInt32', 'UInt32', 'required'),
    version: new NumberColumn('UInt32', 'UInt32', 'required'),
    retracted: new NumberColumn('Bool', 'UInt8', 'required'),
    counts: new NumberColumn(COUNTS_TYPE, 'UInt8', 'required'),
    source: new StringColumn(),
    text: new StringColumn(),
    clean: new NumberColumn('Bool', 'UInt8', 'required'),
    decoder: new NumberColumn('UInt16', 'UInt16', 'required'),
  };
}

/** The columns of the decoded and derived fields, by name. */
function newFieldColumns(): Readonly<Record<string, Column>> {
  return Object.fromEntries(
    [...FIELD_COLUMNS.values()].map(({ name, storedType }) => [name, newColumn(storedType, false)]),
  );
}

function newColumn(type: FieldType, isRequired: boolean): Column {
  if (isList(type)) {
    const items = type.items.map((item) => [item.name, newColumn(item.type, item.required ?? false)]);
    return new ArrayColumn(new TupleColumn(Object.fromEntries(items)));
  }
  if (type === 'String') return isRequired ? new StringColumn() : new NullableStringColumn();
  const number = typeof type === 'string' && type in NUMBERS ? (type as NumberType) : 'UInt8';
  return new NumberColumn(valueType(type), number, isRequired ? 'required' : 'nullable');
}

type FieldColumns = ReturnType<typeof newFieldColumns>;
type WriteFields = (columns: FieldColumns, row: number, decoded: Partial<PartialDecoded>) => void;

/*
 * The functions that put the fields of a report into their columns, compiled from the list of fields: a loop over the list
 * takes three times as long, because it looks up each field and each column by its name.
 */

/** The number of each value of the fields with a choice. */
const numbers: Readonly<Record<string, number>>[] = [];

const writeDecodedFields = compile(
  DECODED_FIELDS.map(({ name, type }) => statement(`columns.${name}`, 'row', `decoded.${name}`, type)),
);

const writeDerivedFields = compile(
  DERIVED_COLUMNS.map(({ name, storedType }, n) =>
    statement(`columns.${name}`, 'row', `derived[${n}].compute(decoded)`, storedType),
  ),
) as (columns: FieldColumns, row: number, decoded: PartialDecoded) => void;

function compile(statements: readonly string[]): WriteFields {
  const body = `return (columns, row, decoded) => {\n${statements.join('\n')}\n};`;
  const names = ['tenths', 'hundredths', 'flag', 'numbers', 'derived'];
  return new Function(...names, body)(tenths, hundredths, flag, numbers, DERIVED_FIELDS);
}

/** The statement that writes a value, which is `undefined` where the report does not give it. */
function statement(column: string, row: string, value: string, type: FieldType): string {
  if (isList(type)) {
    const items = type.items.map(({ name, type: itemType }) =>
      statement(`${column}.items.elements.${name}`, 'at', `item.${name}`, itemType),
    );
    return `if (${value} !== undefined) for (const item of ${value}) {
      const at = ${column}.next();
      ${items.join('\n')}
    }
    ${column}.end(${row});`;
  }
  return `${column}.put(${row}, ${storedValue(value, type)});`;
}

function storedValue(value: string, type: FieldType): string {
  if (typeof type === 'object') {
    const count = numbers.push(
      Object.fromEntries((type as readonly string[]).map((text, n) => [text, n + 1])),
    );
    return `numbers[${count - 1}][${value}]`;
  }
  if (type === 'Decimal') return `tenths(${value})`;
  if (type === 'Temperature') return `hundredths(${value})`;
  return type === 'Bool' || type === 'true' ? `flag(${value})` : value;
}

/** As Decimal(9, 1) is stored. */
function tenths(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 10);
}

/** As Decimal(9, 2) is stored: see `printedNumber`. */
function hundredths(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  return value === '-0' ? -5 : Math.round(Number(value) * 100);
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
