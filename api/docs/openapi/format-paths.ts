import { FORMATS, type Format, MEDIA_TYPES } from '../../observations/formats/formats.ts';
import type { EndpointName } from '../../parameters/parameter.ts';
import type { JsonObject } from './json-schema.ts';
import { queryParameters } from './parameters.ts';
import { headerRefs, NOT_MODIFIED, OTHER_PROBLEM, problemResponses } from './responses.ts';

/** An endpoint that answers in every format (D33). */
type FormatPaths = {
  readonly path: string;
  /** Begin of the ids of its operations. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** What the elements of an answer are called. */
  readonly elements: string;
  readonly endpoint: EndpointName;
  /** What each format holds. */
  readonly schemas: Readonly<Record<Format, JsonObject>>;
};

/** Of formats, in ids and summaries of operations. */
export const TITLES = {
  json: 'JSON',
  ndjson: 'NDJSON',
  csv: 'CSV',
  parquet: 'Parquet',
  arrow: 'Arrow',
} as const;

const STREAM_HEADERS = ['X-Has-More', 'X-Next-Cursor', 'X-Coverage-Status', 'Link'];

/** The path whose format `Accept` chooses, and a path for each format. */
export function formatPaths(about: FormatPaths): JsonObject {
  return {
    [about.path]: { get: inAnyFormat(about) },
    ...Object.fromEntries(
      FORMATS.map((format) => [`${about.path}.${format}`, { get: inFormat(about, format) }]),
    ),
  };
}

function inAnyFormat(about: FormatPaths): JsonObject {
  const { operationId, summary, description, elements, endpoint, schemas } = about;
  return {
    operationId,
    tags: ['history'],
    summary,
    description,
    parameters: queryParameters(endpoint, 'page'),
    responses: {
      200: {
        description: `A page of ${elements}. Only JSON has an \`ETag\`; the other formats have the headers of their own paths.`,
        headers: headerRefs('Link'),
        content: Object.fromEntries(
          FORMATS.map((format) => [MEDIA_TYPES[format], { schema: schemas[format] }]),
        ),
      },
      304: NOT_MODIFIED,
      ...problemResponses(),
      '4XX': OTHER_PROBLEM,
    },
  };
}

function inFormat(about: FormatPaths, format: Format): JsonObject {
  const { operationId, summary, elements, endpoint, schemas } = about;
  const isJson = format === 'json';
  const { 406: notAcceptable, ...problems } = problemResponses();
  return {
    operationId: `${operationId}As${TITLES[format]}`,
    tags: ['history'],
    summary: `${summary} as ${TITLES[format]}`,
    description: 'The same in this format, whatever `Accept` says. Guide: [formats](/docs/formats).',
    parameters: queryParameters(endpoint, isJson ? 'page' : 'stream'),
    responses: {
      200: {
        description: isJson
          ? `A page of ${elements}`
          : `${elements.replace(/^./, (letter) => letter.toUpperCase())}, as a stream`,
        headers: headerRefs(...(isJson ? ['ETag', 'Link'] : STREAM_HEADERS)),
        content: { [MEDIA_TYPES[format]]: { schema: schemas[format] } },
      },
      ...(isJson && { 304: NOT_MODIFIED }),
      ...problems,
      '4XX': OTHER_PROBLEM,
    },
  };
}
