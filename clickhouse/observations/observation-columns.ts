import { enum8, FIELD_COLUMNS, valueType } from '../model/field-columns.ts';
import { type FieldType, isList } from '../model/fields.ts';
import { REPORT_TYPES } from '../model/report.ts';
import type { Column } from './native/column.ts';
import { ArrayColumn, TupleColumn } from './native/nested.ts';
import { NumberColumn } from './native/numbers.ts';
import { NullableStringColumn, StringColumn } from './native/strings.ts';

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
    text: new StringColumn(),
    clean: new NumberColumn('Bool', 1, 'required'),
    decoder: new NumberColumn('UInt16', 2, 'required'),
  };
}

/** The columns of the decoded and derived fields, by name. */
export function newFieldColumns(): Readonly<Record<string, Column>> {
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
  return new NumberColumn(valueType(type), widthOf(type), isRequired ? 'required' : 'nullable');
}

/** Bytes of a number. */
function widthOf(type: Exclude<FieldType, 'String' | { readonly items: unknown }>): 1 | 2 | 4 {
  switch (type) {
    case 'UInt16':
      return 2;
    case 'UInt32':
    case 'Float32':
    case 'Decimal':
      return 4;
    default:
      return 1;
  }
}
