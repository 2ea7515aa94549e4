import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import type { Plan } from '../rate-limit/rate-limit.ts';
import type { JsonValue } from './answers.ts';

/** JSON Schema of a text, with the keywords that `compileSchema` supports. */
type ParameterSchema = {
  readonly type?: 'string' | 'array';
  readonly wholeNumber?: readonly [least: number, most: number];
  readonly decimalNumber?: readonly [least: number, most: number];
  readonly [keyword: string]: JsonValue | undefined;
};

export type Parameter = {
  readonly purpose: string;
  /** What to write; also the error message for anything else. */
  readonly description: string;
  readonly schema: ParameterSchema;
  /** Whether it says which part of the answer to send. All others are filters: cursors are bound to them. */
  readonly isPaging?: true;
  readonly example?: JsonValue;
};

type Variant = Partial<Parameter> & { readonly isRequired?: true };

export const MAX_STATIONS_OF_REQUEST = 1000;

const BBOX = '-125,24,-66,50';

export const LONG_TEXT = { type: 'string', minLength: 1, maxLength: 8000 } as const;

/** The schema lists no names: a map accepts far more of them than it has entries. */
export const FIELD_LIST = { type: 'array', items: { type: 'string', minLength: 1 } } as const;

export const REQUIRED = { isRequired: true } as const;

/** Descriptions of `from` and `to` where they may be days of a zone. */
export function timesOrDays(zone: string) {
  return {
    from: `an RFC 3339 timestamp in UTC, as in 2024-01-31T12:00:00Z; or, if to is a date too, a day of ${zone}, as in 2024-01-31`,
    to: `an RFC 3339 timestamp in UTC, as in 2024-02-01T12:00:00Z; or, if from is a date too, the day of ${zone} after the last one, as in 2024-02-01`,
  };
}

/** `from` and `to` of an endpoint with `tz`. */
export const DAYS = {
  from: { isRequired: true, description: timesOrDays('tz').from },
  to: { isRequired: true, description: timesOrDays('tz').to },
} as const;

/** `from`, `to` and `tz` of an endpoint whose rows are of days (D72). */
export const DATES = {
  from: { isRequired: true, description: 'a date, as in 2024-01-31' },
  to: { isRequired: true, description: 'a date, that of the day after the last one, as in 2024-02-01' },
  tz: {
    purpose: 'Time zone of days',
    description:
      'standard (standard time of each station, UTC where its zone is unknown) or utc: days have no other zone',
    schema: { enum: ['standard', 'utc'], default: 'standard' },
  },
} as const;

/**
 * Every parameter of the endpoints that read the archive. The check of a request, its cursors, cache keys, documents and the
 * random requests of tests come from these rows; `values.ts` says what values mean. An endpoint lists which it has.
 */
