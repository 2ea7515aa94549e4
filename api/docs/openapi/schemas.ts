import { ICAO_CODE, REPORT_TYPES } from '../../../clickhouse/model/report.ts';
import { SAMPLES } from '../../../clickhouse/statistics/question.ts';
import { PLANS } from '../../rate-limit/rate-limit.ts';
import { decodedSchema, fieldSchemas, type JsonObject, objectSchema, schemaRef } from './json-schema.ts';
import { PROBLEM } from './responses.ts';

const STATION = { type: 'string', pattern: ICAO_CODE.source, description: 'ICAO code of the station.' };
const MINUTE = { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:00Z$' };
const COVERAGE_STATUS = { type: 'string', enum: ['complete', 'partial', 'none'] };
const YEARS = { type: 'integer', minimum: 0 };

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

const COVERAGE = objectSchema({
  status: { ...COVERAGE_STATUS, description: 'Of all requested stations together.' },
  stations: { type: 'array', items: schemaRef('StationCoverage') },
});

const STATION_COVERAGE = objectSchema({
  station: STATION,
  status: COVERAGE_STATUS,
  yearsDone: { ...YEARS, description: 'Calendar years of the request whose requested days are all done.' },
  yearsAll: { ...YEARS, description: 'Calendar years that the request touches.' },
});

const RATE_LIMIT = {
  description: 'The numbers of the headers `X-RateLimit-Limit` and `X-RateLimit-Remaining`.',
  ...objectSchema({
    plan: { type: 'string', enum: Object.keys(PLANS) },
    limitPerSecond: { type: 'integer', enum: Object.values(PLANS) },
    remaining: { type: 'integer', minimum: 0 },
  }),
};

/** @param members of `meta` besides the paging and the rate limit */
function pageSchema(element: string, members: JsonObject): JsonObject {
  const paging = {
    hasMore: { type: 'boolean', description: 'Only `false` ends a walk.' },
    nextCursor: { type: 'string', description: 'Present when `hasMore` is true; goes into `cursor`.' },
  };
  return objectSchema({
    data: { type: 'array', items: schemaRef(element) },
    meta: objectSchema({ ...paging, ...members, rateLimit: schemaRef('RateLimit') }, ['nextCursor']),
  });
}

const DAY = { type: 'string', format: 'date' };
const MIDNIGHT = { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d\\d-\\d\\dT00:00:00Z$' };
const DAY_RANGES = { type: 'array', items: objectSchema({ from: MIDNIGHT, to: MIDNIGHT }) };
const DAYS = { type: 'integer', minimum: 0, maximum: 366 };

const PERIOD_OF_RECORD = {
  description: 'Days for which the sources state that they have reports; absent where none states it.',
  ...objectSchema({ firstDay: DAY, lastDay: { ...DAY, description: 'Absent while the station reports.' } }, [
    'lastDay',
  ]),
};

const YEAR_COVERAGE = objectSchema(
  {
    year: { type: 'integer', minimum: 2005 },
    status: COVERAGE_STATUS,
    daysDue: DAYS,
    daysDone: DAYS,
    reports: { type: 'integer', minimum: 0, description: 'Absent where they were not counted.' },
    firstReport: MINUTE,
    lastReport: MINUTE,
    sources: { type: 'array', items: { type: 'string' } },
  },
  ['reports', 'firstReport', 'lastReport'],
);

const STATION_YEARS = objectSchema(
  {
    ...STATION_COVERAGE.properties,
    periodOfRecord: schemaRef('PeriodOfRecord'),
    years: { type: 'array', items: schemaRef('YearCoverage') },
    gaps: {
      ...DAY_RANGES,
      description: 'Days that are due and not done, from `from` to before `to`.',
    },
    notDue: {
      ...DAY_RANGES,
      description:
        'Days of at least 72 hours of age that are outside the period of record, written as gaps are.',
    },
    silent: {
      ...DAY_RANGES,
      description:
        'Days that are done and have no report, because the station sent none or the source lost them; written as gaps are. Absent where stations times years are more than 1,000.',
    },
  },
  ['periodOfRecord', 'silent'],
);

const COVERAGE_REPORT = objectSchema({
  data: { type: 'array', items: schemaRef('StationYears') },
  meta: objectSchema({
    coverage: objectSchema({ status: COVERAGE_STATUS }),
    rateLimit: schemaRef('RateLimit'),
  }),
});

/** What a station has in addition to its code: each absent where no source states it. */
const STATION_PROPERTIES = {
  name: { type: 'string' },
  country: { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' },
  latitude: { type: 'number', minimum: -90, maximum: 90, 'x-unit': 'degrees' },
  longitude: { type: 'number', minimum: -180, maximum: 180, 'x-unit': 'degrees' },
  elevation_m: { type: 'number', 'x-unit': 'm' },
  distance_km: {
    type: 'number',
    minimum: 0,
    maximum: 1000,
    description: 'Distance from the point of `near` with two decimals; absent without `near`.',
    'x-unit': 'km',
  },
  timezone: {
    type: 'string',
    description: 'IANA name of the time zone: as stated by a source, else that of the position.',
  },
  periodOfRecord: schemaRef('PeriodOfRecord'),
  firstReport: MINUTE,
  lastReport: MINUTE,
};

const STATION_DESCRIPTION = {
  description: 'A station that the archive knows. What no source states is absent.',
  ...objectSchema({ station: STATION, ...STATION_PROPERTIES }, Object.keys(STATION_PROPERTIES)),
};

/** The position is the geometry of a feature. */
const { latitude: _north, longitude: _east, ...FEATURE_PROPERTIES } = STATION_PROPERTIES;

const STATION_FEATURE = {
  description: 'A station as a Feature of GeoJSON (RFC 7946).',
  ...objectSchema({
    type: { const: 'Feature' },
    id: STATION,
    geometry: {
      description: '`null` where the position is not known.',
      oneOf: [
        { type: 'null' },
        objectSchema({
          type: { const: 'Point' },
          coordinates: {
            type: 'array',
            items: { type: 'number' },
            minItems: 2,
            maxItems: 3,
            description: 'Longitude, latitude and, where it is known, elevation above mean sea level in m.',
          },
        }),
      ],
    },
    properties: {
      description: 'The other members of the record; `elevation_m` only where the position is not known.',
      ...objectSchema(FEATURE_PROPERTIES, Object.keys(FEATURE_PROPERTIES)),
    },
  }),
};

const STATION_FEATURES = {
  description: 'A page of stations as a FeatureCollection of GeoJSON (RFC 7946).',
  ...objectSchema({
    type: { const: 'FeatureCollection' },
    features: { type: 'array', items: schemaRef('StationFeature') },
  }),
};

const ARCHIVE_SUMMARY = objectSchema({
  data: objectSchema(
    {
      stations: { type: 'integer', minimum: 0, description: 'Stations with reports.' },
      reports: {
        type: 'integer',
        minimum: 0,
        description: 'Can be a few percent too high while a load replaces reports.',
      },
      firstYear: { type: 'integer', minimum: 2005 },
      lastYear: { type: 'integer', minimum: 2005 },
      newestReport: MINUTE,
      example: {
        description:
          'Stations that still report and a month of their reports: something that requests can ask for.',
        ...objectSchema({
          stations: { type: 'array', items: STATION, maxItems: 2 },
          month: { type: 'string', pattern: '^\\d{4}-\\d\\d$' },
        }),
      },
    },
    ['firstYear', 'lastYear', 'newestReport', 'example'],
  ),
});

const SAMPLE = { type: 'string', enum: SAMPLES };

const STATISTICS_ROW = {
  type: 'object',
  description:
    'The station, the groups of `by`, `n` (reports that count), `expected` (clock hours that begin in the row and the range) and the values of `select`. A value that no report gives is absent.',
  patternProperties: {
    '^station$': STATION,
    '^(n|expected)$': { type: 'integer', minimum: 0 },
  },
  additionalProperties: { type: ['number', 'string'] },
};

const STATISTICS_ANSWER = objectSchema({
  data: { type: 'array', items: schemaRef('StatisticsRow') },
  meta: objectSchema(
    {
      sample: SAMPLE,
      tz: { type: 'string', description: '`tz` of the request.' },
      expanded: {
        description: 'What the preset stands for.',
        ...objectSchema({ select: { type: 'string' }, by: { type: 'string' }, sample: SAMPLE }),
      },
      coverage: schemaRef('Coverage'),
      rateLimit: schemaRef('RateLimit'),
    },
    ['expanded'],
  ),
});

const HOUR = {
  description: 'A nominal hour of a station. Each field is absent where the hour has no METAR that gives it.',
  type: 'object',
  required: ['station', 'hour', 'n'],
  properties: {
    station: STATION,
    hour: { ...MINUTE, description: 'The nominal hour.' },
    observedAt: { ...MINUTE, description: 'Of the first METAR of the hour; absent where there is none.' },
    n: { type: 'integer', minimum: 0, description: 'Reports of the hour, SPECI included.' },
    ...fieldSchemas(),
  },
};

export const SCHEMAS: JsonObject = {
  Observation: OBSERVATION,
  Decoded: decodedSchema(),
  ObservationsPage: pageSchema('Observation', { coverage: schemaRef('Coverage') }),
  Hour: HOUR,
  HourlyPage: pageSchema('Hour', { coverage: schemaRef('Coverage') }),
  Coverage: COVERAGE,
  StationCoverage: STATION_COVERAGE,
  CoverageReport: COVERAGE_REPORT,
  StationYears: STATION_YEARS,
  YearCoverage: YEAR_COVERAGE,
  PeriodOfRecord: PERIOD_OF_RECORD,
  StationsPage: pageSchema('Station', {}),
  Station: STATION_DESCRIPTION,
  StationFeatures: STATION_FEATURES,
  StationFeature: STATION_FEATURE,
  ArchiveSummary: ARCHIVE_SUMMARY,
  ArchiveStations: objectSchema({ data: { type: 'array', items: schemaRef('Station') } }),
  StatisticsAnswer: STATISTICS_ANSWER,
  StatisticsRow: STATISTICS_ROW,
  RateLimit: RATE_LIMIT,
  Problem: PROBLEM,
};
