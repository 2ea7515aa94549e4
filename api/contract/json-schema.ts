import { DERIVED_FIELDS, type DerivedField } from '../../clickhouse/model/derived-fields.ts';
import { DECODED_FIELDS, type Field } from '../../clickhouse/model/fields.ts';

/** A JSON Schema of draft 2020-12, which OpenAPI 3.1 uses too; or another object of an OpenAPI document. */
export type JsonObject = { readonly [name: string]: JsonValue };
export type JsonValue = string | number | boolean | JsonObject | readonly JsonValue[];

export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema of an object with the members of `T`. */
export type ObjectSchema<T> = {
  readonly type: string;
  readonly required?: readonly string[];
  readonly properties: { readonly [Name in keyof T]-?: JsonObject };
};

/** An object whose properties are all present, except those named as optional. */
export function objectSchema<Properties extends JsonObject>(
  properties: Properties,
  optional: readonly string[] = [],
) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', ...(required.length > 0 && { required }), properties };
}

/**
 * The schema of `decoded`, built from the one list of its fields. `x-unit` holds the unit. New fields can be added in
 * the same version of the API, so the object is open.
 */
export function decodedSchema(): JsonObject {
  return {
    description:
      'The values of the report, field by field; with `fields`, only those. Derived fields are there only where `fields` names them. A field that the report does not give is absent: never 0, never null.',
    type: 'object',
    // No field is required: with `fields`, only those requested are present.
    properties: fieldSchemas(),
  };
}

/** The schema of each decoded and derived field. */
export function fieldSchemas(): JsonObject {
  return Object.fromEntries(
    [...DECODED_FIELDS, ...DERIVED_FIELDS].map((field) => [field.name, fieldSchema(field)]),
  );
}

function recordSchema(fields: readonly Field[]): JsonObject {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    required,
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
  };
}

type AnyField = Pick<Field, 'unit' | 'meaning'> & { readonly type: Field['type'] | DerivedField['type'] };

function fieldSchema({ type, unit, meaning }: AnyField): JsonObject {
  return { ...typeSchema(type), description: meaning, ...(unit !== undefined && { 'x-unit': unit }) };
}

const LARGEST = { UInt8: 0xff, UInt16: 0xffff, UInt32: 0xffff_ffff } as const;

function typeSchema(type: AnyField['type']): JsonObject {
  if (typeof type === 'object')
    return 'items' in type
      ? { type: 'array', items: recordSchema(type.items) }
      : { type: 'string', enum: type };
  switch (type) {
    case 'UInt8':
    case 'UInt16':
    case 'UInt32':
      return { type: 'integer', minimum: 0, maximum: LARGEST[type] };
    case 'Float32':
    case 'Float64':
      return { type: 'number' };
    case 'Decimal':
      return { type: 'string', pattern: '^-?\\d+(\\.[1-9])?$' };
    case 'String':
      return { type: 'string' };
    case 'Bool':
      return { type: 'boolean' };
    case 'true':
      return { type: 'boolean', const: true };
  }
}
