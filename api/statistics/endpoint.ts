import {
  CONDITION_FUNCTIONS,
  DAYS_THAT_COUNT,
  NUMBER_FUNCTIONS,
  PERIOD_FIELDS,
  type Question,
  SAMPLES,
} from '../../clickhouse/statistics/question.ts';
import type { TimeZone } from '../../clickhouse/zones/clocks.ts';
import { objectSchema, STATION, schemaRef } from '../contract/answers.ts';
import { MEDIA_TYPES, type QueryEndpoint, tableContents } from '../contract/endpoint.ts';
import { DAYS, LONG_TEXT, STATIONS_OR_AREA } from '../contract/parameters.ts';
import { type Preset, typesOf, type Values } from '../contract/values.ts';
import { checkColumns, parseBy, parseSelect } from './lists.ts';
import { choosePreset, expandPreset, PRESETS } from './presets.ts';

const FILE_HEADERS = ['X-Coverage-Status', 'X-Sources', 'X-Stations-In-UTC', 'Link'];

/** What each preset stands for, taken from the code. */
const PRESETS_TEXT = Object.entries(PRESETS)
  .map(
    ([name, { title, select, by, sample, days }]: [string, Preset]) =>
      `- \`${name}\`: ${title}. \`by=${by}\`, \`sample=${sample}\`${days === undefined ? '' : `, \`days=${days}\``}, \`select=${select}\``,
  )
  .join('\n');

const [MEAN, ...OTHERS] = NUMBER_FUNCTIONS;
const [SHARE, ...OF_CONDITIONS] = CONDITION_FUNCTIONS;
const OF_PERIODS = Object.entries(PERIOD_FIELDS).flatMap(([field, names]) =>
  names.map((name) => `${name}(${field})`),
);
const SELECT_TEXT = `up to 40 statistics separated by commas, optionally with a name and a colon before each: count, ${MEAN}(temp_c), ${OTHERS.join(', ')}, median, p95 (p0 to p100), time_of_max, time_of_min, resultant(wdir), resultant(wspd_kt), resultant_n, of a condition low:${SHARE}(visib_m < 800), ${OF_CONDITIONS.join(', ')}, and ${OF_PERIODS.join(', ')}`;

const SAMPLE = { type: 'string', enum: SAMPLES };

const STATISTICS_ROW = {
  type: 'object',
  description:
    'The station, the groups of `by`, `n` (reports that count), `expected` (clock hours that begin in the row and the range) and the values of `select`. A value that no report gives is absent.',
  // Generators drop `patternProperties`.
  required: ['station', 'n', 'expected'],
  properties: {
    station: STATION,
    n: { type: 'integer', minimum: 0 },
    expected: { type: 'integer', minimum: 0 },
  },
  additionalProperties: { type: ['number', 'string'] },
};

const STATISTICS_ANSWER = objectSchema({
  data: { type: 'array', items: schemaRef('StatisticsRow') },
  meta: objectSchema(
    {
      sample: SAMPLE,
      tz: schemaRef('TimeZone'),
      expanded: {
        description: 'What the preset stands for.',
        ...objectSchema(
          {
            select: { type: 'string' },
            by: { type: 'string' },
            sample: SAMPLE,
            days: { type: 'string', enum: DAYS_THAT_COUNT },
          },
          ['days'],
        ),
      },
      coverage: schemaRef('Coverage'),
      sources: schemaRef('Sources'),
      rateLimit: schemaRef('RateLimit'),
    },
    ['expanded'],
  ),
});

export const STATISTICS: QueryEndpoint = {
  name: 'statistics',
  mediaTypes: MEDIA_TYPES,
  takesAreas: true,
  parameters: {
    ...STATIONS_OR_AREA,
    ...DAYS,
    type: {},
    filter: {
      purpose: 'Condition that a sampled report has to meet',
      description: 'a condition in CQL2 Text, as in wspd_kt >= 20 AND thunder = TRUE',
      schema: LONG_TEXT,
    },
    select: { description: SELECT_TEXT },
    preset: { description: `one of ${Object.keys(PRESETS).join(', ')}` },
    by: {},
    sample: {},
    days: {},
    tz: {},
  },
  readers: { select: parseSelect, by: parseBy, preset: choosePreset },
  expand: ({ preset }) => expandPreset(preset),
  check: checkColumns,
  operationId: 'getStatistics',
  summary: 'Statistics of reports',
  description: `Numbers about reports, by station and groups, in the order of both. Each row has \`n\`, the reports that count, and \`expected\`, the hours that could have one. Guide: [statistics](/docs/statistics).\n\nPresets:\n\n${PRESETS_TEXT}`,
  answer: 'The rows',
  contents: tableContents(
    { schema: 'StatisticsAnswer', headers: ['ETag'] },
    ['row', 'group and value'],
    FILE_HEADERS,
  ),
  schemas: { StatisticsAnswer: STATISTICS_ANSWER, StatisticsRow: STATISTICS_ROW },
};

/** What the parameters ask: a question, whose clock it means, and what its preset stands for. */
export type StatisticsRequest = Question & {
  readonly timeZone: TimeZone;
  /** The range is of local days. */
  readonly isOfDays?: boolean;
  /** As in the request. */
  readonly tz: string;
  readonly expanded?: Preset;
};

export function questionOf(values: Values): StatisticsRequest {
  const { stations, from, to, type, select, preset, by = [], sample, days, tz, condition } = values;
  return {
    stations,
    from,
    to,
    types: typesOf(type),
    statistics: select,
    groups: by,
    sample,
    days,
    ...tz,
    ...(values.isOfDays && { isOfDays: true }),
    ...(condition && { condition }),
    ...(preset && { expanded: preset }),
    ...(preset?.isMeanYear && { isMeanYear: true }),
  };
}
