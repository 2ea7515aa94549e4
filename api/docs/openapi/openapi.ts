import { readFileSync } from 'node:fs';
import { decodedSchema, type JsonObject, SCHEMAS } from '../../contract/answers.ts';
import { ENDPOINTS } from '../../endpoints.ts';
import { OBSERVATION } from '../../observations/endpoint.ts';
import { PATHS } from './paths.ts';
import { HEADERS, PROBLEM } from './responses.ts';

const PACKAGE = new URL('../../../package.json', import.meta.url);

export function buildOpenApi(): JsonObject {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Historical observations',
      version,
      summary: 'Archived METAR and SPECI reports',
      description:
        'A read-only interface to an archive of METAR and SPECI reports from 2005-01-01 on. Guides: [first request](/docs/first-request), [walking](/docs/walking), [coverage](/docs/coverage), [limits](/docs/limits), [errors](/docs/errors), [versioning](/docs/versioning).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: [
      {
        name: 'history',
        description: 'The archive. All requests except those below `/v1/history/archive` need an API key.',
      },
      { name: 'formats', description: 'The requests of the archive in one format, whatever `Accept` says.' },
      { name: 'operations', description: 'For operators. These requests need no key and are not counted.' },
    ],
    paths: PATHS,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API key, in the header `Authorization: Bearer <API_KEY>`.',
        },
      },
      headers: HEADERS,
      schemas: schemas(),
    },
  };
}

/** All schemas by their names: those of single endpoints, then those that several endpoints share. */
export function schemas(): JsonObject {
  return Object.assign({}, ...ENDPOINTS.map((endpoint) => endpoint.schemas), SCHEMAS, { Problem: PROBLEM });
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

export function publishedSchemas(): Readonly<Record<string, JsonObject>> {
  const decoded = '/schema/decoded.json';
  const observation = '/schema/observation.json';
  const properties = { ...OBSERVATION.properties, decoded: { $ref: decoded } };
  return {
    [decoded]: { $schema: DIALECT, $id: decoded, title: 'Decoded fields of a report', ...decodedSchema() },
    [observation]: { $schema: DIALECT, $id: observation, title: 'Record', ...OBSERVATION, properties },
  };
}
