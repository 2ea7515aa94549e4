import { archiveRoute, archiveStationsRoute } from './archive/route.ts';
import { answerCoverage } from './coverage/route.ts';
import { answerHourly } from './hourly/route.ts';
import type { Service } from './http/accept-request.ts';
import type { MediaTypes, Route, RouteEntry } from './http/http-request.ts';
import type { PageReader } from './observations/page-reader.ts';
import { answerObservations } from './observations/route.ts';
import { MEDIA_TYPES } from './observations/send-stream.ts';
import { PRESETS } from './parameters/presets.ts';
import type { EndpointName } from './parameters/values.ts';
import { answerStations, STATIONS_MEDIA_TYPES } from './stations/route.ts';
import { answerStatistics } from './statistics/route.ts';
import type { StatisticsReader } from './statistics/statistics-reader.ts';

/** The content of a format: the name of a schema in the OpenAPI document, or a description of text or a file. */
type Content = ({ readonly schema: string } | { readonly text: string } | { readonly file: string }) & {
  /** Headers in addition to those of every answer. */
  readonly headers: readonly string[];
};

/**
 * An endpoint of the archive: its path is `/v1/history/NAME` and, if it has several formats, `/v1/history/NAME.FORMAT`.
 * Its registration, its label in metrics and its paths in the OpenAPI document come from here; its parameters are those
 * listed under its name in `parameters/table.ts`.
 */
export type Endpoint = {
  readonly name: EndpointName | 'archive' | 'archive/stations';
  /** The first one is the default. */
  readonly mediaTypes: MediaTypes;
  /** Whether requests need a key and are counted. */
  readonly needsKey: boolean;
  /** Whether its answer has pages, linked by cursors. */
  readonly isPaged: boolean;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Describes an answer. */
  readonly answer: string;
  readonly contents: Readonly<Record<string, Content>>;
};

const STREAM_HEADERS = ['X-Has-More', 'X-Next-Cursor', 'X-Coverage-Status', 'Link'];
const FILE_HEADERS = ['X-Coverage-Status', 'Link'];
const PAGE_HEADERS = ['ETag', 'Link'];

const FILES_OF_FIELDS = {
  parquet: { file: 'A file with a column for each field.', headers: STREAM_HEADERS },
  arrow: { file: 'An Arrow IPC stream with a column for each field.', headers: STREAM_HEADERS },
};

/** What each preset stands for, taken from the code. */
const PRESETS_TEXT = Object.entries(PRESETS)
  .map(
    ([name, { title, select, by, sample }]) =>
      `- \`${name}\`: ${title}. \`by=${by}\`, \`sample=${sample}\`, \`select=${select}\``,
  )
  .join('\n');

