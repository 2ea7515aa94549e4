import { DERIVED_FIELDS, type DerivedField } from './derived-fields.ts';
import {
  DECODED_FIELDS,
  type Decoded,
  type Field,
  type FieldType,
  isList,
  type Marks,
  type PartialDecoded,
} from './fields.ts';
import { COUNTS } from './report.ts';
import type { Conversion } from './units.ts';

/** A report that did not parse cleanly has only `STORED_OF_ALL`, so no statement has to check whether it parsed. */
export type FieldColumn = {
  readonly name: string;
  /** The type of the values that records print. */
  readonly type: FieldType;
  readonly storedType: FieldType;
  readonly isLowCardinality?: boolean | undefined;
  /** The value that records print: NULL for an absent field or an empty list. */
  readonly sql: string;
  readonly comparableSql: string;
  readonly marks?: Marks | undefined;
  readonly unit?: string | undefined;
  readonly meaning: string;
  readonly of?: FieldColumn;
  readonly conversion?: Conversion;
  /** An indexed number in another unit, which differs by at most 1 from `toStored` of the value. */
  readonly near?: { readonly sql: string; readonly toStored: Conversion['toStored'] };
};

/** Stored whether or not a report parsed: coverage must recognize a missing report, and series a correction. */
const STORED_OF_ALL: ReadonlySet<string> = new Set(['nil', 'cor', 'cor_number'] satisfies (keyof Decoded)[]);

export function storedOfAll({ nil, cor, cor_number }: PartialDecoded): Partial<PartialDecoded> {
  return { nil, cor, cor_number };
}

const DECODED_COLUMNS: readonly FieldColumn[] = DECODED_FIELDS.map(decodedColumn);
export const DERIVED_COLUMNS: readonly FieldColumn[] = DERIVED_FIELDS.map(derivedColumn);

/** By name: the decoded fields in the order in which records print them, then the derived ones. */
export const FIELD_COLUMNS: ReadonlyMap<string, FieldColumn> = new Map(
  [...DECODED_COLUMNS, ...DERIVED_COLUMNS].map((column) => [column.name, column]),
);

export const FIELD_NAMES: readonly string[] = [...FIELD_COLUMNS.keys()];

function decodedColumn({ name, type, isLowCardinality, marks, unit, meaning }: Field): FieldColumn {
  const sql = STORED_OF_ALL.has(name) ? `if(clean, ${name}, NULL)` : name;
  // As a floating-point number, a literal equals the tenths that the record prints.
  const comparableSql = type === 'Temperature' ? `toFloat64(${name})` : sql;
  return { name, type, storedType: type, isLowCardinality, sql, comparableSql, marks, unit, meaning };
}

function derivedColumn({
  name,
  type,
  sql = name,
  marks,
  unit,
  meaning,
  ...field
}: DerivedField): FieldColumn {
  const storedType = field.storedType ?? type;
  const comparableSql = storedType === 'Decimal' ? sql : name;
  return { name, type, storedType, sql, comparableSql, marks, unit, meaning };
}

/** For a SELECT: all decoded fields, each by its name. */
export const ALL_DECODED: readonly string[] = DECODED_COLUMNS.map(({ name, sql }) =>
  sql === name ? name : `${sql} AS ${name}`,
);

/** The ClickHouse type of a column. Lists may be empty but never NULL. */
export function columnType({ storedType, isLowCardinality }: FieldColumn): string {
  const type = isList(storedType) ? valueType(storedType) : `Nullable(${valueType(storedType)})`;
  return isLowCardinality ? `LowCardinality(${type})` : type;
}

/** -0 is stored as -0.05, so conditions and indexes have it below 0 and above -0.1. Rounded, it is -0, which is 0 in sums. */
export function printedNumber(type: FieldType, sql: string): string {
  return type === 'Temperature' ? `round(toFloat64(${sql}), 1)` : sql;
}

/**
 * A number as a double, which equals the decimal that the record prints: a Float32 has digits that no report gives
 * (1013.2000122). Pressures in hPa have at most two decimal places, and no field more than the four of a 16th of a mile.
 */
export function doubleOf({ type, unit }: Pick<FieldColumn, 'type' | 'unit'>, sql: string): string {
  if (type === 'Temperature') return printedNumber(type, sql);
  const double = `toFloat64(${sql})`;
  return type === 'Float32' ? `round(${double}, ${unit === 'hPa' ? 2 : 4})` : double;
}

/** The value that a record in JSON prints: a temperature is text there. */
export function printedText(type: FieldType, sql: string): string {
  return type === 'Temperature' ? `toString(${printedNumber(type, sql)})` : sql;
}

export function valueType(type: FieldType): string {
  if (isList(type)) return `Array(Tuple(${type.items.map(itemType).join(', ')}))`;
  if (typeof type === 'object') return enum8(type);
  if (type === 'Decimal') return 'Decimal(9, 1)';
  if (type === 'Temperature') return 'Decimal(9, 2)';
  return type === 'true' ? 'Bool' : type;
}

function itemType({ name, type, required }: Field): string {
  return `${name} ${required ? valueType(type) : `Nullable(${valueType(type)})`}`;
}

/** Numbered from 0, so that a row without a value has `no`. */
export const COUNTS_TYPE = `Enum8(${COUNTS.map((value, n) => `'${value}' = ${n}`).join(', ')})`;

export function enum8(values: readonly string[]): string {
  return `Enum8(${values.map((value, n) => `'${value}' = ${n + 1}`).join(', ')})`;
}

/** The number of a value of `enum8`. @throws for another value: a row with its number would end the engine when it is read */
export function numberInEnum8(values: readonly string[], value: string): number {
  const number = values.indexOf(value) + 1;
  if (number === 0) throw new Error(`${JSON.stringify(value)} is none of ${values.join(', ')}`);
  return number;
}
