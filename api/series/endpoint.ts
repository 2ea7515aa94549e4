import type { RecordPosition, RecordTable } from '../../clickhouse/days/read-records.ts';
import { DAILY, MONTHLY, NORMALS } from '../../clickhouse/days/records.ts';
import type { HourlyPosition } from '../../clickhouse/hourly.ts';
import { ARCHIVE_TIMES } from '../../clickhouse/model/time-window.ts';
import type { InvalidValue } from '../../clickhouse/validation.ts';
import {
  count,
  fieldSchemas,
  type JsonObject,
  MINUTE,
  pageSchema,
  STATION,
  schemaRef,
} from '../contract/answers.ts';
import {
  LOCAL_STREAM_HEADERS,
  MEDIA_TYPES,
  PAGE_HEADERS,
  positionCheck,
  type QueryEndpoint,
  tableContents,
} from '../contract/endpoint.ts';
import { DATES, DAYS, FIELD_LIST, STATIONS_OR_AREA } from '../contract/parameters.ts';
import { isDate, parseDate, readCondition } from '../contract/parse-values.ts';

const COMMON_PARAMETERS = { ...STATIONS_OR_AREA, times: {}, limit: {}, cursor: {} };

/** What endpoints of rows by hours, days or months have in common. */
function seriesOf(element: 'row' | 'record', page: string, record: string, schema: JsonObject) {
  return {
    mediaTypes: MEDIA_TYPES,
    takesAreas: true,
    answer: `A page of ${element}s`,
    contents: tableContents(
      { schema: page, headers: PAGE_HEADERS },
      [element, 'field'],
      LOCAL_STREAM_HEADERS,
    ),
    schemas: {
      [page]: pageSchema(record, {
        tz: schemaRef('TimeZone'),
        coverage: schemaRef('Coverage'),
        sources: schemaRef('Sources'),
      }),
      [record]: schema,
    },
  } as const;
}

const DEFAULT_FIELDS = [
  ...['temp_c', 'dewp_c', 'rh_pct', 'wdir', 'wspd_kt', 'wgst_kt', 'visib_m', 'ceiling_ft', 'altim_hpa'],
  ...['slp_hpa', 'wx', 'fltcat', 'pcp1h_in'],
];

/** A time to the minute. With `times=local` it has the offset of the station from UTC. */
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
      description: 'The time of the first METAR of the hour. Absent if the hour has no METAR.',
    },
    n: count('Reports of the hour, SPECI included.'),
    ...fieldSchemas({ type: 'number' }),
  },
};

export const HOURLY: QueryEndpoint<HourlyPosition> = {
  ...seriesOf('row', 'HourlyPage', 'Hour', HOUR),
  name: 'hourly',
  keys: ['station', 'hour', 'observedAt', 'n'],
  parameters: {
    ...COMMON_PARAMETERS,
    from: { ...DAYS.from, purpose: 'Start of the range (inclusive): the first nominal hour not before it' },
    to: DAYS.to,
    filter: { purpose: 'Keeps the hours whose first METAR meets a condition' },
    fields: {
      purpose: 'Fields of a row, in this order',
      schema: { ...FIELD_LIST, default: DEFAULT_FIELDS },
    },
    tz: { purpose: 'Time zone of the days from and to, where they are dates; rows are hours of UTC' },
  },
  checkPosition: positionCheck<HourlyPosition>({
    hour: { type: 'integer', minimum: ARCHIVE_TIMES.from, maximum: ARCHIVE_TIMES.to, multipleOf: 3600 },
    station: STATION,
  }),
  operationId: 'listHours',
  summary: 'List hourly series',
  description:
    'One row for each station and nominal hour, also where nothing was reported, from the first METAR of the hour. A nominal hour is that of `observedAt` + 10 minutes. In the order of hours and stations. Guides: [hourly](/docs/hourly), [asking](/docs/asking), [formats](/docs/formats).',
};

const JSON_TYPES: Readonly<Record<string, JsonObject>> = {
  String: { type: 'string' },
  Date32: { type: 'string', format: 'date' },
  Int32: { type: 'integer' },
  Int64: { type: 'integer', minimum: 0 },
  Float64: { type: 'number' },
  "DateTime64(6, 'UTC')": { type: 'string', format: 'date-time' },
};

