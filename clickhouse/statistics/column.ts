import { fieldOf } from '../conditions/condition.ts';
import { doubleOf, FIELD_COLUMNS, printedNumber } from '../model/field-columns.ts';

/** A value of an answer as the engine prints it, without quotes. */
export type Cell = string;
/** The text of a value that no report gives. */
export const ABSENT = '\\N';

/** A column of an answer. */
export type Column = {
  /** In the answer. */
  readonly name: string;
  /** A group over one row of the sample, a value over all rows of a group; both with the names of `statistics/values`. */
  readonly sql: string;
  /** In files. */
  readonly type: ColumnType;
  /** `sql` is a temperature as it is compared: -0 is below 0. */
  readonly isTemperature?: boolean;
  /** What the answer has for a value of a group, whose values sort as the answer does. */
  readonly print?: (value: Cell) => Cell;
};

/** With a sign, so that readers can subtract them (D65). `Int64` is a count: 0 where no report counts. */
type ColumnType =
  | 'String'
  | 'Date32'
  | 'Int32'
  | 'Int64'
  | 'Nullable(Int32)'
  | 'Nullable(Int64)'
  | 'Nullable(Float64)'
  | 'Nullable(String)'
  | "Nullable(DateTime64(3, 'UTC'))";

/** The value of the record; NULL where the report does not give it. */
export function valueSql(field: string): string {
  return fieldOf(field).sql;
}

/** The number that a condition compares (D43). */
export function comparableSql(field: string): string {
  return orderedNumber(field, fieldOf(field).comparableSql);
}

/** The number that the record prints. */
export function numberSql(field: string): string {
  return toDouble(field, valueSql(field));
}

/** The same as a value that has an order: -0 is below 0. */
export function orderedNumber(field: string, sql: string): string {
  return isTemperature(field) ? `toFloat64(${sql})` : toDouble(field, sql);
}

export function isTemperature(field: string): boolean {
  return FIELD_COLUMNS.get(field)?.type === 'Temperature';
}

/** The value that is printed, of that of `sql` in a column. */
export function printedSql(column: Column, sql: string): string {
  return column.isTemperature ? printedNumber('Temperature', sql) : sql;
}

function toDouble(field: string, sql: string): string {
  const column = FIELD_COLUMNS.get(field);
  if (column === undefined || fieldOf(field).values.kind !== 'number')
    throw new Error(`${field} is not a number`);
  return doubleOf(column, sql);
}