export const ENDPOINTS: readonly Endpoint[] = [
  {
    name: 'observations',
    mediaTypes: MEDIA_TYPES,
    needsKey: true,
    isPaged: true,
    operationId: 'listObservations',
    summary: 'List archived observations',
    description:
      'Reports in the order of `observedAt`, `station` and `type`. `Accept` chooses the format of the answer; JSON is the default, and the bounds of `limit` are those of JSON. Guides: [first request](/docs/first-request), [walking](/docs/walking), [asking](/docs/asking), [coverage](/docs/coverage), [formats](/docs/formats).',
    answer: 'A page of records',
    contents: {
      json: { schema: 'ObservationsPage', headers: PAGE_HEADERS },
      ndjson: { text: 'One line for each record: the element of `data`.', headers: STREAM_HEADERS },
      csv: {
        text: 'A header row, then a row for each record, with a column for each field.',
        headers: STREAM_HEADERS,
      },
      ...FILES_OF_FIELDS,
    },
  },
  {
    name: 'hourly',
    mediaTypes: MEDIA_TYPES,
    needsKey: true,
    isPaged: true,
    operationId: 'listHours',
    summary: 'List hourly series',
    description:
      'One row for each station and nominal hour, also where nothing was reported, from the first METAR of the hour. A nominal hour is that of `observedAt` + 10 minutes. In the order of hours and stations. Guides: [hourly](/docs/hourly), [asking](/docs/asking), [formats](/docs/formats).',
    answer: 'A page of rows',
    contents: {
      json: { schema: 'HourlyPage', headers: PAGE_HEADERS },
      ndjson: { text: 'One line for each row: the element of `data`.', headers: STREAM_HEADERS },
      csv: { text: 'A header row, then a row for each station and hour.', headers: STREAM_HEADERS },
      ...FILES_OF_FIELDS,
    },
  },
  {
    name: 'statistics',
    mediaTypes: MEDIA_TYPES,
    needsKey: true,
    isPaged: false,
    operationId: 'getStatistics',
    summary: 'Statistics of reports',
    description: `Numbers about reports, by station and groups, in the order of both. Each row has \`n\`, the reports that count, and \`expected\`, the hours that could have one. Guide: [statistics](/docs/statistics).\n\nPresets:\n\n${PRESETS_TEXT}`,
    answer: 'The rows',
    contents: {
      json: { schema: 'StatisticsAnswer', headers: ['ETag'] },
      ndjson: { text: 'One line for each row: the element of `data`.', headers: FILE_HEADERS },
      csv: {
        text: 'A header row, then the rows, with a column for each group and value.',
        headers: FILE_HEADERS,
      },
      parquet: { file: 'A file with a column for each group and value.', headers: FILE_HEADERS },
      arrow: { file: 'An Arrow IPC stream with the same columns.', headers: FILE_HEADERS },
    },
  },
  {
    name: 'coverage',
    mediaTypes: { json: MEDIA_TYPES.json },
    needsKey: true,
    isPaged: false,
    operationId: 'getCoverage',
    summary: 'Coverage by year, with gaps',
    description:
      'What the archive holds of stations, by the same rules as `meta.coverage`: years, and the days that are due and not done. In the order of the request. Guide: [coverage](/docs/coverage).',
    answer: 'The coverage of each station',
    contents: { json: { schema: 'CoverageReport', headers: ['ETag'] } },
  },
  {
    name: 'stations',
    mediaTypes: STATIONS_MEDIA_TYPES,
    needsKey: true,
    isPaged: true,
    operationId: 'listStations',
    summary: 'Find stations',
    description:
      'Stations that the archive knows, in the order of their codes, or with `near` of their distances. All filters must hold. Guide: [stations](/docs/stations).',
    answer: 'A page of stations',
    contents: {
      json: { schema: 'StationsPage', headers: PAGE_HEADERS },
      geojson: { schema: 'StationFeatures', headers: [...PAGE_HEADERS, 'X-Has-More', 'X-Next-Cursor'] },
    },
  },
  {
    name: 'archive',
    mediaTypes: { json: MEDIA_TYPES.json },
    needsKey: false,
    isPaged: false,
    operationId: 'getArchive',
    summary: 'The archive in numbers',
    description:
      'How many stations and reports the archive holds. Needs no key, is not counted, and is up to a minute old.',
    answer: 'The numbers',
    contents: { json: { schema: 'ArchiveSummary', headers: [] } },
  },
  {
    name: 'archive/stations',
    mediaTypes: { json: MEDIA_TYPES.json },
    needsKey: false,
    isPaged: false,
    operationId: 'getArchiveStations',
    summary: 'The stations of the archive',
    description:
      'Every station that the archive knows, in the order of the codes, with its position and newest report: what a map needs. Needs no key, is not counted, and is up to a minute old.',
    answer: 'The stations',
    contents: { json: { schema: 'ArchiveStations', headers: [] } },
  },
];

/** The paths of an endpoint, each with the format that it names; without one, `Accept` chooses. */
export function pathsOf({ name, mediaTypes }: Endpoint): ReadonlyMap<string, string | undefined> {
  const path = `/v1/history/${name}`;
  const formats = Object.keys(mediaTypes);
  const named = formats.length > 1 ? formats.map((format) => [`${path}.${format}`, format] as const) : [];
  return new Map([[path, undefined], ...named]);
}

/** The routes of all paths. */
export function endpointRoutes(
  service: Service,
  pages: PageReader,
  statistics: StatisticsReader,
): readonly RouteEntry[] {
  const routes: Readonly<Record<Endpoint['name'], Route>> = {
    observations: (ctx) => answerObservations(ctx, service, pages),
    hourly: (ctx) => answerHourly(ctx, service),
    statistics: (ctx) => answerStatistics(ctx, service, statistics),
    coverage: (ctx) => answerCoverage(ctx, service),
    stations: (ctx) => answerStations(ctx, service),
    archive: archiveRoute(service.archive),
    'archive/stations': archiveStationsRoute(service.archive),
  };
  return ENDPOINTS.flatMap((endpoint) =>
    [...pathsOf(endpoint).keys()].map(
      (path): RouteEntry => [path, { label: endpoint.name, handle: routes[endpoint.name] }],
    ),
  );
}
