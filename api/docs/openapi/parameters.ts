import type { EndpointName } from '../../parameters/parameter.ts';
import { type NamedParameter, parametersOf, STREAM_LIMITS } from '../../parameters/query.ts';
import type { JsonObject } from './json-schema.ts';

const TIMES = new Set(['from', 'to']);

/** Bounds and default depend on the plan. */
const { default: _, ...PROFESSIONAL_LIMIT } = STREAM_LIMITS.professional.schema;
const STREAM_LIMIT = {
  schema: PROFESSIONAL_LIMIT,
  description:
    'a whole number from 1 to 10,000,000 (with a key of the plan starter 1,000,000, sandbox 10,000); without it the answer is the whole range, or 400 with its number of records (sandbox: 1,000 records)',
};

/** The parameters of an endpoint whose answer is a page or a stream. */
export function queryParameters(endpoint: EndpointName, answer: 'page' | 'stream'): readonly JsonObject[] {
  return parametersOf(endpoint).map((parameter) =>
    describe(
      answer === 'stream' && parameter.name === 'limit' ? { ...parameter, ...STREAM_LIMIT } : parameter,
    ),
  );
}

function describe(parameter: NamedParameter): JsonObject {
  const { name, purpose, description, schema, isRequired, example } = parameter;
  return {
    name,
    in: 'query',
    description: `${purpose}: ${description}.`,
    ...(isRequired && { required: true }),
    ...(schema.type === 'array' && { style: 'form', explode: false }),
    schema: toJsonSchema(name, schema),
    ...(example !== undefined && { example }),
  };
}

function toJsonSchema(
  name: string,
  { wholeNumber, decimalNumber, ...schema }: NamedParameter['schema'],
): JsonObject {
  const bounds = wholeNumber ?? decimalNumber;
  if (bounds !== undefined) {
    const [minimum, maximum] = bounds;
    const byDefault = schema.default === undefined ? {} : { default: Number(schema.default) };
    return { type: wholeNumber ? 'integer' : 'number', minimum, maximum, ...byDefault };
  }
  return {
    ...(schema.enum !== undefined && { type: 'string' }),
    ...(schema as JsonObject),
    ...(schema.type === 'array' && { minItems: 1 }),
    ...(TIMES.has(name) && { format: 'date-time' }),
  };
}
