import { PARAMETERS, REQUIRED } from '../../observations/query-params.ts';
import { type JsonObject, objectSchema, schemaRef } from './json-schema.ts';
import { queryParameters } from './parameters.ts';
import { headerRefs, problemResponse, problemResponses } from './responses.ts';

/** Any other problem, such as one of a route for all paths. */
const OTHER_PROBLEM = {
  description: 'Another [error](/docs/errors)',
  headers: headerRefs(),
  content: { 'application/problem+json': { schema: schemaRef('Problem') } },
};

const NOT_MODIFIED = { description: 'The client has this answer already', headers: headerRefs('ETag') };

const OBSERVATIONS = {
  get: {
    operationId: 'listObservations',
    tags: ['history'],
    summary: 'List archived observations',
    description:
      'Reports in the order of `observedAt`, `station` and `type`. Guides: [first request](/docs/first-request), [walking](/docs/walking), [coverage](/docs/coverage).',
    parameters: queryParameters(PARAMETERS, REQUIRED),
    responses: {
      200: {
        description: 'A page of records',
        headers: headerRefs('ETag', 'Link'),
        content: { 'application/json': { schema: schemaRef('ObservationsPage') } },
      },
      304: NOT_MODIFIED,
      ...problemResponses(),
      '4XX': OTHER_PROBLEM,
    },
  },
};

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
  '/v1/history/observations': OBSERVATIONS,
  '/healthz': HEALTHZ,
  '/readyz': READYZ,
  '/metrics': METRICS,
};
