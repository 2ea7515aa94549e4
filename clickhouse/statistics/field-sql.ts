import { fieldOf } from '../conditions/fields.ts';
import { doubleOf, type FieldColumn } from '../model/field-columns.ts';
import { NAMED_COLUMNS } from '../model/named-fields.ts';

// SQL over a report: the value of one of its fields.

/** The value of the record; NULL where the report does not give it. */
export function valueSql(field: string): string {
  return fieldOf(field).sql;
}

/** The number that the record prints, before a converted one is rounded. */
export function numberSql(field: string): string {
  const { of, conversion, ...column } = columnOf(field);
  return of && conversion ? conversion.exact(doubleOf(of, of.sql)) : doubleOf(column, column.sql);
}

/** The same number where it is compared: -0 is below 0. */
export function orderedNumber(field: string, sql: string): string {
  return isTemperature(field) ? `toFloat64(${sql})` : doubleOf(columnOf(field), sql);
}

export function isTemperature(field: string): boolean {
  return columnOf(field).type === 'Temperature';
}

/** A number of the stored field in the unit of this one. */
export function inUnitOf(field: string, sql: string): string {
  return columnOf(field).conversion?.exact(sql) ?? sql;
}

/** The field by which values are ordered: where this field is in another unit, the stored one. */
export function storedField(field: string): string {
  return columnOf(field).of?.name ?? field;
}

/** @param field one with numbers */
function columnOf(field: string): FieldColumn {
  return NAMED_COLUMNS.get(field) as FieldColumn;
}
