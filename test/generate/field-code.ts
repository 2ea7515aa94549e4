import { DERIVED_COLUMNS, FIELD_COLUMNS, valueType } from '../../clickhouse/model/field-columns.ts';
import { DECODED_FIELDS, type Decoded, type FieldType, isList } from '../../clickhouse/model/fields.ts';

/*
 * Two files that name each field, written from the list of fields: a loop over the list takes three times as long for each
 * report, because it looks up each field and each column by its name.
 */

/** By path; `npm run generate` writes them. */
export const FIELD_CODE: ReadonlyMap<URL, () => string> = new Map([
  [new URL('../../clickhouse/observations/field-writer.generated.ts', import.meta.url), fieldWriterCode],
  [new URL('../../loader/decode/fields.generated.ts', import.meta.url), fieldsCode],
]);

const BANNER = '/* Written by `npm run generate` from the list of fields: do not edit. */';

/** The columns of a block, and what puts the fields of a report into them. */
function fieldWriterCode(): string {
  const columns = [...FIELD_COLUMNS.values()].map(
    ({ name, storedType }) => `    ${name}: ${newColumn(storedType, false)},`,
  );
  const decoded = DECODED_FIELDS.map(
    ({ name, type }) => `  ${putting(`columns.${name}`, `decoded.${name}`, type)}`,
  );
  const derived = DERIVED_COLUMNS.map(
    ({ name, storedType }, n) =>
      `  ${putting(`columns.${name}`, `derived[${n}]`, storedType === 'Decimal' ? storedType : 'Bool')}`,
  );
  return `${BANNER}
import type { DerivedValues } from '../model/derived-fields.ts';
import type { PartialDecoded } from '../model/fields.ts';
import {
  ArrayWriter, hundredths, NullableStringWriter, NumberWriter, numberOf, StringWriter, TupleWriter, tenths,
} from './native-columns.ts';

type FieldColumns = ReturnType<typeof newFieldColumns>;

export function newFieldColumns() {
  return {
${columns.join('\n')}
  };
}

/** A field that the report does not give is \`undefined\`. */
export function putDecoded(columns: FieldColumns, row: number, decoded: Partial<PartialDecoded>): void {
${decoded.join('\n')}
}

export function putDerived(columns: FieldColumns, row: number, derived: DerivedValues): void {
${derived.join('\n')}
}

/** The numbers of values in the archive. */
${[...choices.values()].map(({ name, values }) => `const ${name}: Readonly<Record<string, number>> = { ${values.map((value, n) => `'${value}': ${n + 1}`).join(', ')} };`).join('\n')}
`;
}

function newColumn(type: FieldType, isRequired: boolean): string {
  if (isList(type)) {
    const items = type.items.map((item) => `${item.name}: ${newColumn(item.type, item.required ?? false)}`);
    return `new ArrayWriter(new TupleWriter({ ${items.join(', ')} }))`;
  }
  if (type === 'String') return isRequired ? 'new StringWriter()' : 'new NullableStringWriter()';
  const stored = isRequired ? valueType(type) : `Nullable(${valueType(type)})`;
  return `new NumberWriter(${JSON.stringify(stored)})`;
}

/** The statement that puts a value into its column. */
function putting(column: string, value: string, type: FieldType, row = 'row'): string {
  if (!isList(type)) return `${column}.put(${row}, ${storedValue(value, type)});`;
  const items = type.items.map(({ name, type: itemType }) =>
    putting(`${column}.items.elements.${name}`, `item.${name}`, itemType, 'at'),
  );
  return `if (${value} !== undefined) for (const item of ${value}) {
    const at = ${column}.next();
    ${items.join('\n    ')}
  }
  ${column}.end(row);`;
}

const choices = new Map<string, { readonly name: string; readonly values: readonly string[] }>();

function storedValue(value: string, type: FieldType): string {
  if (typeof type === 'object') {
    const values = type as readonly string[];
    const key = values.join();
    const choice = choices.get(key) ?? { name: `CHOICE_${choices.size + 1}`, values };
    choices.set(key, choice);
    return `${choice.name}[${value} ?? '']`;
  }
  if (type === 'Decimal') return `tenths(${value})`;
  if (type === 'Temperature') return `hundredths(${value})`;
  return type === 'Bool' || type === 'true' ? `numberOf(${value})` : value;
}

const OPTIONAL_NAMES = DECODED_FIELDS.map(({ name }) => name).filter((name) => name !== 'cavok');

/** Most reports give all of these. Written as one object instead of one by one: about 10 % more reports per second. */
const USUAL_NAMES = [
  'wdir',
  'wspd_kt',
  'visib_m',
  'clouds',
  'temp_c',
  'dewp_c',
  'altim_hpa',
  'fltcat',
] as const satisfies readonly (keyof Decoded)[];

/** American reports also give these. */
const AMERICAN_NAMES = [...USUAL_NAMES, 'visib_sm', 'altim_inhg'] as const;

/**
 * The fields of a report while it is read. All reports then share one shape, so no assignment looks it up: copying an object
 * and looping over its names decode 13 % fewer reports a second.
 */
function fieldsCode(): string {
  return `${BANNER}
import type { Decoded } from '../../clickhouse/model/fields.ts';

/** The fields of a report while it is read: every key is present, \`undefined\` until a group gives the field. */
export type Fields = { -readonly [Name in keyof Required<Decoded>]: Decoded[Name] | undefined } & {
  cavok: boolean;
};

export function emptyFields(): Fields {
  return {
    cavok: false,
${OPTIONAL_NAMES.map((name) => `    ${name}: undefined,`).join('\n')}
  };
}

/** The fields that a report gave, and no other keys (D9). */
export function presentFields(fields: Readonly<Fields>): Decoded {
  const isAmerican = ${hasAll(AMERICAN_NAMES)};
  const present: { -readonly [Name in keyof Decoded]: Decoded[Name] } =
    isAmerican ? ${objectOf(AMERICAN_NAMES)}
    : ${hasAll(USUAL_NAMES)} ? ${objectOf(USUAL_NAMES)}
    : { cavok: fields.cavok };
  if (!isAmerican) {
${presenting(AMERICAN_NAMES)}
  }
${presenting(OPTIONAL_NAMES.filter((name) => !AMERICAN_NAMES.some((other) => other === name)))}
  return present;
}
`;
}

function presenting(names: readonly string[]): string {
  return names
    .map((name) => `  if (fields.${name} !== undefined) present.${name} = fields.${name};`)
    .join('\n');
}

function hasAll(names: readonly string[]): string {
  return names.map((name) => `fields.${name} !== undefined`).join(' && ');
}

function objectOf(names: readonly string[]): string {
  return `{ cavok: fields.cavok, ${names.map((name) => `${name}: fields.${name}`).join(', ')} }`;
}
