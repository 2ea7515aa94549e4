import { CONDITION_FUNCTIONS, NUMBER_FUNCTIONS, SAMPLES } from '../../clickhouse/statistics/question.ts';
import { objectSchema, STATION, schemaRef } from '../contract/answers.ts';
import {
  LOCAL_STREAM_HEADERS,
  MEDIA_TYPES,
  type QueryEndpoint,
  tableContents,
} from '../contract/endpoint.ts';
import { DATES, DAYS, LONG_TEXT, STATIONS_OR_AREA } from '../contract/parameters.ts';
import { parseDate, readCondition } from '../contract/parse-values.ts';
import { type Preset, typesOf, type Values } from '../contract/values.ts';
import { parseBy } from './by-list.ts';
import { choosePreset, expandPreset, PRESETS } from './presets.ts';
import { checkColumns, parseSelect } from './select-list.ts';
import { DAY_SUBJECT } from './subjects.ts';

const PRESETS_TEXT = Object.entries(PRESETS)
  .map(
    ([name, { title, of, select, by, sample }]: [string, Preset]) =>
      `- \`${name}\`: ${title}.${of === undefined ? '' : ` \`of=${of}\`,`} \`by=${by}\`${sample === undefined ? '' : `, \`sample=${sample}\``}, \`select=${select}\``,
  )
  .join('\n');

const [MEAN, ...OTHERS] = NUMBER_FUNCTIONS;
const [SHARE, ...OF_CONDITIONS] = CONDITION_FUNCTIONS;
const SELECT_TEXT = `up to 40 statistics separated by commas, optionally with a name and a colon before each: count, ${MEAN}(temp_c), ${OTHERS.join(', ')}, median, p95 (p0 to p100), time_of_max, time_of_min, resultant(wdir), resultant(wspd_kt), resultant_n, and of a condition low:${SHARE}(visib_m < 800), ${OF_CONDITIONS.join(', ')}. Of days: max(max_temp_c), hot:count(max_temp_c >= 30)`;

const SAMPLE = { type: 'string', enum: SAMPLES };

const STATISTICS_ROW = {
  type: 'object',
  description:
    'The station, the groups of `by`, `n` (reports that count, or days), `expected` (clock hours that begin in the row and the range, or days) and the values of `select`. A value that no report or day gives is absent.',
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
  meta: objectSchema({
    'sample?': SAMPLE,
    tz: schemaRef('TimeZone'),
    'expanded?': {
      description: 'What the preset stands for.',
      ...objectSchema({
        'of?': { type: 'string', enum: ['days'] },
        select: { type: 'string' },
        by: { type: 'string' },
        'sample?': SAMPLE,
      }),
    },
    coverage: schemaRef('Coverage'),
    sources: schemaRef('Sources'),
    rateLimit: schemaRef('RateLimit'),
  }),
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
    of: {},
    select: { description: SELECT_TEXT },
    preset: { description: `one of ${Object.keys(PRESETS).join(', ')}` },
    by: {},
    sample: {},
    tz: {},
    times: {},
  },
  instead: { days: 'is no parameter: statistics of=days are of complete days' },
  readers: { select: (text) => parseSelect(text), by: (text) => parseBy(text), preset: choosePreset },
  expand: ({ preset }) => expandPreset(preset),
  check: checkColumns,
  operationId: 'getStatistics',
  summary: 'Statistics of reports or days',
  description: `Numbers about reports, or with \`of=days\` about the records of \`/v1/history/daily\`, by station and groups, in the order of both. Each row has \`n\`, the reports or days that count, and \`expected\`, the hours or days that it could have. With \`of=days\`, \`from\` and \`to\` are dates, \`tz\` is \`standard\` or \`utc\`, \`by\` has year, season and month, and \`type\` and \`sample\` are refused. Guide: [statistics](/docs/statistics).\n\nPresets:\n\n${PRESETS_TEXT}`,
  answer: 'The rows',
  contents: tableContents(
    { schema: 'StatisticsAnswer', headers: ['ETag'] },
    ['row', 'group and value'],
    LOCAL_STREAM_HEADERS.filter((name) => name !== 'X-Next-Cursor'),
  ),
  schemas: { StatisticsAnswer: STATISTICS_ANSWER, StatisticsRow: STATISTICS_ROW },
};

const { type: _, sample: __, ...OF_BOTH } = STATISTICS.parameters ?? {};

/** The same of days: other fields, and dates. */
const STATISTICS_OF_DAYS: QueryEndpoint = {
  ...STATISTICS,
  parameters: { ...OF_BOTH, ...DATES },
  instead: {
    ...STATISTICS.instead,
    type: 'selects reports: leave it out with of=days',
    sample: 'selects reports: leave it out with of=days',
  },
  readers: {
    from: parseDate,
    to: parseDate,
    filter: (text) => readCondition(text, 0, DAY_SUBJECT.conditionFields),
    select: (text) => parseSelect(text, DAY_SUBJECT),
    by: (text) => parseBy(text, DAY_SUBJECT),
    preset: choosePreset,
  },
};

/** The endpoint by whose rules the parameters are read: statistics of days have other fields than those of reports. */
export function endpointOf(querystring: string): QueryEndpoint {
  const given = new URLSearchParams(querystring);
  const { of = given.get('of') } = expandPreset(given.get('preset'));
  return of === 'days' ? STATISTICS_OF_DAYS : STATISTICS;
}

/** What the parameters ask: a question, whose clock it means, and what its preset stands for. */
export type StatisticsRequest = ReturnType<typeof questionOf>;

/** Types and sample mean nothing where days are asked for. */
export function questionOf(values: Values) {
  const { select: statistics, by: groups = [], preset: expanded, type = 'all', tz, ...others } = values;
  return { ...others, ...tz, statistics, groups, types: typesOf(type), ...(expanded && { expanded }) };
}
