import { DERIVED_FIELDS, type DerivedField } from '../../../clickhouse/model/derived-fields.ts';
import { DECODED_FIELDS, type Field } from '../../../clickhouse/model/fields.ts';
import type { JsonObject } from './json-schema.ts';

/**
 * The schema of `decoded`, built from the one list of its fields. `x-unit` holds the unit. New fields can be added in
 * the same version of the API, so the object is open.
 */
export function decodedSchema(): JsonObject {
  return {
    description:
      'The values of the report, field by field; with `fields` these alone. Derived fields (`ceiling_ft`, `rh_pct`, `rvr_min_m`) are there only where `fields` names them. A field that the report does not give is absent: never 0, never null.',
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

function fieldSchema({
  type,
  unit,
  meaning,
}: Pick<Field, 'unit' | 'meaning'> & { readonly type: AnyType }): JsonObject {
  return { ...typeSchema(type), description: meaning, ...(unit !== undefined && { 'x-unit': unit }) };
}

type AnyType = Field['type'] | DerivedField['type'];

const LARGEST = { UInt8: 0xff, UInt16: 0xffff, UInt32: 0xffff_ffff } as const;

function typeSchema(type: AnyType): JsonObject {
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
