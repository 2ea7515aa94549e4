import { DERIVED_FIELDS, type DerivedField } from '../model/derived-fields.ts';
import { ADDED_NAMES, DECODED_FIELDS, type Field } from '../model/fields.ts';
import { REPORT_TYPES } from '../model/report.ts';

/** A field with one value a report, over one row of `observations`. */
export type ScalarField = {
  readonly name: string;
  readonly values: FieldValues;
  /** The value of the record; NULL where the field is absent, also where the report did not parse cleanly. */
  readonly sql: string;
  /** The value that a condition compares: that of the record but for `ceiling_ft` (D43). */
  readonly sqlInConditions: string;
};

/**
 * What the values are and so what they can be compared with. `flag`: TRUE or absent. `choice`: one of a few texts, an Enum
 * in SQL. `pattern`: text that can only be matched.
 */
type FieldValues =
  | { readonly kind: 'number'; readonly sqlType: 'Float32' | 'Float64' }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'text' | 'pattern' | 'boolean' | 'flag' };

function isScalar({ type }: Field): boolean {
  return typeof type !== 'object' || !('items' in type);
}

function decodedField(field: Field): ScalarField {
  const { name, type } = field;
  // The path names a column of its own; `tupleElement` would read all fields.
  const column = ADDED_NAMES.has(name) ? name : `decoded.${name}`;
  // As a number with a fraction a literal is equal to the tenths that the record prints.
  const value = type === 'Decimal' ? `toFloat64(${column})` : column;
  const sql = `if(clean, ${value}, NULL)`;
  return { name, values: valuesOf(type), sql, sqlInConditions: sql };
}

function valuesOf(type: Field['type']): FieldValues {
  if (typeof type === 'object') return { kind: 'choice', choices: type as readonly string[] };
  switch (type) {
    case 'String':
      return { kind: 'text' };
    case 'Bool':
      return { kind: 'boolean' };
    case 'true':
      return { kind: 'flag' };
    // A literal has to be rounded as the stored value is, or 29.92 would not be equal to it.
    case 'Float32':
      return { kind: 'number', sqlType: 'Float32' };
    default:
      return { kind: 'number', sqlType: 'Float64' };
  }
}

function derivedField({ name, sql, sqlInConditions = sql }: DerivedField): ScalarField {
  return {
    name,
    values: { kind: 'number', sqlType: 'Float64' },
    sql: `if(clean, ${sql}, NULL)`,
    sqlInConditions: `if(clean, ${sqlInConditions}, NULL)`,
  };
}

/** The decoded and derived fields with one value a report, by name. */
export const SCALAR_FIELDS: ReadonlyMap<string, ScalarField> = new Map(
  [...DECODED_FIELDS.filter(isScalar).map(decodedField), ...DERIVED_FIELDS.map(derivedField)].map((field) => [
    field.name,
    field,
  ]),
);

/** The fields that a condition can name. */
export const FIELDS_FOR_CONDITIONS: ReadonlyMap<string, ScalarField> = new Map([
  ...SCALAR_FIELDS,
  ...[
    { name: 'type', values: { kind: 'choice', choices: REPORT_TYPES }, sql: 'type', sqlInConditions: 'type' },
    { name: 'raw', values: { kind: 'pattern' }, sql: 'raw', sqlInConditions: 'raw' },
  ].map((field) => [field.name, field as ScalarField] as const),
]);

/** What to name instead of a list. */
export const FIELDS_OF_LISTS: ReadonlyMap<string, string> = new Map([
  ['clouds', 'ceiling_ft'],
  ['rvr', 'rvr_min_m'],
]);

/** @throws where no condition can name it: `parseCondition` lets no such name through */
export function fieldOf(name: string): ScalarField {
  const field = FIELDS_FOR_CONDITIONS.get(name);
  if (field === undefined) throw new Error(`Conditions have no field ${name}`);
  return field;
}
