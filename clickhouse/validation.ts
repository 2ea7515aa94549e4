import { Ajv, type ErrorObject, type Format, type SchemaObject } from 'ajv';

export type InvalidValue = { readonly name: string; readonly detail: string };

export type ValidationResult<T> =
  | { readonly kind: 'valid'; readonly value: T }
  | { readonly kind: 'invalid'; readonly errors: readonly InvalidValue[] };

const NUMBER_FORMS = { wholeNumber: /^\d{1,9}$/, decimalNumber: /^-?\d{1,9}(\.\d{1,20})?$/ };

/** A list can have a thousand wrong items; the first few show the mistake. */
const MAX_ITEMS_SHOWN = 5;

/**
 * Compiles the schema of an object of named values: query parameters, settings. The `description` of a property says what to
 * write, and is the text of its error. All invalid values are reported, each once; values are not shown, because a setting can
 * hold a password, but list items are. Absent values get the schema's defaults, in place. Types are not converted, or `1e3`
 * would be a thousand: numbers are strings with the keyword `wholeNumber: [least, most]` or `decimalNumber: [least, most]`.
 */
export function compileSchema<T>(
  schema: SchemaObject,
  formats: Readonly<Record<string, Format>> = {},
): (value: unknown) => ValidationResult<T> {
  // Schemas are program constants: checking each against the meta-schema takes longer than compiling it.
  const ajv = new Ajv({ allErrors: true, verbose: true, useDefaults: true, validateSchema: false, formats });
  for (const [keyword, form] of Object.entries(NUMBER_FORMS))
    ajv.addKeyword({ keyword, type: 'string', errors: false, validate: isNumberWithin(form) });
  ajv.addVocabulary(['isSecret', 'purpose']);
  const validate = ajv.compile<T>(schema);
  return (value) => {
    if (validate(value)) return { kind: 'valid', value };
    return { kind: 'invalid', errors: toInvalidValues(validate.errors ?? [], schema) };
  };
}

function isNumberWithin(form: RegExp) {
  return ([least, most]: readonly [number, number], text: string): boolean =>
    form.test(text) && Number(text) >= least && Number(text) <= most;
}

function toInvalidValues(errors: readonly ErrorObject[], schema: SchemaObject): readonly InvalidValue[] {
  const names = new Set(errors.map(nameOf));
  return [...names].map((name) => {
    const expected: string = schema.properties[name]?.description ?? '';
    const errorsOfName = errors.filter((error) => nameOf(error) === name);
    const [first] = errorsOfName;
    if (first === undefined || first.keyword === 'required')
      return { name, detail: `is required: ${expected}` };
    if (first.keyword === 'additionalProperties')
      return { name, detail: `is unknown: ${insteadOf(name, Object.keys(schema.properties))}` };
    if (first.keyword === 'maxItems')
      return {
        name,
        detail: `must be ${expected}; found ${(first.data as unknown[]).length.toLocaleString('en')}`,
      };
    const items = errorsOfName.filter(({ instancePath }) => instancePath.lastIndexOf('/') > 0);
    if (items.length === 0) return { name, detail: `must be ${expected}` };
    const shown = items.slice(0, MAX_ITEMS_SHOWN).map(showItem);
    const others = items.length > MAX_ITEMS_SHOWN ? ` and ${items.length - MAX_ITEMS_SHOWN} more` : '';
    return { name, detail: `must be ${expected}; found ${shown.join(', ')}${others}` };
  });
}

/** A wrong list item; if it should be one of some names, with the nearest ones. */
function showItem({ data, keyword, params }: ErrorObject): string {
  if (data === '') return 'an empty item';
  const instead = keyword === 'enum' ? insteadOf(String(data), params.allowedValues, '') : '';
  return JSON.stringify(String(data).slice(0, 32)) + (instead && ` (${instead})`);
}

function nameOf({ keyword, params, instancePath }: ErrorObject): string {
  if (keyword === 'required') return params.missingProperty;
  if (keyword === 'additionalProperties') return params.additionalProperty;
  if (keyword === 'dependencies') return params.property;
  return instancePath.split('/')[1] ?? '';
}

/** Up to three names nearest to a mistyped one, nearest first; none if all are far. */
function nearestNames(mistyped: string, names: Iterable<string>): readonly string[] {
  const text = mistyped.toLowerCase();
  const maxDistance = Math.floor(text.length / 3);
  return [...names]
    .map((name) => ({
      name,
      distance: name.startsWith(`${text}_`) ? 0 : editDistance(text, name.toLowerCase()),
    }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** @param otherwise what to write if no name is near: by default all names */
export function insteadOf(
  unknown: string,
  names: readonly string[],
  otherwise = `there are ${names.join(', ')}`,
): string {
  const nearest = nearestNames(unknown.slice(0, 64), names);
  return nearest.length > 0 ? `the nearest is ${nearest.join(' or ')}` : otherwise;
}

/** Whether only case and `_` differ, and one letter of a long name. Short names are like too many others. */
export function isSlipOf(name: string, text: string): boolean {
  const [wanted = '', found = ''] = [name, text].map((each) => each.replaceAll('_', '').toUpperCase());
  if (wanted.length < 7 || Math.abs(found.length - wanted.length) > 1) return false;
  return editDistance(found, wanted) <= (wanted.length > 9 ? 1 : 0);
}

/** How many characters must be inserted, deleted or replaced (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
