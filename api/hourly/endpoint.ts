import type { HourlyPosition } from '../../clickhouse/hourly.ts';
import { ARCHIVE_TIMES } from '../../clickhouse/model/time-window.ts';
import { fieldSchemas, MINUTE, pageSchema, STATION, schemaRef } from '../contract/answers.ts';
import {
  LOCAL_STREAM_HEADERS,
  MEDIA_TYPES,
  PAGE_HEADERS,
  positionCheck,
  type QueryEndpoint,
  tableContents,
} from '../contract/endpoint.ts';
import { DAYS, FIELD_LIST, STATIONS_OR_AREA } from '../contract/parameters.ts';
import type { Values } from '../contract/values.ts';

const DEFAULT_FIELDS = [
  ...['temp_c', 'dewp_c', 'rh_pct', 'wdir', 'wspd_kt', 'wgst_kt', 'visib_m', 'ceiling_ft', 'altim_hpa'],
  ...['slp_hpa', 'wx', 'fltcat', 'pcp1h_in'],
];

/** With `times=local` it has the offset of the station. */
const LOCAL_MINUTE = { ...MINUTE, pattern: MINUTE.pattern.replace('Z$', '(Z|[+-]\\d\\d:\\d\\d)$') };

const HOUR = {
  description: 'A nominal hour of a station. Each field is absent where the hour has no METAR that gives it.',
  type: 'object',
  required: ['station', 'hour', 'n'],
  properties: {
    station: STATION,
    hour: { ...LOCAL_MINUTE, description: 'The nominal hour.' },
    observedAt: {
      ...LOCAL_MINUTE,
      description: 'Of the first METAR of the hour; absent where there is none.',
    },
    n: { type: 'integer', minimum: 0, description: 'Reports of the hour, SPECI included.' },
    ...fieldSchemas({ type: 'number' }),
  },
};

export const HOURLY: QueryEndpoint<HourlyPosition> = {
  name: 'hourly',
  mediaTypes: MEDIA_TYPES,
  takesAreas: true,
  keys: ['station', 'hour', 'observedAt', 'n'],
  parameters: {
    ...STATIONS_OR_AREA,
    from: { ...DAYS.from, purpose: 'Start of the range (inclusive): the first nominal hour from it on' },
    to: DAYS.to,
    filter: { purpose: 'Keeps the hours whose first METAR meets a condition' },
    fields: {
      purpose: 'Fields of a row, in this order',
      schema: { ...FIELD_LIST, default: DEFAULT_FIELDS },
    },
    tz: { purpose: 'Time zone of the days from and to, where they are dates; rows are hours of UTC' },
    times: {},
    limit: {},
    cursor: {},
  },
  checkPosition: positionCheck<HourlyPosition>({
    hour: { type: 'integer', minimum: ARCHIVE_TIMES.from, maximum: ARCHIVE_TIMES.to, multipleOf: 3600 },
    station: STATION,
  }),
  operationId: 'listHours',
  summary: 'List hourly series',
  description:
    'One row for each station and nominal hour, also where nothing was reported, from the first METAR of the hour. A nominal hour is that of `observedAt` + 10 minutes. In the order of hours and stations. Guides: [hourly](/docs/hourly), [asking](/docs/asking), [formats](/docs/formats).',
  answer: 'A page of rows',
  contents: tableContents(
    { schema: 'HourlyPage', headers: PAGE_HEADERS },
    ['row', 'field'],
    LOCAL_STREAM_HEADERS,
  ),
  schemas: {
    HourlyPage: pageSchema('Hour', {
      tz: schemaRef('TimeZone'),
      coverage: schemaRef('Coverage'),
      sources: schemaRef('Sources'),
    }),
    Hour: HOUR,
  },
};

export function hoursOf({ fields = DEFAULT_FIELDS, condition }: Values) {
  return { fields, ...(condition && { condition }) };
}
