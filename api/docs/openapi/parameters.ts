import type { ParameterSchema, ParameterSchemas } from '../../http/request/query-string.ts';
import type { JsonObject } from './json-schema.ts';

const EXAMPLES: JsonObject = {
  stations: ['XAAA', 'XAAB'],
  from: '2024-01-01T00:00:00Z',
  to: '2024-01-02T00:00:00Z',
  limit: 3,
  select: 'count,mean(temp_c),low:share(visib_m < 800)',
  by: 'month',
};

const TIMES = new Set(['from', 'to']);

export function queryParameters(
  schemas: ParameterSchemas,
  required: readonly string[],
): readonly JsonObject[] {
  return Object.entries(schemas).map(([name, schema]) => {
    const example = EXAMPLES[name];
    return {
      name,
      in: 'query',
      description: `${schema.purpose}: ${schema.description}.`,
      ...(required.includes(name) && { required: true }),
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema: toJsonSchema(name, schema),
      ...(example !== undefined && { example }),
    };
  });
}

function toJsonSchema(
  name: string,
  { purpose, description, wholeNumber, decimalNumber, ...schema }: ParameterSchema,
): JsonObject {
  const bounds = wholeNumber ?? decimalNumber;
  if (bounds !== undefined) {
    const [minimum, maximum] = bounds;
    const byDefault = schema.default === undefined ? {} : { default: Number(schema.default) };
    return { type: wholeNumber ? 'integer' : 'number', minimum, maximum, ...byDefault };
  }
  // The service has formats of its own, which the description explains.
  const keywords = Object.entries(schema).filter(([keyword]) => keyword !== 'format');
  return {
    ...(schema.enum !== undefined && { type: 'string' }),
    ...Object.fromEntries(keywords),
    ...(schema.type === 'array' && { minItems: 1 }),
    ...(TIMES.has(name) && { format: 'date-time' }),
  };
}
