import { DERIVED_FIELDS } from '../model/derived-fields.ts';
import { DERIVED_COLUMNS, enum8, FIELD_COLUMNS, valueType } from '../model/field-columns.ts';
import { DECODED_FIELDS, type FieldType, isList, type PartialDecoded } from '../model/fields.ts';
import { REPORT_TYPES, type Report, storedText } from '../model/report.ts';
import {
  ArrayColumn,
  type Column,
  encodeBlock,
  NullableStringColumn,
  NumberColumn,
  StringColumn,
  TupleColumn,
} from './native-columns.ts';
import type { StoredReport } from './stored-reports.ts';

/** Collects rows for the table `observations` into a block. */
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

  put(report: Report, version: number): void {
    const row = this.key(report, version);
    const { raw, station, observedAt, outcome, decoder, decoded } = report;
    const isClean = outcome === 'clean';
    this.columns.text.put(row, storedText(raw, station, observedAt));
    this.columns.clean.uint8(row, isClean ? 1 : 0);
    this.columns.decoder.uint16(row, decoder);
    writeDecodedFields(
      this.fields,
      row,
      isClean ? decoded : { nil: decoded.nil, cor: decoded.cor, cor_number: decoded.cor_number },
    );
    if (isClean) writeDerivedFields(this.fields, row, decoded);
  }

  /** Removes a report from its type. Only its key is stored. */
  retract(archived: StoredReport, version: number): void {
    const row = this.key(archived, version);
    this.columns.retracted.uint8(row, 1);
    writeDecodedFields(this.fields, row, {});
  }

  private key(key: Report | StoredReport, version: number): number {
    const row = this.count;
    this.count += 1;
    const { columns } = this;
    columns.observedAt.uint32(row, key.observedAt);
    columns.station.put(row, key.station);
    columns.type.uint8(row, REPORT_TYPES.indexOf(key.type) + 1);
    columns.fingerprint.uint32(row, Number.parseInt(key.fingerprint, 16));
    columns.source.put(row, key.source);
    columns.version.uint32(row, version);
    return row;
  }
}

/** The columns of a block for the table `observations`. The server converts a String to LowCardinality. */
function newColumns() {
  return {
    observedAt: new NumberColumn("DateTime('UTC')", 4, 'required'),
    station: new StringColumn(),
    type: new NumberColumn(enum8(REPORT_TYPES), 1, 'required'),
    fingerprint: new NumberColumn('UInt32', 4, 'required'),
    version: new NumberColumn('UInt32', 4, 'required'),
    retracted: new NumberColumn('Bool', 1, 'required'),
    source: new StringColumn(),
    text: new StringColumn(),
    clean: new NumberColumn('Bool', 1, 'required'),
    decoder: new NumberColumn('UInt16', 2, 'required'),
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
  const width = typeof type === 'string' ? (WIDTHS[type] ?? 1) : 1;
  return new NumberColumn(valueType(type), width, isRequired ? 'required' : 'nullable');
}

/** Bytes of a number, where it has more than one. */
const WIDTHS: Readonly<Record<string, 2 | 4>> = { UInt16: 2, UInt32: 4, Float32: 4, Decimal: 4 };

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
  return new Function('tenths', 'flag', 'numbers', 'derived', body)(tenths, flag, numbers, DERIVED_FIELDS);
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
  if (typeof type === 'object') {
    const count = numbers.push(Object.fromEntries(type.map((text, n) => [text, n + 1])));
    return `${column}.uint8(${row}, numbers[${count - 1}][${value}]);`;
  }
  switch (type) {
    case 'String':
      return `${column}.put(${row}, ${value});`;
    case 'Decimal':
      return `${column}.int32(${row}, tenths(${value}));`;
    case 'Bool':
    case 'true':
      return `${column}.uint8(${row}, flag(${value}));`;
    default:
      return `${column}.${type.toLowerCase()}(${row}, ${value});`;
  }
}

/** As Decimal(9, 1) is stored. */
function tenths(value: string | number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(Number(value) * 10);
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
