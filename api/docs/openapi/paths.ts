import {
  PARAMETERS as COVERAGE_PARAMETERS,
  REQUIRED as COVERAGE_REQUIRED,
} from '../../coverage/query-params.ts';
import { PARAMETERS as HOURLY_PARAMETERS, REQUIRED as HOURLY_REQUIRED } from '../../hourly/query-params.ts';
import { PARAMETERS as STATIONS_PARAMETERS } from '../../stations/query-params.ts';
import { formatPaths } from './format-paths.ts';
import { type JsonObject, objectSchema, schemaRef } from './json-schema.ts';
import { OBSERVATIONS_PATHS } from './observations-paths.ts';
import { queryParameters } from './parameters.ts';
import { headerRefs, NOT_MODIFIED, OTHER_PROBLEM, problemResponse, problemResponses } from './responses.ts';
import { STATISTICS_PATHS } from './statistics-paths.ts';

const COVERAGE = {
  get: {
    operationId: 'getCoverage',
    tags: ['history'],
    summary: 'Coverage by year, with gaps',
    description:
      'What the archive holds of stations, by the same rules as `meta.coverage`: years, and the days that are due and not done. In the order of the request. Guide: [coverage](/docs/coverage).',
    parameters: queryParameters(COVERAGE_PARAMETERS, COVERAGE_REQUIRED),
    responses: {
      200: {
        description: 'The coverage of each station',
        headers: headerRefs('ETag'),
        content: { 'application/json': { schema: schemaRef('CoverageReport') } },
      },
      304: NOT_MODIFIED,
      ...problemResponses(),
      400: problemResponse(['invalid_parameter']),
      '4XX': OTHER_PROBLEM,
    },
  },
};

const STATIONS = {
  get: {
    operationId: 'listStations',
    tags: ['history'],
    summary: 'Find stations',
    description: 'Stations that the archive knows, in the order of their codes. All filters must hold.',
    parameters: queryParameters(STATIONS_PARAMETERS, []),
    responses: {
      200: {
        description: 'A page of stations',
        headers: headerRefs('ETag', 'Link'),
        content: { 'application/json': { schema: schemaRef('StationsPage') } },
      },
      304: NOT_MODIFIED,
      ...problemResponses(),
      '4XX': OTHER_PROBLEM,
    },
  },
};

const ARCHIVE = {
  get: {
    operationId: 'getArchive',
    tags: ['history'],
    summary: 'The archive in numbers',
    description:
      'How many stations and reports the archive holds, without any of them. Needs no key, is not counted, and is up to a minute old.',
    security: [],
    responses: {
      200: {
        description: 'The numbers',
        headers: headerRefs(),
        content: { 'application/json': { schema: schemaRef('ArchiveSummary') } },
      },
      503: problemResponse(['storage_unavailable'], 'Retry-After'),
      '4XX': OTHER_PROBLEM,
    },
  },
};

const binary = (description: string) => ({ type: 'string', format: 'binary', description });

const HOURLY_PATHS = formatPaths({
  path: '/v1/history/hourly',
  operationId: 'listHours',
  summary: 'List hourly series',
  description:
    'One row for each station and nominal hour, also where nothing was reported, from the first METAR of the hour. A nominal hour is that of `observedAt` + 10 minutes. In the order of hours and stations. Guides: [hourly](/docs/hourly), [asking](/docs/asking), [formats](/docs/formats).',
  elements: 'rows',
  parameters: HOURLY_PARAMETERS,
  required: HOURLY_REQUIRED,
  schemas: {
    json: schemaRef('HourlyPage'),
    ndjson: { type: 'string', description: 'One line for each row: the element of `data`.' },
    csv: { type: 'string', description: 'A header row, then a row for each station and hour.' },
    parquet: binary('A file with a column for each field.'),
    arrow: binary('An Arrow IPC stream with a column for each field.'),
  },
});

const HEALTHZ = {
  get: {
    operationId: 'getHealth',
    tags: ['operations'],
    summary: 'Whether the process runs',
    security: [],
    responses: {
      200: {
        description: 'The process runs',
        headers: headerRefs(),
        content: { 'application/json': { schema: objectSchema({ status: { const: 'ok' } }) } },
      },
      '4XX': OTHER_PROBLEM,
    },
  },
};

const READYZ = {
  get: {
    operationId: 'getReadiness',
    tags: ['operations'],
    summary: 'Whether requests can be answered',
    description: 'The archive responds, API keys can be looked up and requests can be counted.',
    security: [],
    responses: {
      200: {
        description: 'Requests can be answered',
        headers: headerRefs(),
        content: { 'application/json': { schema: objectSchema({ status: { const: 'ready' } }) } },
      },
      503: problemResponse(['storage_unavailable', 'key_store_unavailable', 'overloaded'], 'Retry-After'),
      '4XX': OTHER_PROBLEM,
    },
  },
};

const METRICS = {
  get: {
    operationId: 'getMetrics',
    tags: ['operations'],
    summary: 'Metrics for Prometheus',
    description: 'Where the operator sets `METRICS_PORT`, the metrics are on that port and not here.',
    security: [],
    responses: {
      200: {
        description: 'Metrics in the text format of Prometheus',
        headers: headerRefs(),
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
      '4XX': OTHER_PROBLEM,
    },
  },
};

export const PATHS: JsonObject = {
  ...OBSERVATIONS_PATHS,
  ...HOURLY_PATHS,
  ...STATISTICS_PATHS,
  '/v1/history/coverage': COVERAGE,
  '/v1/history/stations': STATIONS,
  '/v1/history/archive': ARCHIVE,
  '/healthz': HEALTHZ,
  '/readyz': READYZ,
  '/metrics': METRICS,
};
