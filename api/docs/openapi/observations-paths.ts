import { type Format, MEDIA_TYPES } from '../../observations/formats/formats.ts';
import { PARAMETERS, REQUIRED, STREAM_LIMITS } from '../../observations/query-params.ts';
import { type JsonObject, schemaRef } from './json-schema.ts';
import { queryParameters } from './parameters.ts';
import { headerRefs, NOT_MODIFIED, OTHER_PROBLEM, problemResponses } from './responses.ts';

const PATH = '/v1/history/observations';

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

const TITLES = { json: 'JSON', ndjson: 'NDJSON', csv: 'CSV', parquet: 'Parquet', arrow: 'Arrow' } as const;

const STREAM_HEADERS = ['X-Has-More', 'X-Next-Cursor', 'X-Coverage-Status', 'Link'];

/** Bounds and default differ by plan. */
const { default: _, ...PROFESSIONAL_LIMIT } = STREAM_LIMITS.professional;
const STREAM_LIMIT = {
  ...PROFESSIONAL_LIMIT,
  description:
    'a whole number from 1 to 10,000,000 (with a key of the plan starter 1,000,000, sandbox 10,000); without it the answer is the whole range, or 400 with its number of records (sandbox: 1,000 records)',
};

const FORMATS = Object.keys(MEDIA_TYPES) as readonly Format[];

/** The path whose format `Accept` chooses, and a path for each format. */
export const OBSERVATIONS_PATHS: JsonObject = {
  [PATH]: { get: inAnyFormat() },
  ...Object.fromEntries(FORMATS.map((format) => [`${PATH}.${format}`, { get: inFormat(format) }])),
};

function inAnyFormat(): JsonObject {
  return {
    operationId: 'listObservations',
    tags: ['history'],
    summary: 'List archived observations',
    description:
      'Reports in the order of `observedAt`, `station` and `type`. `Accept` chooses the format of the answer; JSON is the default, and the bounds of `limit` are those of JSON. Guides: [first request](/docs/first-request), [walking](/docs/walking), [coverage](/docs/coverage), [formats](/docs/formats).',
    parameters: queryParameters(PARAMETERS, REQUIRED),
    responses: {
      200: {
        description:
          'A page of records. Only JSON has an `ETag`; the other formats have the headers of their own paths.',
        headers: headerRefs('Link'),
        content: Object.fromEntries(
          FORMATS.map((format) => [MEDIA_TYPES[format], { schema: SCHEMAS[format] }]),
        ),
      },
      304: NOT_MODIFIED,
      ...problemResponses(),
      '4XX': OTHER_PROBLEM,
    },
  };
}

function inFormat(format: Format): JsonObject {
  const isJson = format === 'json';
  const { 406: notAcceptable, ...problems } = problemResponses();
  return {
    operationId: `listObservationsAs${TITLES[format]}`,
    tags: ['history'],
    summary: `List archived observations as ${TITLES[format]}`,
    description: 'The same in this format, whatever `Accept` says. Guide: [formats](/docs/formats).',
    parameters: queryParameters(isJson ? PARAMETERS : { ...PARAMETERS, limit: STREAM_LIMIT }, REQUIRED),
    responses: {
      200: {
        description: isJson ? 'A page of records' : 'Records, as a stream',
        headers: headerRefs(...(isJson ? ['ETag', 'Link'] : STREAM_HEADERS)),
        content: { [MEDIA_TYPES[format]]: { schema: SCHEMAS[format] } },
      },
      ...(isJson && { 304: NOT_MODIFIED }),
      ...problems,
      '4XX': OTHER_PROBLEM,
    },
  };
}
