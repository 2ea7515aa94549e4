import type { Format } from '../../observations/formats/formats.ts';
import { formatPaths } from './format-paths.ts';
import { type JsonObject, schemaRef } from './json-schema.ts';

/** What each format holds. JSON has a schema; OpenAPI 3.1 has no words for the others. */
const SCHEMAS = {
  json: schemaRef('ObservationsPage'),
  ndjson: { type: 'string', description: 'One line for each record: the element of `data`.' },
  csv: {
    type: 'string',
    description: 'A header row, then a row for each record, with a column for each field.',
  },
  parquet: { type: 'string', format: 'binary', description: 'A file with a column for each field.' },
  arrow: {
    type: 'string',
    format: 'binary',
    description: 'An Arrow IPC stream with a column for each field.',
  },
} as const satisfies Readonly<Record<Format, JsonObject>>;

export const OBSERVATIONS_PATHS = formatPaths({
  path: '/v1/history/observations',
  operationId: 'listObservations',
  summary: 'List archived observations',
  description:
    'Reports in the order of `observedAt`, `station` and `type`. `Accept` chooses the format of the answer; JSON is the default, and the bounds of `limit` are those of JSON. Guides: [first request](/docs/first-request), [walking](/docs/walking), [asking](/docs/asking), [coverage](/docs/coverage), [formats](/docs/formats).',
  elements: 'records',
  endpoint: 'observations',
  schemas: SCHEMAS,
});
