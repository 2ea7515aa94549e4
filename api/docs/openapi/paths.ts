import { type JsonObject, objectSchema, schemaRef } from '../../contract/answers.ts';
import { type Endpoint, MEDIA_TYPES, pathsOf } from '../../contract/endpoint.ts';
import { type NamedParameter, parametersOf, STREAM_LIMITS } from '../../contract/parameters.ts';
import { takesDates } from '../../contract/values.ts';
import { ENDPOINTS } from '../../endpoints.ts';
import { FILES } from '../../files/endpoint.ts';
import {
  headerRefs,
  NOT_ALLOWED,
  NOT_MODIFIED,
  OTHER_PROBLEM,
  problemResponse,
  problemResponses,
  withExamples,
} from './responses.ts';

/** Names of formats that are not abbreviations in capital letters. */
const TITLES: Readonly<Record<string, string>> = { parquet: 'Parquet', arrow: 'Arrow', geojson: 'GeoJSON' };

/** Bounds and default depend on the plan. */
const { default: _, ...PROFESSIONAL_LIMIT } = STREAM_LIMITS.professional.schema;
const STREAM_LIMIT = {
  schema: PROFESSIONAL_LIMIT,
  description:
    'a whole number from 1 to 10,000,000 (with a key of the plan starter 1,000,000, sandbox 10,000); without it the answer is the whole range, or 400 with its number of records',
};

function queryParameters(endpoint: Endpoint, isStream: boolean): readonly JsonObject[] {
  const { parameters = {} } = endpoint;
  const time = takesDates({ ...endpoint, parameters })
    ? { anyOf: [{ format: 'date-time' }, { format: 'date' }] }
    : { format: 'date-time' };
  return parametersOf(parameters).map(({ name, purpose, isRequired, example, ...asked }) => {
    const { description, schema } = isStream && name === 'limit' ? STREAM_LIMIT : asked;
    // Forms made from this document send each default, and `radius_km` is refused without `near`.
    const sent = name === 'radius_km' ? { ...schema, default: undefined } : schema;
    return {
      name,
      in: 'query',
      description: `${purpose}: ${description}.`,
      ...(isRequired && { required: true }),
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema: { ...toJsonSchema(sent), ...((name === 'from' || name === 'to') && time) },
      ...(example !== undefined && { example }),
    };
  });
}

function toJsonSchema({ wholeNumber, decimalNumber, ...schema }: NamedParameter['schema']): JsonObject {
  const bounds = wholeNumber ?? decimalNumber;
  if (bounds !== undefined) {
    const [minimum, maximum] = bounds;
    const byDefault = schema.default === undefined ? {} : { default: Number(schema.default) };
    return { type: wholeNumber ? 'integer' : 'number', minimum, maximum, ...byDefault };
  }
  return {
    ...(schema.enum !== undefined && { type: 'string' }),
    ...(schema as JsonObject),
    ...(schema.type === 'array' && { minItems: 1 }),
  };
}

type Content = Endpoint['contents'][string];

/** @param format named by the path; if absent, `Accept` chooses */
function operation(endpoint: Endpoint, format: string | undefined): JsonObject {
  const { name, parameters, mediaTypes, operationId, summary, description, answer, contents } = endpoint;
  const title = format && (TITLES[format] ?? format.toUpperCase());
  const offered = Object.entries(contents).filter(([each]) => format === undefined || each === format);
  const hasEntityTag = offered.some(([, { headers }]) => headers.includes('ETag'));
  return {
    operationId: title === undefined ? operationId : `${operationId}As${title}`,
    tags: [title === undefined ? 'history' : 'formats'],
    summary: title === undefined ? summary : `${summary} as ${title}`,
    description:
      title === undefined
        ? description
        : 'The same in this format, whatever `Accept` says. Guide: [formats](/docs/formats).',
    ...(parameters ? { parameters: queryParameters(endpoint, !hasEntityTag) } : { security: [] }),
    responses: {
      200: {
        description:
          offered.length === 1 ? answer : `${answer}. Each format has the headers of its own path too.`,
        headers: headerRefs(...sharedHeaders(offered.map(([, content]) => content))),
        content: Object.fromEntries(
          offered.map(([each, content]) => [
            mediaTypes[each],
            withExamples(contentSchema(content), [`/v1/history/${name} ${mediaTypes[each]}`]),
          ]),
        ),
      },
      ...(hasEntityTag && { 304: NOT_MODIFIED }),
      ...(parameters
        ? keyResponses(parameters.cursor !== undefined, format !== undefined)
        : { 503: problemResponse(['storage_unavailable'], 'Retry-After') }),
      405: NOT_ALLOWED,
    },
  };
}

