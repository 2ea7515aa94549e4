import type { JsonObject, JsonValue } from './json-schema.ts';

/** The schema of a query parameter as the service validates it: see `compileSchema`. */
type ParameterSchema = {
  readonly description: string;
  readonly wholeNumber?: readonly [least: number, most: number];
  readonly [keyword: string]: JsonValue | undefined;
};

/** What each parameter does. What to write is in its schema, which is the text of errors too. */
const PURPOSES: Readonly<Record<string, string>> = {
  stations: 'Stations that are asked for',
  from: 'First time that is included',
  to: 'First time that is not included',
  type: 'Kind of report',
  include: 'What each record holds beside its keys',
  country: 'Country of the station',
  bbox: 'Box that the position lies in',
  q: 'Text to search for, in upper or lower case',
  limit: 'Size of a page at most',
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
): readonly JsonObject[] {
  return Object.entries(schemas).map(([name, schema]) => {
    if (PURPOSES[name] === undefined) throw new Error(`The parameter ${name} has no purpose`);
    const example = EXAMPLES[name];
    return {
      name,
      in: 'query',
      description: `${PURPOSES[name]}: ${schema.description}.`,
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
  // The service has formats of its own, which the description explains.
  const keywords = Object.entries(schema).filter(([keyword]) => keyword !== 'format');
  return {
    ...(schema.enum !== undefined && { type: 'string' }),
    ...Object.fromEntries(keywords),
    ...(schema.type === 'array' && { minItems: 1 }),
    ...(TIMES.has(name) && { format: 'date-time' }),
  };
}
