import { compile, type JSONSchema } from 'json-schema-to-typescript';

import {
  type EndpointParameters,
  type NamedParameter,
  parametersOf,
} from '../../../api/contract/parameters.ts';
import { schemas } from '../../../api/docs/openapi/openapi.ts';
import { HOURLY } from '../../../api/hourly/endpoint.ts';
import { OBSERVATIONS } from '../../../api/observations/endpoint.ts';
import { STATISTICS } from '../../../api/statistics/endpoint.ts';

/** The file that holds them; `npm run generate` writes it. */
export const CLIENT_TYPES = new URL('../../../api/client/schemas.d.ts', import.meta.url);

const BANNER =
  '/* Written by `npm run generate` from the schemas of /openapi.json and the table of parameters: do not edit. */';

/** What a response of the observations endpoint can be; other schemas are part of these. */
const RESPONSES = ['ObservationsPage', 'Problem'];

/** The endpoints that the client asks, with the names of their types. */
const PARAMETER_TYPES: readonly (readonly [name: string, parameters: EndpointParameters])[] = [
  ['ObservationsParameters', OBSERVATIONS.parameters],
  ['HourlyParameters', HOURLY.parameters],
  ['StatisticsParameters', STATISTICS.parameters],
];
/** A list of more names than this is not worth a union: the service names the nearest for a wrong one. */
const MAX_NAMES = 10;

/** What the compiler adds to the comment of each definition, or writes as its only comment. */
const ORIGIN =
  /\/\*\*\n \* This interface was referenced by [^/]*\*\/\n|\n \*\n \* This interface was referenced by [^/]*(?=\n \*\/)/g;

/** A comment of one line, as the compiler writes it on three. */
const SHORT_COMMENT = /\/\*\*\n +\* (.*)\n +\*\//g;

/** The schemas of the OpenAPI document and the parameters of requests as TypeScript. */
export async function generateClientTypes(): Promise<string> {
  const openApi = JSON.stringify(schemas()).replaceAll('#/components/schemas/', '#/$defs/');
  const $defs = JSON.parse(openApi, addUnit) as Record<string, JSONSchema>;
  const options = {
    bannerComment: '',
    additionalProperties: false,
    style: { singleQuote: true, printWidth: 110 },
  };
  const types = await Promise.all(RESPONSES.map((name) => compile({ ...$defs[name], $defs }, name, options)));
  const text = [BANNER, ...types, ...PARAMETER_TYPES.map(parameterType)].join('\n');
  return text.replaceAll(ORIGIN, '').replaceAll(SHORT_COMMENT, '/** $1 */');
}

function parameterType([name, parameters]: readonly [string, EndpointParameters]): string {
  const members = parametersOf(parameters).map((parameter) => {
    const { purpose, description, isRequired } = parameter;
    const type = isRequired ? `: ${typeOf(parameter)}` : `?: ${typeOf(parameter)} | undefined`;
    return `  /** ${purpose}: ${description}. */\n  readonly ${parameter.name}${type};\n`;
  });
  return `export type ${name} = {\n${members.join('')}};\n`;
}

function typeOf({ name, schema }: NamedParameter): string {
  if (name === 'from' || name === 'to') return 'string | Date';
  if (schema.wholeNumber !== undefined || schema.decimalNumber !== undefined) return 'number';
  const { items, enum: names } = schema as { items?: { enum?: string[] }; enum?: string[] };
  if (schema.type === 'array') return `readonly ${unionOf(items?.enum)}[]`;
  return unionOf(names);
}

function unionOf(names: readonly string[] = []): string {
  if (names.length === 0 || names.length > MAX_NAMES) return 'string';
  return `(${names.map((name) => `'${name}'`).join(' | ')})`;
}

/** The compiler knows no `x-unit`: the description gets it. */
function addUnit(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('x-unit' in value)) return value;
  const { description = '', 'x-unit': unit } = value as { description?: string; 'x-unit': string };
  return { ...value, description: `${description} [${unit}]` };
}
