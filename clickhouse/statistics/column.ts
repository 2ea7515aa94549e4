import { fieldOf } from '../conditions/condition.ts';
import { doubleOf, FIELD_COLUMNS } from '../model/field-columns.ts';

/** A value of an answer as the engine prints it, without quotes. */
export type Cell = string;
/** The text of a value that no report gives. */
export const ABSENT = '\\N';

/** A column of an answer. */
export type Column = {
  /** In the answer. */
  readonly name: string;
  /** In files. */
  readonly type: ColumnType;
  /** What the answer has for a value, which is a number that sorts as the answer does. */
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
  | "Nullable(DateTime64(6, 'UTC'))";

export function numberOf(cell: Cell | undefined): number | undefined {
  return cell === undefined || cell === ABSENT ? undefined : Number(cell);
}

/** `-0` keeps its sign. */
export function cellOf(value: number | undefined): Cell {
  if (value === undefined) return ABSENT;
  return Object.is(value, -0) ? '-0' : String(value);
}

/** A temperature as it is compared: -0 is stored as -0.05 (see `printedNumber`). */
export function printTemperature(compared: Cell): Cell {
  return compared === '-0.05' ? '-0' : compared;
}

/** The value of the record; NULL where the report does not give it. */
export function valueSql(field: string): string {
  return fieldOf(field).sql;
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

function toDouble(field: string, sql: string): string {
  const column = FIELD_COLUMNS.get(field);
  if (column === undefined || fieldOf(field).values.kind !== 'number')
    throw new Error(`${field} is not a number`);
  return doubleOf(column, sql);
}
