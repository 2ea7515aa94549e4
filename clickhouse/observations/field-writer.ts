import { valueType } from '../model/field-columns.ts';
import { type FieldType, isList } from '../model/fields.ts';
import {
  ArrayWriter,
  type ColumnWriter,
  NullableStringWriter,
  NumberWriter,
  StringWriter,
  TupleWriter,
} from './native-columns.ts';

/** The column of a field in a block, and what puts the value of a report there. */
type FieldWriter = {
  readonly column: ColumnWriter;
  readonly put: (row: number, value: unknown) => void;
};

/** @param isRequired of a list: each item has the value */
export function fieldWriter(type: FieldType, isRequired = false): FieldWriter {
  if (isList(type))
    return listWriter(type.items.map((item) => [item.name, fieldWriter(item.type, item.required)]));
  const stored = storedAs(type);
  const column = newColumn(type, isRequired);
  const put = (row: number, value: unknown) => {
    if (value !== undefined) column.put(row, stored(value) as never);
  };
  return { column, put };
}

function newColumn(type: FieldType, isRequired: boolean) {
  if (type === 'String') return isRequired ? new StringWriter() : new NullableStringWriter();
  return new NumberWriter(isRequired ? valueType(type) : `Nullable(${valueType(type)})`);
}

function listWriter(members: readonly (readonly [name: string, writer: FieldWriter])[]): FieldWriter {
  const elements = Object.fromEntries(members.map(([name, { column }]) => [name, column]));
  const column = new ArrayWriter(new TupleWriter(elements));
  const put = (row: number, list: unknown) => {
    for (const item of (list ?? []) as readonly Readonly<Record<string, unknown>>[]) {
      const at = column.next(row);
      for (const [name, writer] of members) writer.put(at, item[name]);
    }
  };
  return { column, put };
}

/** As the server holds a value: a decimal as a whole number of its last place, a choice by its number. */
function storedAs(type: FieldType): (value: unknown) => unknown {
  if (type === 'String') return (value) => value;
  // -0 lies below 0: see `printedNumber`.
  if (type === 'Temperature') return (value) => (value === '-0' ? -5 : Math.round(Number(value) * 100));
  if (type === 'Decimal') return (value) => Math.round(Number(value) * 10);
  if (typeof type === 'string') return Number;
  const numbers = new Map((type as readonly string[]).map((name, n) => [name, n + 1]));
  return (value) => numbers.get(value as string);
}
