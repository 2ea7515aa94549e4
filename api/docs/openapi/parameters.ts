import type { PARAMETERS } from '../../observations/query-params.ts';
import type { JsonObject, JsonValue } from './json-schema.ts';

/** The schema of a query parameter as the service validates it: see `compileSchema`. */
type ParameterSchema = {
  readonly description: string;
  readonly wholeNumber?: readonly [least: number, most: number];
  readonly [keyword: string]: JsonValue | undefined;
};

/** What each parameter does. What to write is in its schema, which is the text of errors too. */
export const PURPOSES: Readonly<Record<keyof typeof PARAMETERS, string>> = {
  stations: 'Stations whose reports are returned',
  from: 'First observation time that is included',
  to: 'First observation time that is not included',
  type: 'Kind of report',
  include: 'What each record holds beside its keys',
  limit: 'Records a page at most',
  cursor: 'Continues a walk with the same filters',
};

const EXAMPLES: JsonObject = {
  stations: ['XAAA', 'XAAB'],
  from: '2024-01-01T00:00:00Z',
  to: '2024-01-02T00:00:00Z',
  limit: 3,
};

const TIMES = new Set(['from', 'to']);

export function queryParameters(
  schemas: Readonly<Record<string, ParameterSchema>>,
  required: readonly string[],
  purposes: Readonly<Record<string, string>> = PURPOSES,
): readonly JsonObject[] {
  return Object.entries(schemas).map(([name, schema]) => {
    const example = EXAMPLES[name];
    return {
      name,
      in: 'query',
      description: `${purposes[name]}: ${schema.description}.`,
      ...(required.includes(name) && { required: true }),
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema: toJsonSchema(name, schema),
      ...(example !== undefined && { example }),
    };
  });
}

function toJsonSchema(name: string, { description, wholeNumber, ...schema }: ParameterSchema): JsonObject {
  if (wholeNumber !== undefined) {
    const [minimum, maximum] = wholeNumber;
    return { type: 'integer', minimum, maximum, default: Number(schema.default) };
  }
  const keywords = Object.entries(schema).filter(([, value]) => value !== undefined);
  return {
    ...(schema.enum !== undefined && { type: 'string' }),
    ...Object.fromEntries(keywords),
    ...(schema.type === 'array' && { minItems: 1 }),
    ...(TIMES.has(name) && { format: 'date-time' }),
  };
}
