import { DERIVED_FIELDS, type DerivedField } from '../../clickhouse/model/derived-fields.ts';
import { DECODED_FIELDS, type Field } from '../../clickhouse/model/fields.ts';
import { SOURCE_FIELD } from '../../clickhouse/model/named-fields.ts';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import { PLANS } from '../rate-limit/rate-limit.ts';

/** A JSON Schema of draft 2020-12, which OpenAPI 3.1 uses too; or another object of an OpenAPI document. */
export type JsonObject = { readonly [name: string]: JsonValue };
export type JsonValue = string | number | boolean | JsonObject | readonly JsonValue[];

export function schemaRef(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with these members. As in TypeScript, those whose name ends with a question mark can be absent. */
export function objectSchema(members: JsonObject) {
  const required = Object.keys(members).filter((name) => !name.endsWith('?'));
  const properties = Object.entries(members).map(([name, schema]) => [name.replace(/\?$/, ''), schema]);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties) as JsonObject,
  };
}

export function text(description: string) {
  return { type: 'string', description };
}

export function count(description?: string) {
  return { type: 'integer', minimum: 0, ...(description && { description }) };
}

/** `x-unit` holds the unit. New fields can be added in the same version of the API, so the object is open. */
export function decodedSchema(): JsonObject {
  return {
    description:
      'The values of the report, field by field; with `fields`, only the named ones. Derived fields, fields in other units and `crosswind_40` are present only if `fields` names them. A field that the report does not give is absent: never 0, never null.',
    type: 'object',
    // No field is required: with `fields`, only those requested are present.
    properties: fieldSchemas(),
  };
}

/** @param temperature of `temp_c` and `dewp_c`, which are text in records */
export function fieldSchemas(temperature?: JsonObject): JsonObject {
  return Object.fromEntries(
    [...DECODED_FIELDS, ...DERIVED_FIELDS, SOURCE_FIELD].map((field) => [
      field.name,
      fieldSchema(field, temperature),
    ]),
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

function fieldSchema({ type, unit, meaning }: AnyField, temperature?: JsonObject): JsonObject {
  const schema = (type === 'Temperature' ? temperature : undefined) ?? typeSchema(type);
  return { ...schema, description: meaning, ...(unit !== undefined && { 'x-unit': unit }) };
}

const unsigned = (maximum: number) => ({ type: 'integer', minimum: 0, maximum });

const TYPE_SCHEMAS = {
  UInt8: unsigned(0xff),
  UInt16: unsigned(0xffff),
  UInt32: unsigned(0xffff_ffff),
  Float32: { type: 'number' },
  Float64: { type: 'number' },
  Decimal: { type: 'number' },
  Temperature: { type: 'string', pattern: '^-?\\d+(\\.[1-9])?$' },
  String: { type: 'string' },
  Bool: { type: 'boolean' },
  true: { type: 'boolean', const: true },
};

function typeSchema(type: AnyField['type']): JsonObject {
  if (typeof type === 'string') return TYPE_SCHEMAS[type];
  return 'items' in type
    ? { type: 'array', items: recordSchema(type.items) }
    : { type: 'string', enum: type };
}

export const STATION = {
  type: 'string',
  pattern: ICAO_CODE.source,
  description: 'ICAO code of the station.',
};
export const MINUTE = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:00Z$',
};
export const COVERAGE_STATUS = { type: 'string', enum: ['complete', 'partial', 'none'] };
const DATE_SCHEMA = { type: 'string', format: 'date' };

export const SILENT_DAYS = count(
  'Requested days that are done and have no report: the station sent none, or its sources lost them.',
);

export const STATION_COVERAGE = objectSchema({
  station: STATION,
  status: COVERAGE_STATUS,
  yearsDone: count('Calendar years of the request whose requested days are all done.'),
  yearsAll: count('Calendar years that the request touches.'),
  silentDays: SILENT_DAYS,
});

/** @param members of `meta` besides the paging and the rate limit */
export function pageSchema(element: string, members: JsonObject): JsonObject {
  const paging = {
    hasMore: { type: 'boolean', description: 'Only `false` ends a walk.' },
    'nextCursor?': text('Present when `hasMore` is true; goes into `cursor`.'),
  };
  return objectSchema({
    data: { type: 'array', items: schemaRef(element) },
    meta: objectSchema({ ...paging, ...members, rateLimit: schemaRef('RateLimit') }),
  });
}

/** The value of `meta.tz` (D64). */
export function describeTimeZone(tz: string, inUtc: readonly string[]) {
  return inUtc.length === 0 ? tz : { zone: tz, utc: inUtc };
}

export const SCHEMAS: JsonObject = {
  Decoded: decodedSchema(),
  Coverage: objectSchema({
    status: { ...COVERAGE_STATUS, description: 'The status of all requested stations together.' },
    silentDays: count('The sum over the stations.'),
    stations: { type: 'array', items: schemaRef('StationCoverage') },
  }),
  StationCoverage: STATION_COVERAGE,
  PeriodOfRecord: {
    description: 'Days for which the sources state that they have reports; absent where none states it.',
    ...objectSchema({
      firstDay: DATE_SCHEMA,
      'lastDay?': { ...DATE_SCHEMA, description: 'Absent while the station reports.' },
    }),
  },
  RateLimit: {
    description: 'The numbers of the headers `X-RateLimit-Limit` and `X-RateLimit-Remaining`.',
    ...objectSchema({
      plan: { type: 'string', enum: Object.keys(PLANS) },
      limitPerSecond: { type: 'integer', enum: Object.values(PLANS) },
      remaining: count(),
    }),
  },
  TimeZone: {
    description:
      '`tz` of the request; with the stations whose zone no source states and whose position is unknown, if there are such: their days are those of UTC.',
    anyOf: [
      { type: 'string' },
      objectSchema({ zone: { type: 'string' }, utc: { type: 'array', items: STATION, minItems: 1 } }),
    ],
  },
  Sources: {
    description:
      'The collections from which the archive has reports of these stations in the calendar years of the range, and how to cite them.',
    type: 'array',
    items: objectSchema({ source: { type: 'string' }, 'citation?': { type: 'string' } }),
  },
};