function sharedHeaders([first, ...others]: readonly Content[]): readonly string[] {
  return first?.headers.filter((header) => others.every(({ headers }) => headers.includes(header))) ?? [];
}

function contentSchema(content: Content): JsonObject {
  if ('schema' in content) return schemaRef(content.schema);
  if ('text' in content) return { type: 'string', description: content.text };
  return { type: 'string', format: 'binary', description: content.file };
}

/** A path that names its format has no 406. Without pages it lists only 400: the path without a format lists the others. */
function keyResponses(isPaged: boolean, namesFormat: boolean): JsonObject {
  if (namesFormat && !isPaged) return { 400: problemResponse(['invalid_parameter']), default: OTHER_PROBLEM };
  const { 406: notAcceptable, ...problems } = problemResponses();
  return {
    ...problems,
    ...(!isPaged && { 400: problemResponse(['invalid_parameter']) }),
    ...(!namesFormat && { 406: notAcceptable as JsonObject }),
  };
}

type OtherPath = JsonObject & { readonly responses: JsonObject };

function filePath({ responses, ...about }: OtherPath): JsonObject {
  const problems = {
    400: problemResponse(['invalid_parameter']),
    403: problemResponse(['forbidden']),
    404: problemResponse(['not_found']),
    405: NOT_ALLOWED,
    default: OTHER_PROBLEM,
  };
  return { get: { ...about, tags: ['history'], responses: { ...responses, ...problems } } };
}

function operatorPath({ responses, ...about }: OtherPath): JsonObject {
  return {
    get: { ...about, tags: ['operations'], security: [], responses: { ...responses, 405: NOT_ALLOWED } },
  };
}

function success(description: string, content: JsonObject, ...headers: readonly string[]): JsonObject {
  return { description, headers: headerRefs(...headers), content };
}

const PARQUET_FILE = { [MEDIA_TYPES.parquet]: { schema: { type: 'string', format: 'binary' } } };

const statusContent = (path: string, status: string) => ({
  'application/json': withExamples(objectSchema({ status: { const: status } }), [`${path} application/json`]),
});

export const PATHS: JsonObject = {
  ...Object.fromEntries(
    ENDPOINTS.flatMap((endpoint) =>
      [...pathsOf(endpoint)].map(([path, format]) => [path, { get: operation(endpoint, format) }]),
    ),
  ),
  '/v1/history/files': filePath({
    operationId: 'listFiles',
    summary: 'The archive as Parquet files',
    description:
      'The files of a snapshot, for keys of the plans starter and professional; 404 where the operator provides none. Guide: [files](/docs/files).',
    responses: {
      200: success('The files', { 'application/json': { schema: FILES } }, 'ETag'),
      304: NOT_MODIFIED,
    },
  }),
  '/v1/history/files/{path}': filePath({
    operationId: 'getFile',
    summary: 'A file of the archive',
    description: 'A Parquet file of the list. Guide: [files](/docs/files).',
    parameters: [
      {
        name: 'path',
        in: 'path',
        required: true,
        description: 'As in the list. It has slashes, which may be sent as they are.',
        schema: { type: 'string' },
        example: 'reports/year=2024/00001.parquet',
      },
      {
        name: 'Range',
        in: 'header',
        description: 'The bytes to send (RFC 9110, 14.2).',
        schema: { type: 'string' },
        example: 'bytes=0-65535',
      },
    ],
    responses: {
      200: success('The file', PARQUET_FILE, 'ETag', 'Content-Disposition'),
      206: success('The bytes of `Range`', PARQUET_FILE, 'ETag', 'Content-Disposition'),
      304: NOT_MODIFIED,
      416: { description: 'The file has no such bytes', headers: headerRefs('ETag') },
    },
  }),
  '/healthz': operatorPath({
    operationId: 'getHealth',
    summary: 'Whether the process runs',
    responses: { 200: success('The process runs', statusContent('/healthz', 'ok')) },
  }),
  '/readyz': operatorPath({
    operationId: 'getReadiness',
    summary: 'Whether requests can be answered',
    description: 'The archive responds, API keys can be looked up and requests can be counted.',
    responses: {
      200: success('Requests can be answered', statusContent('/readyz', 'ready')),
      503: problemResponse(['storage_unavailable', 'key_store_unavailable', 'overloaded'], 'Retry-After'),
    },
  }),
  '/metrics': operatorPath({
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
    description: 'Where the operator sets `METRICS_PORT`, the metrics are on that port and not here.',
    responses: {
      200: success('Metrics in the text format of Prometheus', {
        'text/plain': { schema: { type: 'string' } },
      }),
    },
  }),
};
