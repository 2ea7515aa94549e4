import { fieldOf } from '../conditions/condition.ts';
import { doubleOf, FIELD_COLUMNS } from '../model/field-columns.ts';

// SQL over a report: the value of one of its fields.

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
