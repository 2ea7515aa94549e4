import { type Position, REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { ARCHIVE_TIMES } from '../../clickhouse/model/time-window.ts';
import type { Selection } from '../../clickhouse/observations/selection.ts';
import { MINUTE, objectSchema, pageSchema, STATION, schemaRef } from '../contract/answers.ts';
import {
  MEDIA_TYPES,
  PAGE_HEADERS,
  positionCheck,
  type QueryEndpoint,
  STREAM_HEADERS,
  tableContents,
} from '../contract/endpoint.ts';
import { REQUIRED, STATIONS_OR_AREA } from '../contract/parameters.ts';
import { typesOf, type Values } from '../contract/values.ts';

export const OBSERVATION = {
  description: 'One METAR or SPECI of a station.',
  ...objectSchema(
    {
      id: { type: 'string', description: 'Opaque, and the same on every machine and after every reload.' },
      station: STATION,
      observedAt: { ...MINUTE, description: 'Observation time, a whole minute in UTC.' },
      type: { type: 'string', enum: REPORT_TYPES },
      parseStatus: {
        type: 'string',
        enum: ['parsed', 'failed', 'raw_only'],
        description:
          '`parsed`: `decoded` is present. `failed`: the decoder could not explain the whole body. `raw_only`: `decoded` was not requested, or the decoder has not read this report.',
      },
      raw: {
        type: 'string',
        description: 'The report as the source sent it, on one line; present when `include` has `raw`.',
      },
      decoded: schemaRef('Decoded'),
    },
    ['raw', 'decoded'],
  ),
};

export const OBSERVATIONS: QueryEndpoint<Position> = {
  name: 'observations',
  mediaTypes: MEDIA_TYPES,
  takesAreas: true,
  parameters: {
    ...STATIONS_OR_AREA,
    from: REQUIRED,
    to: REQUIRED,
    type: {},
    include: {},
    filter: {},
    fields: {
      description:
        'names of decoded and derived fields separated by commas, as in temp_c,ceiling_ft; with include=decoded',
    },
    order: {},
    limit: {},
    cursor: {},
  },
  checkPosition: positionCheck<Position>({
    observedAt: { type: 'integer', minimum: ARCHIVE_TIMES.from, maximum: ARCHIVE_TIMES.to, multipleOf: 60 },
    station: STATION,
    type: { enum: REPORT_TYPES },
    fingerprint: { type: 'string', pattern: '^[0-9a-f]{8}$' },
  }),
  operationId: 'listObservations',
  summary: 'List archived observations',
  description:
    'Reports in the order of `observedAt`, `station` and `type`, or with `order=desc` in its reverse. `Accept` chooses the format of the answer; JSON is the default, and the bounds of `limit` are those of JSON. Guides: [first request](/docs/first-request), [walking](/docs/walking), [asking](/docs/asking), [coverage](/docs/coverage), [formats](/docs/formats).',
  answer: 'A page of records',
  contents: tableContents(
    { schema: 'ObservationsPage', headers: PAGE_HEADERS },
    ['record', 'field'],
    STREAM_HEADERS,
  ),
  schemas: {
    ObservationsPage: pageSchema('Observation', {
      coverage: schemaRef('Coverage'),
      sources: schemaRef('Sources'),
    }),
    Observation: OBSERVATION,
  },
};

/** What the parameters ask the archive for. */
export function selectionOf({
  stations,
  from,
  to,
  type,
  include,
  fields,
  order,
  condition,
}: Values): Selection {
  return {
    stations,
    from,
    to,
    types: typesOf(type),
    raw: include.includes('raw'),
    decoded: include.includes('decoded'),
    ...(fields && { fields }),
    ...(condition && { condition }),
    ...(order === 'desc' && { isDescending: true }),
  };
}
