import type { Condition } from '../../clickhouse/conditions/condition.ts';
import { canonicalCondition } from '../../clickhouse/conditions/condition.ts';
import { FIELD_NAMES } from '../../clickhouse/model/field-columns.ts';
import { ICAO_CODE, REPORT_TYPES } from '../../clickhouse/model/report.ts';
import type { Selection } from '../../clickhouse/observations/selection.ts';
import type { BoundingBox } from '../../clickhouse/stations/known-stations.ts';
import type { Coordinates } from '../../clickhouse/stations/station-descriptions.ts';
import {
  type Group,
  type Question,
  SAMPLES,
  type Sample,
  type Statistic,
} from '../../clickhouse/statistics/question.ts';
import { insteadOf } from '../../clickhouse/validation.ts';
import { type Parameter, ParameterError, parameter } from './parameter.ts';
import {
  checkRange,
  parseBoundingBox,
  parsePoint,
  parseSeconds,
  parseTimeZone,
  readCondition,
  type TimeZone,
} from './parse-values.ts';
import { PRESETS, type Preset, type PresetName } from './presets.ts';
import { describeSameColumns, parseBy, parseSelect } from './statistics-lists.ts';

/** What the statistics parameters say: a question, whose clock it means, and what its preset stands for. */
export type StatisticsRequest = Omit<Question, 'groups'> & {
  readonly groups?: readonly Group[];
  readonly timeZone: TimeZone;
  /** As in the request. */
  readonly tz: string;
  readonly expanded?: Preset;
};

/** The content of an hour if no fields are named. */
const HOURLY_FIELDS = [
  ...['temp_c', 'dewp_c', 'rh_pct', 'wdir', 'wspd_kt', 'wgst_kt', 'visib_m', 'ceiling_ft', 'altim_hpa'],
  ...['slp_hpa', 'wx', 'fltcat', 'pcp1h_in'],
];

const FIELDS_DESCRIPTION = 'names of decoded and derived fields separated by commas, as in temp_c,ceiling_ft';
const BBOX = '-125,24,-66,50';

const TEXT = { type: 'string', minLength: 1, maxLength: 8000 } as const;

const REQUIRED = { isRequired: true } as const;

/**
 * Every parameter of the endpoints that read the archive. The check of a request, its cursors, cache keys, the OpenAPI
 * document, the reference and the random requests of tests come from these rows. The parameters of an endpoint are in
 * the order of the table.
 */
