import { DECODED_FIELDS, type Decoded } from '../../clickhouse/model/fields.ts';

/** `npm run generate` writes it. */
export const FIELDS_FILE = new URL('../../loader/decode/fields.generated.ts', import.meta.url);

const BANNER = '/* Written by `npm run generate` from the list of fields: do not edit. */';

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
export function fieldsCode(): string {
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
