import { decodedSchema } from './decoded-schema.ts';
import type { JsonObject } from './json-schema.ts';
import { OBSERVATION } from './schemas.ts';

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

/** The schemas that can be used without the OpenAPI document, by path. */
export function publishedSchemas(): Readonly<Record<string, JsonObject>> {
  const decoded = '/schema/decoded.json';
  const observation = '/schema/observation.json';
  const properties = { ...OBSERVATION.properties, decoded: { $ref: decoded } };
  return {
    [decoded]: { $schema: DRAFT, $id: decoded, title: 'Decoded fields of a report', ...decodedSchema() },
    [observation]: { $schema: DRAFT, $id: observation, title: 'Record', ...OBSERVATION, properties },
  };
}