export const PARAMETERS = {
  stations: {
    purpose: 'Stations to return',
    description: '1 to 1,000 uppercase ICAO codes separated by commas, as in KJFK,EGLL',
    schema: {
      type: 'array',
      maxItems: MAX_STATIONS_OF_REQUEST,
      items: { type: 'string', pattern: ICAO_CODE.source },
    },
    example: ['XAAA', 'XAAB'],
  },
  from: {
    purpose: 'Start of the range, inclusive',
    description: 'an RFC 3339 timestamp in UTC, as in 2024-01-31T12:00:00Z',
    schema: { type: 'string' },
    example: '2024-01-01T00:00:00Z',
  },
  to: {
    purpose: 'End of the range, exclusive',
    description: 'an RFC 3339 timestamp in UTC, as in 2024-02-01T12:00:00Z',
    schema: { type: 'string' },
    example: '2024-01-02T00:00:00Z',
  },
  hours: {
    purpose: 'The last hours, to the minute, in place of from and to',
    description: 'a whole number from 1 to 8,784, as in 24',
    schema: { type: 'string', wholeNumber: [1, 8784] },
  },
  type: {
    purpose: 'Kind of report',
    description: 'all, metar or speci',
    schema: { enum: ['all', 'metar', 'speci'], default: 'all' },
  },
  include: {
    purpose: 'Parts of each record',
    description: 'raw, decoded or both, separated by a comma',
    schema: { type: 'array', items: { enum: ['raw', 'decoded'] }, default: ['raw'] },
  },
  filter: {
    purpose: 'Keeps the records that meet a condition',
    description:
      'a condition in CQL2 Text on decoded and derived fields, type and raw, as in visib_m < 800 OR ceiling_ft < 200',
    schema: { type: 'string' },
  },
  fields: {
    purpose: 'Fields that decoded holds, in this order',
    description:
      'names of decoded and derived fields separated by commas, as in temp_c,ceiling_ft; in other units by their suffixes, as in temp_f; and crosswind(40), headwind(40), tailwind(40) of a runway, or crosswind(40;gust)',
    schema: FIELD_LIST,
  },
  order: {
    purpose: 'Order of the records',
    description: 'asc (the oldest first) or desc (the newest first)',
    schema: { enum: ['asc', 'desc'], default: 'asc' },
  },
  of: {
    purpose: 'What the statistics are computed from',
    description: 'reports, or days (the records of /v1/history/daily)',
    schema: { enum: ['reports', 'days'], default: 'reports' },
  },
  select: {
    purpose: 'Values of each row',
    description: 'statistics separated by commas',
    schema: LONG_TEXT,
    example: 'count,mean(temp_c),low:share(visib_m < 800)',
  },
  preset: {
    purpose: 'A preset that replaces of, select, by and sample',
    description: 'the name of a preset',
    schema: LONG_TEXT,
  },
  by: {
    purpose: 'Groups of reports, in addition to the station',
    description:
      'up to four of year, season, month, date, hour, wind_sector(8), (12), (16) or (36), wind_sector(12;calm=2), class(wspd_kt;10;20;30), fltcat or another field with a few values, separated by commas',
    schema: LONG_TEXT,
    example: 'month',
  },
  sample: {
    purpose: 'Which reports count',
    description:
      'auto (all reports for extremes, days and hours with a condition, and the hourly sample for everything else), hourly (the first METAR of each nominal hour) or all',
    schema: { enum: ['auto', 'hourly', 'all'], default: 'auto' },
  },
  tz: {
    purpose: 'Time zone of days and hours',
    description: 'utc, local, standard, or an IANA name, as in Europe/London',
    schema: { type: 'string', minLength: 1, maxLength: 64, default: 'utc' },
  },
  times: {
    purpose: 'How times are printed',
    description: 'utc, or local (with the offset of the station, as in 2024-01-01T07:53:00-05:00)',
    schema: { enum: ['utc', 'local'], default: 'utc' },
  },
  country: {
    purpose: 'Country of the station',
    description: 'a country code of two uppercase letters (ISO 3166-1), as in DE',
    schema: { type: 'string', pattern: '^[A-Z]{2}$' },
  },
  bbox: {
    purpose: 'Box that contains the position',
    description: `west,south,east,north in degrees, as in ${BBOX}; west greater than east crosses the antimeridian`,
    schema: { type: 'string' },
  },
  q: {
    purpose: 'Words to search for, in upper or lower case, with or without accents',
    description: 'parts of the code or the name, separated by spaces, of 1 to 64 characters',
    schema: { type: 'string', minLength: 1, maxLength: 64 },
  },
  near: {
    purpose: 'Point to search near; the nearest station comes first',
    description:
      'LAT,LON in degrees without a space, as in 50.03,8.57: latitude from -90 to 90, longitude from -180 to 180',
    schema: { type: 'string' },
  },
  radius_km: {
    purpose: 'Maximum distance from near',
    description: 'a number of kilometers from 1 to 1,000, as in 46.3; 100 if it is not given',
    schema: { type: 'string', decimalNumber: [1, 1000], default: '100' },
  },
  nearest: {
    purpose: 'Number of stations: the nearest to the point that have reports in the range',
    description: 'a whole number from 1 to 1,000; radius_km is then 1,000 if it is not given',
    schema: { type: 'string', wholeNumber: [1, MAX_STATIONS_OF_REQUEST] },
  },
  limit: {
    purpose: 'Maximum number of records in a page',
    description: 'a whole number from 1 to 10,000',
    schema: { type: 'string', wholeNumber: [1, 10_000], default: '1000' },
    isPaging: true,
    example: 3,
  },
  cursor: {
    purpose: 'Continues a walk with the same filters',
    description: 'the nextCursor of the page before; leave it out for the first page',
    schema: { type: 'string', minLength: 1 },
    isPaging: true,
  },
} satisfies Readonly<Record<string, Parameter>>;

/** Each with its differences from the table. */
export type EndpointParameters = { readonly [Name in keyof typeof PARAMETERS]?: Variant };

export const AREA_NAMES = ['country', 'bbox', 'near'] as const;

export const STATIONS_OR_AREA = {
  stations: { purpose: 'Stations to return; country, bbox or near can take its place' },
  country: { purpose: 'Stations of a country, in place of codes' },
  bbox: { purpose: 'Stations in a box, in place of codes' },
  near: { purpose: 'Stations near a point, in place of codes' },
  radius_km: {},
  nearest: {},
} as const satisfies EndpointParameters;

/** `limit` of the streaming formats. It defaults to its maximum. */
export const STREAM_LIMITS = {
  sandbox: {
    description: 'a whole number from 1 to 10,000: keys of the plan sandbox are not for bulk export',
    schema: { type: 'string', wholeNumber: [1, 10_000], default: '10000' },
  },
  starter: {
    description: 'a whole number from 1 to 1,000,000',
    schema: { type: 'string', wholeNumber: [1, 1_000_000], default: '1000000' },
  },
  professional: {
    description: 'a whole number from 1 to 10,000,000',
    schema: { type: 'string', wholeNumber: [1, 10_000_000], default: '10000000' },
  },
} as const satisfies Readonly<Record<Plan, Pick<Parameter, 'description' | 'schema'>>>;

export type NamedParameter = Parameter & { readonly name: string; readonly isRequired: boolean };

export function parametersOf(parameters: EndpointParameters): readonly NamedParameter[] {
  const variants: Readonly<Record<string, Variant>> = parameters;
  return Object.entries<Parameter>(PARAMETERS).flatMap(([name, row]) => {
    const variant = variants[name];
    return variant === undefined
      ? []
      : [{ ...row, ...variant, name, isRequired: variant.isRequired ?? false }];
  });
}
