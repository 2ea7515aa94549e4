import { FIELD_COLUMNS, type FieldColumn } from '../model/field-columns.ts';
import { isList } from '../model/fields.ts';

/** A decoded or derived field that a request has chosen. */
export type ChosenField = FieldColumn & {
  /** The name of this value in statements: `trend` and `sea` could be those of something else. */
  readonly alias: string;
};

/** The names that a request can choose. */
export const FIELD_NAMES: readonly string[] = [...FIELD_COLUMNS.keys()];

/** @throws for a name that is not in `FIELD_NAMES` */
export function chosenFields(names: readonly string[]): readonly ChosenField[] {
  return names.map((name) => {
    const field = FIELD_COLUMNS.get(name);
    if (field === undefined) throw new Error(`There is no field ${name}`);
    return { ...field, alias: `field_${name}` };
  });
}

/** The values by their aliases, for a list of columns or a clause WITH. */
export function chosenColumns(names: readonly string[]): readonly string[] {
  return chosenFields(names).map(({ sql, alias }) => `${sql} AS ${alias}`);
}

/** The object `decoded` with only these fields, in this order; fields without a value are omitted. */
export function chosenJson(names: readonly string[]): string {
  const members = chosenFields(names).map(({ name, type, alias }) => {
    const isAbsent = isList(type) ? `empty(${alias})` : `isNull(${alias})`;
    return `if(${isAbsent}, '', concat(',"${name}":', toJSONString(${alias})))`;
  });
  return `concat('{', substring(concat(${members.join(', ')}, ''), 2), '}')`;
}