export const PARAMETERS: Record<string, Parameter> = {
  stations: parameter<readonly string[]>({
    of: { observations: REQUIRED, hourly: REQUIRED, statistics: REQUIRED, coverage: REQUIRED, stations: {} },
    purpose: 'Stations that are asked for',
    description: '1 to 1,000 uppercase ICAO codes separated by commas, as in KJFK,EGLL',
    schema: { type: 'array', maxItems: 1000, items: { type: 'string', pattern: ICAO_CODE.source } },
    key: (stations) => stations.toSorted(),
    example: ['XAAA', 'XAAB'],
    valid: ['XAAA', 'XAAA,XAAB', 'XAAA,XAAA'],
    invalid: ['xaaa', 'XAAA,', "XAA'", 'XAA\\', 'XAA{', '{stations:String}', ''],
  }),
  from: parameter<string, number>({
    of: {
      observations: REQUIRED,
      hourly: { ...REQUIRED, purpose: 'First time that is included: the first nominal hour from it on' },
      statistics: REQUIRED,
      coverage: {},
    },
    purpose: 'First time that is included',
    description: 'an RFC 3339 timestamp in UTC, as in 2024-01-31T12:00:00Z',
    schema: { type: 'string' },
    parse: parseSeconds,
    check: checkRange,
    example: '2024-01-01T00:00:00Z',
    valid: ['2024-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
    invalid: ['2024-02-30T00:00:00Z', '9999-12-31T23:59:59.999999Z', '1e9'],
  }),
  to: parameter<string, number>({
    of: { observations: REQUIRED, hourly: REQUIRED, statistics: REQUIRED, coverage: {} },
    purpose: 'First time that is not included',
    description: 'an RFC 3339 timestamp in UTC, as in 2024-02-01T12:00:00Z',
    schema: { type: 'string' },
    parse: parseSeconds,
    example: '2024-01-02T00:00:00Z',
    valid: ['2024-02-01T00:00:00Z', '9999-12-31T23:59:59.999999Z', '2106-02-07T06:28:16Z'],
    invalid: ['1969-12-31T23:59:59Z'],
  }),
  type: parameter<string>({
    of: { observations: {}, statistics: {} },
    purpose: 'Kind of report',
    description: 'all, metar or speci',
    schema: { enum: ['all', 'metar', 'speci'], default: 'all' },
    check: ({ texts, values }) =>
      texts.get('type') === 'speci' && values.has('sample') && values.get('sample') !== 'all'
        ? {
            name: 'type',
            detail: 'speci has no report in the hourly sample, which is of METARs: add sample=all',
          }
        : undefined,
    select: (type): Pick<Selection, 'types'> => ({
      types: REPORT_TYPES.filter((name) => type === 'all' || type === name.toLowerCase()),
    }),
    valid: ['all', 'metar', 'speci'],
    invalid: ['METAR', "' OR 1", ''],
  }),
  include: parameter<readonly string[]>({
    of: { observations: {} },
    purpose: 'What each record holds in addition to its keys',
    description: 'raw, decoded or both, separated by a comma',
    schema: { type: 'array', items: { enum: ['raw', 'decoded'] }, default: ['raw'] },
    key: (include) => include.toSorted(),
    select: (include): Pick<Selection, 'raw' | 'decoded'> => ({
      raw: include.includes('raw'),
      decoded: include.includes('decoded'),
    }),
    valid: ['raw', 'decoded', 'decoded,raw', 'raw,raw'],
    invalid: ['*', ','],
  }),
  filter: parameter<string, Condition>({
    of: {
      observations: {},
      hourly: { purpose: 'Hours for whose first METAR a condition is not true are left out' },
      statistics: {
        purpose: 'Condition that a sampled report has to meet',
        description: 'a condition in CQL2 Text, as in wspd_kt >= 20 AND thunder = TRUE',
        schema: TEXT,
      },
    },
    purpose: 'Records for which a condition is not true are left out',
    description:
      'a condition in CQL2 Text on decoded and derived fields, type and raw, as in visib_m < 800 OR ceiling_ft < 200',
    schema: { type: 'string' },
    parse: readCondition,
    key: canonicalCondition,
    select: (condition): Pick<Selection, 'condition'> => ({ condition }),
    valid: ['temp_c < 10', 'wx IS NULL OR NOT (ceiling_ft <= 500)', "raw LIKE '%'"],
    invalid: ['temp_c <', 'x = 1', "'", ''],
  }),
  fields: parameter<readonly string[]>({
    of: {
      observations: { description: `${FIELDS_DESCRIPTION}; with include=decoded` },
      hourly: {
        purpose: 'Fields of a row, in this order',
        schema: { type: 'array', items: { enum: FIELD_NAMES }, default: HOURLY_FIELDS },
      },
    },
    purpose: 'Fields that decoded holds, in this order',
    description: FIELDS_DESCRIPTION,
    schema: { type: 'array', items: { enum: FIELD_NAMES } },
    // An endpoint without `include` always has decoded fields.
    check: ({ texts, values }) =>
      texts.has('fields') && values.has('include') && !texts.get('include')?.split(',').includes('decoded')
        ? {
            name: 'fields',
            detail: 'chooses among the decoded fields: write include=decoded or include=raw,decoded',
          }
        : undefined,
    valid: ['temp_c', 'temp_c,ceiling_ft', 'temp_c,temp_c'],
    invalid: ['raw', ''],
  }),
  select: parameter<string, readonly Statistic[]>({
    of: { statistics: {} },
    purpose: 'Values of each row',
    description:
      'up to 40 statistics separated by commas, each with a name and a colon before it or not: count, mean(temp_c), min, max, sum, stddev, median, p95 (p0 to p100), time_of_max, time_of_min, of a condition low:share(visib_m < 800), count, days, hours, and highest(temp_c), lowest(temp_c), highest(wgst_kt), time_of_highest(wgst_kt), total(pcp1h_in)',
    schema: TEXT,
    parse: parseSelect,
    check({ texts, values }) {
      const name = 'select';
      if (!texts.has('select') && !texts.has('preset'))
        return {
          name,
          detail: 'is required, or preset: write the values of each row, as in count,mean(temp_c)',
        };
      const detail = describeSameColumns(
        (values.get('select') ?? []) as readonly Statistic[],
        (values.get('by') ?? []) as readonly Group[],
      );
      return detail === undefined ? undefined : { name, detail };
    },
    key: (statistics) =>
      statistics.map((each) =>
        each.kind === 'condition' ? { ...each, condition: canonicalCondition(each.condition) } : each,
      ),
    select: (statistics): Pick<Question, 'statistics'> => ({ statistics }),
    example: 'count,mean(temp_c),low:share(visib_m < 800)',
    valid: ['count', 'mean(temp_c),max(wgst_kt)', 'p95(temp_c)', 'highest(temp_c)'],
    invalid: ['mean(raw)', 'highest(slp_hpa)', 'count(', ''],
  }),
  preset: parameter<string, Preset>({
    of: { statistics: {} },
    purpose: 'A named choice of select, by and sample, in place of these',
    description: `one of ${Object.keys(PRESETS).join(', ')}`,
    schema: TEXT,
    parse: choosePreset,
    expand: ({ select, by, sample, tz }) => ({ select, by, sample, ...(tz !== undefined && { tz }) }),
    check({ texts }) {
      if (!texts.has('preset')) return undefined;
      const both = ['select', 'by', 'sample'].filter((other) => texts.has(other));
      if (both.length === 0) return undefined;
      const detail = `says what ${both.join(' and ')} would: leave out one of the two; meta.expanded of the preset is what to begin with`;
      return { name: 'preset', detail };
    },
    key: ({ isMeanYear }) => isMeanYear,
    select: (expanded): Pick<StatisticsRequest, 'expanded' | 'isMeanYear'> => ({
      expanded,
      ...(expanded.isMeanYear && { isMeanYear: true }),
    }),
    valid: ['wind-rose'],
    invalid: ['x', ''],
  }),
  by: parameter<string, readonly Group[]>({
    of: { statistics: {} },
    purpose: 'Groups of reports, in addition to the station',
    description:
      'up to four of year, season, month, date, hour, wind_sector(8), (12), (16) or (36), class(wspd_kt;10;20;30), fltcat or another field with a few values, separated by commas',
    schema: TEXT,
    parse: parseBy,
    select: (groups): Pick<Question, 'groups'> => ({ groups }),
    example: 'month',
    valid: ['month', 'year,hour'],
    invalid: ['station', 'x', ''],
  }),
  sample: parameter<Sample>({
    of: { statistics: {} },
    purpose: 'Which reports count',
    description:
      'auto (all reports for extremes, days and hours with a condition, and the hourly sample for everything else), hourly (the first METAR of each nominal hour) or all',
    schema: { enum: SAMPLES, default: 'auto' },
    valid: ['auto', 'hourly', 'all'],
    invalid: ['x'],
  }),
  tz: parameter<string, { readonly tz: string; readonly timeZone: TimeZone }>({
    of: { statistics: {} },
    purpose: 'Whose days and hours count',
    description: 'utc, local, standard (what presets of days take), or an IANA name, as in Europe/London',
    schema: { type: 'string', minLength: 1, maxLength: 64, default: 'utc' },
    parse: (tz) => ({ tz, timeZone: parseTimeZone(tz) }),
    key: ({ timeZone }) => timeZone,
    select: (zone): Pick<StatisticsRequest, 'tz' | 'timeZone'> => zone,
    valid: ['Europe/Berlin', 'UTC'],
    invalid: ['../etc', ''],
  }),
  country: parameter<string>({
    of: { stations: {} },
    purpose: 'Country of the station',
    description: 'a country code of two uppercase letters (ISO 3166-1), as in DE',
    schema: { type: 'string', pattern: '^[A-Z]{2}$' },
    valid: ['DE'],
    invalid: ['de', 'DEU', "D'"],
  }),
  bbox: parameter<string, BoundingBox>({
    of: { stations: {} },
    purpose: 'Box that the position lies in',
    description: `west,south,east,north in degrees, as in ${BBOX}; west greater than east crosses the antimeridian`,
    schema: { type: 'string' },
    parse: parseBoundingBox,
    key: ({ west, south, east, north }) => [west, south, east, north],
    valid: ['-10,50,10,60', '170,-20,-170,0'],
    invalid: ['0,0', '1,2,3,1e309', '-181,0,0,0', ',,,'],
  }),
  q: parameter<string>({
    of: { stations: {} },
    purpose: 'Text to search for, in upper or lower case',
    description: 'a part of the code or the name, of 1 to 64 characters',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
    key: (q) => q.toLowerCase(),
    valid: ['x', '%', "'", '\\', '{q:String}'],
    invalid: ['', 'a'.repeat(65)],
  }),
  near: parameter<string, Coordinates>({
    of: { stations: {} },
    purpose: 'Point near which the station is; the nearest comes first',
    description:
      'LAT,LON in degrees without a space, as in 50.03,8.57: latitude from -90 to 90, longitude from -180 to 180',
    schema: { type: 'string' },
    parse: parsePoint,
    key: ({ latitude, longitude }) => [latitude, longitude],
    valid: ['50,8', '90,-180'],
    invalid: ['91,0', '1,2,3', 'NaN,0', "0,0'", ''],
  }),
  radius_km: parameter<string, number>({
    of: { stations: {} },
    purpose: 'Greatest distance from the point of near',
    description: 'a number of kilometres from 1 to 1,000, as in 46.3',
    schema: { type: 'string', decimalNumber: [1, 1000], default: '100' },
    parse: Number,
    check: ({ texts }) =>
      texts.has('radius_km') && !texts.has('near')
        ? {
            name: 'radius_km',
            detail: 'is the distance from a point: write near=LAT,LON too, as in near=50.03,8.57',
          }
        : undefined,
    valid: ['1', '46.3', '1000'],
    invalid: ['0', '1e2', '-0'],
  }),
  limit: parameter<string>({
    of: {
      observations: {},
      hourly: {},
      stations: {
        description: 'a whole number from 1 to 1,000',
        schema: { type: 'string', wholeNumber: [1, 1000], default: '100' },
      },
    },
    purpose: 'Size of a page at most',
    description: 'a whole number from 1 to 10,000',
    schema: { type: 'string', wholeNumber: [1, 10_000], default: '1000' },
    isPaging: true,
    example: 3,
    valid: ['1', '1000', '007', '%31'],
    invalid: ['10001', '0', '-0', '1e3', '4294967297', 'NaN'],
  }),
  cursor: parameter<string>({
    of: { observations: {}, hourly: {}, stations: {} },
    purpose: 'Continues a walk with the same filters',
    description: 'the nextCursor of the page before; leave it out for the first page',
    schema: { type: 'string', minLength: 1 },
    isPaging: true,
    valid: [],
    invalid: ['', 'A', 'A'.repeat(36), 'AWWSDOxYQUFB'.repeat(3), '%00', '-'.repeat(36)],
  }),
};

function choosePreset(name: string): Preset {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName];
  throw new ParameterError(`is unknown: ${insteadOf(name, Object.keys(PRESETS))}`);
}
