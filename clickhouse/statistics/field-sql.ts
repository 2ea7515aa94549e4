import { doubleOf, type FieldColumn } from '../model/field-columns.ts';
import { NAMED_COLUMNS } from '../model/named-fields.ts';
import type { Conversion } from '../model/units.ts';

// SQL over a report or a day: the value of one of its fields.

/** A field with numbers: the stored one, and how its numbers become those of another unit. */
export type NumberField = {
  readonly stored: Pick<FieldColumn, 'sql' | 'type' | 'unit'>;
  readonly conversion?: Conversion | undefined;
};

/** @param field one with numbers */
export function numberFieldOf(field: string): NumberField {
  const { of, conversion, ...column } = NAMED_COLUMNS.get(field) as FieldColumn;
  return { stored: of ?? column, conversion };
}

/** The number that the record prints, before a converted one is rounded. */
export function numberSql({ stored, conversion }: NumberField): string {
  const number = doubleOf(stored, stored.sql);
  return conversion?.exact(number) ?? number;
}

/** A number that orders values: that of the stored field, of which -0 is below 0. */
export function orderedSql({ stored }: NumberField): string {
  return stored.type === 'Temperature' ? `toFloat64(${stored.sql})` : doubleOf(stored, stored.sql);
}

/** The least or greatest value: not each value becomes a double in its unit, but the result. */
export function extremeSql(
  { stored, conversion }: NumberField,
  aggregate: (value: string) => string,
): string {
  const extreme = doubleOf(stored, aggregate(stored.sql));
  return conversion?.printed(extreme) ?? extreme;
}
