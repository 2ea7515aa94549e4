import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import { PLANS } from '../rate-limit/rate-limit.ts';
import { decodedSchema, type JsonObject, objectSchema, schemaRef } from './json-schema.ts';

// The schemas that answers of several endpoints have.

export const STATION = {
  type: 'string',
  pattern: ICAO_CODE.source,
  description: 'ICAO code of the station.',
};
export const MINUTE = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:00Z$',
};
export const COVERAGE_STATUS = { type: 'string', enum: ['complete', 'partial', 'none'] };
const YEARS = { type: 'integer', minimum: 0 };
const DAY = { type: 'string', format: 'date' };

const COVERAGE = objectSchema({
  status: { ...COVERAGE_STATUS, description: 'Of all requested stations together.' },
  stations: { type: 'array', items: schemaRef('StationCoverage') },
});

export const STATION_COVERAGE = objectSchema({
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
export function pageSchema(element: string, members: JsonObject): JsonObject {
  const paging = {
    hasMore: { type: 'boolean', description: 'Only `false` ends a walk.' },
    nextCursor: { type: 'string', description: 'Present when `hasMore` is true; goes into `cursor`.' },
  };
  return objectSchema({
    data: { type: 'array', items: schemaRef(element) },
    meta: objectSchema({ ...paging, ...members, rateLimit: schemaRef('RateLimit') }, ['nextCursor']),
  });
}

const PERIOD_OF_RECORD = {
  description: 'Days for which the sources state that they have reports; absent where none states it.',
  ...objectSchema({ firstDay: DAY, lastDay: { ...DAY, description: 'Absent while the station reports.' } }, [
    'lastDay',
  ]),
};

export const SCHEMAS: JsonObject = {
  Decoded: decodedSchema(),
  Coverage: COVERAGE,
  StationCoverage: STATION_COVERAGE,
  PeriodOfRecord: PERIOD_OF_RECORD,
  RateLimit: RATE_LIMIT,
};
