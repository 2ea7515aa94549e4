import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { SCHEMAS } from '../../../api/docs/openapi/schemas.ts';

/** The file that holds them; `npm run types:client` writes it. */
export const CLIENT_TYPES = new URL('../../../api/client/schemas.d.ts', import.meta.url);

const BANNER = '/* Written by `npm run types:client` from the schemas of /openapi.json: do not edit. */';

/** What a response of the observations endpoint can be; other schemas are part of these. */
const RESPONSES = ['ObservationsPage', 'Problem'];

/** What the compiler adds to the comment of each definition, or writes as its only comment. */
const ORIGIN =
  /\/\*\*\n \* This interface was referenced by [^/]*\*\/\n|\n \*\n \* This interface was referenced by [^/]*(?=\n \*\/)/g;

/** The schemas of the OpenAPI document as TypeScript. */
export async function generateClientTypes(): Promise<string> {
  const text = JSON.stringify(SCHEMAS).replaceAll('#/components/schemas/', '#/$defs/');
  const $defs = JSON.parse(text, addUnit) as Record<string, JSONSchema>;
  const options = {
    bannerComment: '',
    additionalProperties: false,
    style: { singleQuote: true, printWidth: 110 },
  };
  const types = await Promise.all(RESPONSES.map((name) => compile({ ...$defs[name], $defs }, name, options)));
  return [BANNER, ...types].join('\n').replaceAll(ORIGIN, '');
}

/** The compiler knows no `x-unit`: the description gets it. */
function addUnit(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('x-unit' in value)) return value;
  const { description = '', 'x-unit': unit } = value as { description?: string; 'x-unit': string };
  return { ...value, description: `${description} [${unit}]` };
}
