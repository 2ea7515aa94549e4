import type { RecordPosition, RecordTable } from '../../clickhouse/days/read-records.ts';
import { DAILY, MONTHLY, NORMALS } from '../../clickhouse/days/records.ts';
import type { InvalidValue } from '../../clickhouse/validation.ts';
import { type JsonObject, pageSchema, schemaRef } from '../contract/answers.ts';
import {
  LOCAL_STREAM_HEADERS,
  MEDIA_TYPES,
  PAGE_HEADERS,
  positionCheck,
  type QueryEndpoint,
  tableContents,
} from '../contract/endpoint.ts';
import { DATES, STATIONS_OR_AREA } from '../contract/parameters.ts';
import { isDate, parseDate, readCondition } from '../contract/parse-values.ts';

export type RecordEndpoint = QueryEndpoint<RecordPosition> & { readonly table: RecordTable };

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

type About = Pick<QueryEndpoint, 'name' | 'operationId' | 'summary' | 'description'> & {
  readonly table: RecordTable;
  /** The name of its record in schemas, and what it is. */
  readonly record: string;
  readonly meaning: string;
  readonly example: string;
  readonly check?: QueryEndpoint['check'];
};

function endpointOf({ table, record, meaning, example, ...about }: About): RecordEndpoint {
  const names = [...table.fields.keys()];
  return {
    ...about,
    table,
    mediaTypes: MEDIA_TYPES,
    takesAreas: true,
    keys: table.keys.map(({ name }) => name),
    fields: table.fields,
    parameters: {
      ...STATIONS_OR_AREA,
      ...DATES,
      filter: {
        purpose: 'Keeps the records that meet a condition',
        description: `a condition in CQL2 Text on the fields of these records, as in ${example}`,
      },
      fields: {
        purpose: 'Fields of a record, in this order',
        description: `names of fields separated by commas, as in ${names.slice(0, 2).join()}; in other units by their suffixes, as in ${names[0]?.replace(/c$/, 'f')}`,
      },
      times: {},
      order: { purpose: 'Order of the records of each station' },
      limit: {},
      cursor: {},
    },
    readers: {
      from: parseDate,
      to: parseDate,
      filter: (text) => readCondition(text, 0, table.conditionFields),
    },
    checkPosition: positionCheck<RecordPosition>({
      station: { type: 'string' },
      at: { type: 'integer', minimum: 0, maximum: 1_000_000 },
    }),
    answer: 'A page of records',
    contents: tableContents(
      { schema: `${record}Page`, headers: PAGE_HEADERS },
      ['record', 'field'],
      LOCAL_STREAM_HEADERS,
    ),
    schemas: {
      [`${record}Page`]: pageSchema(record, {
        tz: schemaRef('TimeZone'),
        coverage: schemaRef('Coverage'),
        sources: schemaRef('Sources'),
      }),
      [record]: recordSchema(table, meaning),
    },
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
    'A month of the mean year of a station, or without `month` the year. Sums and numbers of days are of the years in which every day of the month is known, and `…_years` says how many.',
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
