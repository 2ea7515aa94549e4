import { DERIVED_FIELDS } from '../model/derived-fields.ts';
import { DERIVED_COLUMNS } from '../model/field-columns.ts';
import { DECODED_FIELDS, type FieldType, isList, type PartialDecoded } from '../model/fields.ts';
import type { newFieldColumns } from './observation-columns.ts';

type FieldColumns = ReturnType<typeof newFieldColumns>;
type WriteFields = (columns: FieldColumns, row: number, decoded: Partial<PartialDecoded>) => void;

/*
 * The functions that put the fields of a report into their columns, compiled from the list of fields: a loop over the list
 * takes three times as long, because it looks up each field and each column by its name.
 */

/** The number of each value of the fields with a choice. */
const numbers: Readonly<Record<string, number>>[] = [];

export const writeDecodedFields = compile(
  DECODED_FIELDS.map(({ name, type }) => statement(`columns.${name}`, 'row', `decoded.${name}`, type)),
);

export const writeDerivedFields = compile(
  DERIVED_COLUMNS.map(({ name, storedType }, n) =>
    statement(`columns.${name}`, 'row', `derived[${n}].compute(decoded)`, storedType),
  ),
) as (columns: FieldColumns, row: number, decoded: PartialDecoded) => void;

function compile(statements: readonly string[]): WriteFields {
  const body = `return (columns, row, decoded) => {\n${statements.join('\n')}\n};`;
  return new Function('tenths', 'flag', 'numbers', 'derived', body)(tenths, flag, numbers, DERIVED_FIELDS);
}

/** The statement that writes a value, which is `undefined` where the report does not give it. */
function statement(column: string, row: string, value: string, type: FieldType): string {
  if (isList(type)) {
    const items = type.items.map(({ name, type: itemType }) =>
      statement(`${column}.items.elements.${name}`, 'at', `item.${name}`, itemType),
    );
    return `if (${value} !== undefined) for (const item of ${value}) {
      const at = ${column}.next();
      ${items.join('\n')}
    }
    ${column}.end(${row});`;
  }
  if (typeof type === 'object') {
    const count = numbers.push(Object.fromEntries(type.map((text, n) => [text, n + 1])));
    return `${column}.uint8(${row}, numbers[${count - 1}][${value}]);`;
  }
  switch (type) {
    case 'String':
      return `${column}.put(${row}, ${value});`;
    case 'Decimal':
      return `${column}.int32(${row}, tenths(${value}));`;
    case 'Bool':
    case 'true':
      return `${column}.uint8(${row}, flag(${value}));`;
    default:
      return `${column}.${type.toLowerCase()}(${row}, ${value});`;
  }
}

/** As Decimal(9, 1) is stored. */
function tenths(value: string | number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(Number(value) * 10);
}

function flag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}
