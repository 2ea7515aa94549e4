import type { FieldColumn } from '../model/field-columns.ts';
import { type FieldType, isList } from '../model/fields.ts';
import { NAMED_COLUMNS } from '../model/named-fields.ts';
import { REPORT_TYPES } from '../model/report.ts';
import { type Conversion, inAllUnits, NamedFields, namesInUnits } from '../model/units.ts';
import { insteadOf } from '../validation.ts';
import type { Token } from './tokens.ts';

// The fields that conditions and statistics can name, and what their values are compared with.

/** A field with one value per report. Conditions compare `comparableSql`: the record's value, except for `ceiling_ft` (D43). */
export type ScalarField = Pick<FieldColumn, 'name' | 'sql' | 'comparableSql' | 'marks' | 'near'> & {
  readonly values: FieldValues;
  /** The number to compare with, where values are in another unit. */
  readonly toStored?: Conversion['toStored'];
};

export type ConditionFields = ReadonlyMap<string, ScalarField>;

/**
 * The kind of values, and so what they can be compared with. `flag`: TRUE or absent. `choice`: one of a few texts, an
 * Enum in SQL. `pattern`: text that can only be matched with LIKE. A number with `isBit` is 1 or 0.
 */
type FieldValues =
  | { readonly kind: 'number'; readonly sqlType: 'Float32' | 'Float64'; readonly isBit?: true }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'text' | 'pattern' | 'boolean' | 'flag' };

function valuesOfType(type: FieldType): FieldValues {
  if (typeof type === 'object') return { kind: 'choice', choices: type as readonly string[] };
  if (type === 'String') return { kind: 'text' };
  if (type === 'Bool') return { kind: 'boolean' };
  if (type === 'true') return { kind: 'flag' };
  // A literal must be rounded like the stored value, or 29.92 would not equal it.
  return { kind: 'number', sqlType: type === 'Float32' ? 'Float32' : 'Float64' };
}

/** A field as conditions compare it: in the unit in which it is stored. */
export function scalarOf({ of, conversion, ...column }: FieldColumn): ScalarField {
  const { comparableSql, type } = of ?? column;
  return {
    ...column,
    comparableSql,
    values: valuesOfType(type),
    ...(conversion && { toStored: conversion.toStored }),
  };
}

const scalarNamed = (name: string): ScalarField | undefined => {
  const column = NAMED_COLUMNS.get(name);
  return column === undefined || isList(column.type) ? undefined : scalarOf(column);
};
export const SCALAR_FIELDS: ConditionFields = new NamedFields(
  [...NAMED_COLUMNS.keys()].flatMap((name) => scalarNamed(name) ?? []),
  scalarNamed,
);

/** The fields of reports. */
export const FIELDS_FOR_CONDITIONS: ConditionFields = new NamedFields<ScalarField>(
  [
    ...SCALAR_FIELDS.values(),
    { name: 'type', values: { kind: 'choice', choices: REPORT_TYPES }, sql: 'type', comparableSql: 'type' },
    { name: 'raw', values: { kind: 'pattern' }, sql: 'raw', comparableSql: 'raw' },
  ],
  scalarNamed,
);

export function scalarsInUnits(fields: readonly ScalarField[]): ConditionFields {
  return inAllUnits(fields, (field, { name, toStored }) => ({ ...field, name, toStored }));
}

/** @throws if no condition can name it; `parseCondition` rejects such names */
export function fieldOf(name: string, fields: ConditionFields = FIELDS_FOR_CONDITIONS): ScalarField {
  const field = fields.get(name);
  if (field === undefined) throw new Error(`Conditions have no field ${name}`);
  return field;
}

/** The value of a token in a comparison with a field; `undefined` if such a field can never have it. */
export function readValue({ kind, value }: Token, values: ScalarField['values']) {
  if (values.kind === 'number') {
    const number = Number(value);
    const isPossible = values.isBit ? number === 0 || number === 1 : Number.isFinite(number);
    return kind === 'number' && isPossible ? number : undefined;
  }
  if (values.kind === 'boolean' || values.kind === 'flag')
    return kind === 'keyword' && (value === 'TRUE' || value === 'FALSE') ? value === 'TRUE' : undefined;
  const isChoice = values.kind !== 'choice' || values.choices.includes(value);
  return kind === 'text' && isChoice ? value : undefined;
}

export function describeValues(values: ScalarField['values']): string {
  if (values.kind === 'number') return values.isBit ? '1 or 0' : 'a number';
  if (values.kind === 'choice') return `one of ${values.choices.map((choice) => `'${choice}'`).join(', ')}`;
  if (values.kind === 'boolean') return 'TRUE or FALSE';
  return values.kind === 'flag' ? 'TRUE' : "text in single quotes, as in 'RA',";
}

const RUNWAY =
  'write crosswind(40), headwind(40) or tailwind(40) with the direction of a runway in degrees from 0 to 360, as in 40 or 44.3, or crosswind(40;gust)';

const FIELDS_OF_LISTS: ReadonlyMap<string, string> = new Map([
  ['clouds', 'ceiling_ft'],
  ['rvr', 'rvr_min_m'],
]);

/** What to write in place of an unknown field. `listed` are the fields of the rows; without a near name, it is `otherwise`. */
export function insteadOfField(
  name: string,
  listed: readonly string[],
  otherwise = `${listed.includes('wdir') ? '/docs/decoded-fields' : '/docs/days'} lists them`,
): string {
  const ofList = FIELDS_OF_LISTS.get(name);
  if (ofList !== undefined) return `use ${ofList}, because ${name} is a list`;
  if (/^(cross|head|tail)wind/.test(name))
    return listed.includes('wdir') ? RUNWAY : 'the wind along a runway is of reports, not of days';
  const units = namesInUnits(name, listed);
  return units.length > 0 ? `write ${units.join(' or ')}` : insteadOf(name, listed, otherwise);
}
