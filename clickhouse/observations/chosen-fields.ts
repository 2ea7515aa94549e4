import { DERIVED_FIELDS } from '../model/derived-fields.ts';
import { ADDED_NAMES, DECODED_FIELDS, type FieldType } from '../model/fields.ts';

/** A decoded or derived field that a request has chosen (D44). */
export type ChosenField = {
  readonly name: string;
  readonly type: FieldType | 'Float64';
  /** Its value over one row of `observations`, whether or not the report parsed cleanly. */
  readonly sql: string;
  /** The name of this value in statements: `trend` and `sea` could be those of something else. */
  readonly alias: string;
};

const FIELDS: ReadonlyMap<string, ChosenField> = new Map(
  [
    // The path names a column of its own: the other fields are not read.
    ...DECODED_FIELDS.map(({ name, type }) => ({
      name,
      type,
      sql: ADDED_NAMES.has(name) ? name : `decoded.${name}`,
    })),
    ...DERIVED_FIELDS,
  ].map(({ name, type, sql }) => [name, { name, type, sql, alias: `field_${name}` }]),
);

/** The names that a request can choose. */
export const FIELD_NAMES: readonly string[] = [...FIELDS.keys()];

/** @throws for a name that is not in `FIELD_NAMES` */
export function chosenFields(names: readonly string[]): readonly ChosenField[] {
  return names.map((name) => {
    const field = FIELDS.get(name);
    if (field === undefined) throw new Error(`There is no field ${name}`);
    return field;
  });
}

/** The values by their aliases, for a list of columns or a clause WITH. */
export function chosenColumns(names: readonly string[]): readonly string[] {
  return chosenFields(names).map(({ sql, alias }) => `${sql} AS ${alias}`);
}

/** The object `decoded` with these fields alone, in this order; a field without a value is left out (D9). */
export function chosenJson(names: readonly string[]): string {
  const members = chosenFields(names).map(({ name, type, alias }) => {
    const isAbsent = typeof type === 'object' && 'items' in type ? `empty(${alias})` : `isNull(${alias})`;
    return `if(${isAbsent}, '', concat(',"${name}":', toJSONString(${alias})))`;
  });
  return `concat('{', substring(concat(${members.join(', ')}, ''), 2), '}')`;
}
