import { FIELD_COLUMNS, type FieldColumn } from '../model/field-columns.ts';
import { type FieldType, isList } from '../model/fields.ts';
import { REPORT_TYPES } from '../model/report.ts';
import type { Token } from './tokens.ts';

/** A field with one value per report. Conditions compare `comparableSql`: the record's value, except for `ceiling_ft` (D43). */
export type ScalarField = Pick<FieldColumn, 'name' | 'sql' | 'comparableSql'> & {
  readonly values: FieldValues;
};

/**
 * The kind of values, and so what they can be compared with. `flag`: TRUE or absent. `choice`: one of a few texts, an
 * Enum in SQL. `pattern`: text that can only be matched with LIKE.
 */
type FieldValues =
  | { readonly kind: 'number'; readonly sqlType: 'Float32' | 'Float64' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'text' | 'pattern' | 'boolean' | 'flag' };

function valuesOf(type: FieldType): FieldValues {
  if (typeof type === 'object') return { kind: 'choice', choices: type as readonly string[] };
  switch (type) {
    case 'String':
      return { kind: 'text' };
    case 'Bool':
      return { kind: 'boolean' };
    case 'true':
      return { kind: 'flag' };
    // A literal must be rounded like the stored value, or 29.92 would not equal it.
    case 'Float32':
      return { kind: 'number', sqlType: 'Float32' };
    default:
      return { kind: 'number', sqlType: 'Float64' };
  }
}

/** The decoded and derived fields with one value per report, by name. */
export const SCALAR_FIELDS: ReadonlyMap<string, ScalarField> = new Map(
  [...FIELD_COLUMNS.values()]
    .filter(({ type }) => !isList(type))
    .map((column) => [column.name, { ...column, values: valuesOf(column.type) }]),
);

/** The fields that a condition can name. */
export const FIELDS_FOR_CONDITIONS: ReadonlyMap<string, ScalarField> = new Map([
  ...SCALAR_FIELDS,
  [
    'type',
    { name: 'type', values: { kind: 'choice', choices: REPORT_TYPES }, sql: 'type', comparableSql: 'type' },
  ],
  ['raw', { name: 'raw', values: { kind: 'pattern' }, sql: 'raw', comparableSql: 'raw' }],
]);

/** What to name instead of a list. */
export const FIELDS_OF_LISTS: ReadonlyMap<string, string> = new Map([
  ['clouds', 'ceiling_ft'],
  ['rvr', 'rvr_min_m'],
]);

/** @throws if no condition can name it; `parseCondition` rejects such names */
export function fieldOf(name: string): ScalarField {
  const field = FIELDS_FOR_CONDITIONS.get(name);
  if (field === undefined) throw new Error(`Conditions have no field ${name}`);
  return field;
}

/** The value of a token in a comparison with a field; `undefined` if such a field can never have it. */
export function readValue(
  { kind, value }: Token,
  values: ScalarField['values'],
): number | string | boolean | undefined {
  switch (values.kind) {
    case 'number':
      return kind === 'number' && Number.isFinite(Number(value)) ? Number(value) : undefined;
    case 'choice':
      return kind === 'text' && values.choices.includes(value) ? value : undefined;
    case 'boolean':
    case 'flag':
      return kind === 'keyword' && (value === 'TRUE' || value === 'FALSE') ? value === 'TRUE' : undefined;
    default:
      return kind === 'text' ? value : undefined;
  }
}

/** What `readValue` expects, for the error message. */
export function describeValues(values: ScalarField['values']): string {
  switch (values.kind) {
    case 'number':
      return 'a number';
    case 'choice':
      return `one of ${values.choices.map((choice) => `'${choice}'`).join(', ')}`;
    case 'boolean':
      return 'TRUE or FALSE';
    case 'flag':
      return 'TRUE';
    default:
      return "text in single quotes, as in 'RA',";
  }
}
