import type { EndpointName } from '../../parameters/parameter.ts';
import { STATIONS_MEDIA_TYPES, type StationsFormat } from '../../stations/formats.ts';
import { formatPaths } from './format-paths.ts';
import { type JsonObject, objectSchema, schemaRef } from './json-schema.ts';
import { OBSERVATIONS_PATHS } from './observations-paths.ts';
import { queryParameters } from './parameters.ts';
import { headerRefs, NOT_MODIFIED, OTHER_PROBLEM, problemResponse, problemResponses } from './responses.ts';
import { STATISTICS_PATHS } from './statistics-paths.ts';

type Path = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly answer: string;
  readonly content: JsonObject;
  /** Beside those of every path. */
  readonly problems?: JsonObject;
  /** The path names its format, and does not read `Accept`. */
  readonly isOfOneFormat?: boolean;
};

/** A path that needs no key. */
function openPath(
  tag: 'history' | 'operations',
  { answer, content, problems, ...operation }: Path,
): JsonObject {
  const answered = { description: answer, headers: headerRefs(), content };
  const responses = { 200: answered, ...problems, '4XX': OTHER_PROBLEM };
  return { get: { ...operation, tags: [tag], security: [], responses } };
}

/** A path that needs a key, and whose answers have entity tags. */
function keyPath(
  endpoint: EndpointName,
  headers: readonly string[],
  { answer, content, problems, isOfOneFormat = false, ...operation }: Path,
): JsonObject {
  const answered = { description: answer, headers: headerRefs(...headers), content };
  const { 406: notAcceptable, ...otherProblems } = problemResponses();
  const responses = {
    200: answered,
    304: NOT_MODIFIED,
    ...otherProblems,
    ...(!isOfOneFormat && { 406: notAcceptable }),
    ...problems,
    '4XX': OTHER_PROBLEM,
  };
  const queried = queryParameters(endpoint, 'page');
  return { get: { ...operation, tags: ['history'], parameters: queried, responses } };
}

const json = (schema: JsonObject) => ({ 'application/json': { schema } });

const COVERAGE = keyPath('coverage', ['ETag'], {
  operationId: 'getCoverage',
  summary: 'Coverage by year, with gaps',
  description:
    'What the archive holds of stations, by the same rules as `meta.coverage`: years, and the days that are due and not done. In the order of the request. Guide: [coverage](/docs/coverage).',
  answer: 'The coverage of each station',
  content: json(schemaRef('CoverageReport')),
  problems: { 400: problemResponse(['invalid_parameter']) },
});

const STATIONS_CONTENT: Readonly<Record<StationsFormat, JsonObject>> = {
  json: json(schemaRef('StationsPage')),
  geojson: { [STATIONS_MEDIA_TYPES.geojson]: { schema: schemaRef('StationFeatures') } },
};

const STATIONS = keyPath('stations', ['ETag', 'Link'], {
  operationId: 'listStations',
  summary: 'Find stations',
  description:
    'Stations that the archive knows, in the order of their codes, or with `near` of their distances. All filters must hold. Guide: [stations](/docs/stations).',
  answer: 'A page of stations. GeoJSON has the headers of its own path too.',
  content: { ...STATIONS_CONTENT.json, ...STATIONS_CONTENT.geojson },
});

const stationsAs = (title: string, format: StationsFormat, ...headers: readonly string[]) =>
  keyPath('stations', ['ETag', 'Link', ...headers], {
    operationId: `listStationsAs${title}`,
    summary: `Find stations as ${title}`,
    description: 'The same in this format, whatever `Accept` says.',
    answer: 'A page of stations',
    content: STATIONS_CONTENT[format],
    isOfOneFormat: true,
  });

const ARCHIVE = openPath('history', {
  operationId: 'getArchive',
  summary: 'The archive in numbers',
  description:
    'How many stations and reports the archive holds, without any of them. Needs no key, is not counted, and is up to a minute old.',
  answer: 'The numbers',
  content: json(schemaRef('ArchiveSummary')),
  problems: { 503: problemResponse(['storage_unavailable'], 'Retry-After') },
});

const binary = (description: string) => ({ type: 'string', format: 'binary', description });

const HOURLY_PATHS = formatPaths({
  path: '/v1/history/hourly',
  operationId: 'listHours',
  summary: 'List hourly series',
  description:
    'One row for each station and nominal hour, also where nothing was reported, from the first METAR of the hour. A nominal hour is that of `observedAt` + 10 minutes. In the order of hours and stations. Guides: [hourly](/docs/hourly), [asking](/docs/asking), [formats](/docs/formats).',
  elements: 'rows',
  endpoint: 'hourly',
  schemas: {
    json: schemaRef('HourlyPage'),
    ndjson: { type: 'string', description: 'One line for each row: the element of `data`.' },
    csv: { type: 'string', description: 'A header row, then a row for each station and hour.' },
    parquet: binary('A file with a column for each field.'),
    arrow: binary('An Arrow IPC stream with a column for each field.'),
  },
});

const HEALTHZ = openPath('operations', {
  operationId: 'getHealth',
  summary: 'Whether the process runs',
  answer: 'The process runs',
  content: json(objectSchema({ status: { const: 'ok' } })),
});

const READYZ = openPath('operations', {
  operationId: 'getReadiness',
  summary: 'Whether requests can be answered',
  description: 'The archive responds, API keys can be looked up and requests can be counted.',
  answer: 'Requests can be answered',
  content: json(objectSchema({ status: { const: 'ready' } })),
  problems: {
    503: problemResponse(['storage_unavailable', 'key_store_unavailable', 'overloaded'], 'Retry-After'),
  },
});

const METRICS = openPath('operations', {
  operationId: 'getMetrics',
  summary: 'Metrics for Prometheus',
  description: 'Where the operator sets `METRICS_PORT`, the metrics are on that port and not here.',
  answer: 'Metrics in the text format of Prometheus',
  content: { 'text/plain': { schema: { type: 'string' } } },
});

export const PATHS: JsonObject = {
  ...OBSERVATIONS_PATHS,
  ...HOURLY_PATHS,
  ...STATISTICS_PATHS,
  '/v1/history/coverage': COVERAGE,
  '/v1/history/stations': STATIONS,
  '/v1/history/stations.json': stationsAs('JSON', 'json'),
  '/v1/history/stations.geojson': stationsAs('GeoJSON', 'geojson', 'X-Has-More', 'X-Next-Cursor'),
  '/v1/history/archive': ARCHIVE,
  '/healthz': HEALTHZ,
  '/readyz': READYZ,
  '/metrics': METRICS,
};