function recordSchema({ keys, fields }: RecordTable, description: string): JsonObject {
  const columns = [...keys, ...fields.values()];
  return {
    description,
    type: 'object',
    required: keys.filter(({ type }) => !type.startsWith('Nullable')).map(({ name }) => name),
    properties: Object.fromEntries(
      columns.map(({ name, type, meaning, unit }) => [
        name,
        {
          ...JSON_TYPES[type.replace(/^Nullable\((.*)\)$/, '$1')],
          ...(meaning !== undefined && { description: meaning }),
          ...(unit !== undefined && { 'x-unit': unit }),
        },
      ]),
    ),
  };
}

type About = Pick<QueryEndpoint, 'name' | 'operationId' | 'summary' | 'description' | 'check'> & {
  readonly table: RecordTable;
  /** The name of its record in schemas, and what it is. */
  readonly record: string;
  readonly meaning: string;
  readonly example: string;
};

function endpointOf({ record, meaning, example, ...about }: About) {
  const { keys, fields, conditionFields } = about.table;
  const names = [...fields.keys()];
  return {
    ...about,
    ...seriesOf('record', `${record}Page`, record, recordSchema(about.table, meaning)),
    keys: keys.map(({ name }) => name),
    fields,
    parameters: {
      ...COMMON_PARAMETERS,
      ...DATES,
      filter: {
        purpose: 'Keeps the records that meet a condition',
        description: `a condition in CQL2 Text on the fields of these records, as in ${example}`,
      },
      fields: {
        purpose: 'Fields of a record, in this order',
        description: `names of fields separated by commas, as in ${names.slice(0, 2).join()}; in other units by their suffixes, as in ${names[0]?.replace(/c$/, 'f')}`,
      },
      order: { purpose: 'Order of the records of each station' },
    },
    readers: {
      from: parseDate,
      to: parseDate,
      filter: (text: string) => readCondition(text, 0, conditionFields),
    },
    checkPosition: positionCheck<RecordPosition>({
      station: { type: 'string' },
      at: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    }),
  };
}

export const DAILY_RECORDS = endpointOf({
  name: 'daily',
  table: DAILY,
  record: 'DailyRecord',
  meaning:
    'A day of a station. A field that its reports do not give is absent, and so are means and extremes where more than six hours in a row have no report.',
  example: 'freezing = 1 AND max_gust_kt >= 40',
  operationId: 'listDays',
  summary: 'List days',
  description:
    'A record for each station and day, also where nothing was reported, in the order of stations and dates; with `filter` those that meet it. Days are those of standard time, or of UTC. Guides: [days](/docs/days), [asking](/docs/asking), [formats](/docs/formats).',
});

export const MONTHLY_RECORDS = endpointOf({
  name: 'monthly',
  table: MONTHLY,
  record: 'MonthlyRecord',
  meaning:
    'A month of a station, made of its days. A mean is absent where eleven days, or five in a row, lack it. Sums and numbers of days are those of the days that are known, and `…_days` says how many.',
  example: 'frost_days >= 20 AND precip_in > 3',
  operationId: 'listMonths',
  summary: 'List months',
  description:
    'A record for each station and month, in the order of stations and months: what the records of `/v1/history/daily` make. A month that the range cuts has the days of the range. Guides: [days](/docs/days), [asking](/docs/asking), [formats](/docs/formats).',
});

export const NORMALS_RECORDS = endpointOf({
  name: 'normals',
  table: NORMALS,
  record: 'NormalsRecord',
  meaning:
    'A month of the mean year of a station, or without `month` the year. Sums and numbers of days come from the years in which every day of the month is known; `…_years` is the number of years.',
  example: 'frost_days >= 20',
  check: checkWholeMonths,
  operationId: 'listNormals',
  summary: 'List normals',
  description:
    'The mean year of each station by month, and the year, over the years in the range: `from` and `to` are first days of months. Guides: [days](/docs/days), [asking](/docs/asking), [formats](/docs/formats).',
});

function checkWholeMonths(texts: ReadonlyMap<string, string>): readonly InvalidValue[] {
  return ['from', 'to'].flatMap((name) => {
    const text = texts.get(name) ?? '';
    if (!isDate(text) || text.endsWith('-01')) return [];
    const detail = `must be the first day of a month, as in ${text.slice(0, 8)}01: normals are of whole months`;
    return [{ name, detail }];
  });
}
