import { Ajv, type ErrorObject, type Format, type SchemaObject } from 'ajv';

/** What is wrong with one named value. */
export type InvalidValue = { readonly name: string; readonly detail: string };

export type ValidationResult<T> =
  | { readonly kind: 'wellFormed'; readonly value: T }
  | { readonly kind: 'faulty'; readonly faults: readonly InvalidValue[] };

/** Of a thousand wrong list items the first few say enough. */
const ITEMS_NAMED = 5;

/**
 * Compiles the schema of an object of named values: query parameters, environment settings. Each property's
 * `description` says what to write, and is the text of the fault when something else stands there. Every faulty
 * value is reported, each once. Absent values get the schema's defaults, in place. Nothing is coerced: `1e3` is not a
 * thousand, so numbers are texts of a format here and are read by their owner.
 */
export function compileSchema<T>(
  schema: SchemaObject,
  formats: Readonly<Record<string, Format>> = {},
): (value: unknown) => ValidationResult<T> {
  const ajv = new Ajv({ allErrors: true, verbose: true, useDefaults: true, formats });
  const validate = ajv.compile<T>(schema);
  return (value) => {
    if (validate(value)) return { kind: 'wellFormed', value };
    return { kind: 'faulty', faults: faultsOf(validate.errors ?? [], schema) };
  };
}

function faultsOf(errors: readonly ErrorObject[], schema: SchemaObject): readonly InvalidValue[] {
  const names = new Set(errors.map(nameOf));
  return [...names].map((name) => {
    const wanted: string = schema.properties[name]?.description ?? '';
    const own = errors.filter((error) => nameOf(error) === name);
    const [first] = own;
    if (first === undefined || first.keyword === 'required')
      return { name, detail: `is required: ${wanted}` };
    if (first.keyword === 'additionalProperties') return { name, detail: 'is not known here' };
    const items = own.filter(({ instancePath }) => instancePath.lastIndexOf('/') > 0);
    if (items.length === 0) return { name, detail: `must be ${wanted}` };
    const named = items
      .slice(0, ITEMS_NAMED)
      .map(({ data }) => (data === '' ? 'an empty item' : JSON.stringify(String(data).slice(0, 32))));
    const others = items.length > ITEMS_NAMED ? ` and ${items.length - ITEMS_NAMED} more` : '';
    return { name, detail: `must be ${wanted}; found ${named.join(', ')}${others}` };
  });
}

function nameOf({ keyword, params, instancePath }: ErrorObject): string {
  if (keyword === 'required') return params.missingProperty;
  if (keyword === 'additionalProperties') return params.additionalProperty;
  return instancePath.split('/')[1] ?? '';
}
