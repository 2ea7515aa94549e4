import { ADDED_FIELDS, type Field, type FieldType, TUPLE_FIELDS } from '../model/fields.ts';
import { REPORT_TYPES } from '../model/report.ts';
import type { Column } from './native/column.ts';
import { ArrayColumn, TupleColumn } from './native/nested.ts';
import { NumberColumn } from './native/numbers.ts';
import { NullableStringColumn, StringColumn } from './native/strings.ts';

type ColumnOf<F extends Field> = F['type'] extends { readonly items: infer Items extends readonly Field[] }
  ? ArrayColumn<TupleColumn<ColumnsOf<Items>>>
  : F['type'] extends 'String'
    ? F extends { readonly required: true }
      ? StringColumn
      : NullableStringColumn
    : NumberColumn;

type ColumnsOf<Fields extends readonly Field[]> = {
  readonly [F in Fields[number] as F['name']]: ColumnOf<F>;
};

/** A column of the archive for each field, by name. */
function columnsOf<Fields extends readonly Field[]>(fields: Fields): ColumnsOf<Fields> {
  return Object.fromEntries(fields.map((field) => [field.name, columnOf(field)])) as ColumnsOf<Fields>;
}

function columnOf({ type, required }: Field): Column {
  if (typeof type === 'object' && 'items' in type)
    return new ArrayColumn(new TupleColumn(columnsOf(type.items)));
  if (type === 'String') return required ? new StringColumn() : new NullableStringColumn();
  const [name, width] = numberType(type);
  return new NumberColumn(name, width, required ? 'required' : 'nullable');
}

function numberType(
  type: Exclude<FieldType, 'String' | { readonly items: readonly Field[] }>,
): readonly [name: string, width: 1 | 2 | 4] {
  if (typeof type === 'object') return [enum8(type), 1];
  switch (type) {
    case 'UInt8':
      return [type, 1];
    case 'UInt16':
      return [type, 2];
    case 'UInt32':
    case 'Float32':
      return [type, 4];
    case 'Decimal':
      return ['Decimal(9, 1)', 4];
    case 'Bool':
    case 'true':
      return ['Bool', 1];
  }
}

function enum8(values: readonly string[]): string {
  return `Enum8(${values.map((value, n) => `'${value}' = ${n + 1}`).join(', ')})`;
}

/** The columns of a block for the table `observations`. The server converts a String to LowCardinality. */
export function newColumns() {
  return {
    observedAt: new NumberColumn("DateTime('UTC')", 4, 'required'),
    station: new StringColumn(),
    type: new NumberColumn(enum8(REPORT_TYPES), 1, 'required'),
    fingerprint: new NumberColumn('UInt32', 4, 'required'),
    version: new NumberColumn('UInt32', 4, 'required'),
    retracted: new NumberColumn('Bool', 1, 'required'),
    source: new StringColumn(),
    raw: new StringColumn(),
    clean: new NumberColumn('Bool', 1, 'required'),
    decoder: new NumberColumn('UInt16', 2, 'required'),
    decoded: new TupleColumn(columnsOf(TUPLE_FIELDS)),
    ...columnsOf(ADDED_FIELDS),
  };
}

/** The types of the decoded fields in the archive, by name. */
export function storedTypes(): Readonly<Record<string, string>> {
  const columns = { ...columnsOf(TUPLE_FIELDS), ...columnsOf(ADDED_FIELDS) };
  return Object.fromEntries(Object.entries(columns).map(([name, { type }]) => [name, type]));
}

/**
 * An expression for all decoded fields in one named tuple, which the server prints as the object `decoded`. The fields
 * that are columns of their own come last.
 */
export function decodedExpression(): string {
  const { type } = new TupleColumn({ ...columnsOf(TUPLE_FIELDS), ...columnsOf(ADDED_FIELDS) });
  const added = ADDED_FIELDS.map(({ name }) => name).join(', ');
  return `CAST(tupleConcat(decoded, tuple(${added})), '${type.replaceAll("'", "\\'")}')`;
}
