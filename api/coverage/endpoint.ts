import {
  COVERAGE_STATUS,
  MINUTE,
  objectSchema,
  SILENT_DAYS,
  STATION_COVERAGE,
  schemaRef,
} from '../contract/answers.ts';
import { MEDIA_TYPES, type QueryEndpoint } from '../contract/endpoint.ts';
import { REQUIRED } from '../contract/parameters.ts';

const MIDNIGHT = { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d\\d-\\d\\dT00:00:00Z$' };
const DAY_RANGES = { type: 'array', items: objectSchema({ from: MIDNIGHT, to: MIDNIGHT }) };
const DAYS_OF_YEAR = { type: 'integer', minimum: 0, maximum: 366 };

const YEAR_COVERAGE = objectSchema(
  {
    year: { type: 'integer', minimum: 2005 },
    status: COVERAGE_STATUS,
    daysDue: DAYS_OF_YEAR,
    daysDone: DAYS_OF_YEAR,
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
        'Days that are done and have no report, because the station sent none or the source lost them; written as gaps are.',
    },
  },
  ['periodOfRecord'],
);

const COVERAGE_REPORT = objectSchema({
  data: { type: 'array', items: schemaRef('StationYears') },
  meta: objectSchema({
    coverage: objectSchema({ status: COVERAGE_STATUS, silentDays: SILENT_DAYS }),
    rateLimit: schemaRef('RateLimit'),
  }),
});

export const COVERAGE: QueryEndpoint = {
  name: 'coverage',
  mediaTypes: { json: MEDIA_TYPES.json },
  parameters: { stations: REQUIRED, from: {}, to: {} },
  operationId: 'getCoverage',
  summary: 'Coverage by year, with gaps',
  description:
    'What the archive holds of stations, by the same rules as `meta.coverage`: years, and the days that are due and not done. In the order of the request. Guide: [coverage](/docs/coverage).',
  answer: 'The coverage of each station',
  contents: { json: { schema: 'CoverageReport', headers: ['ETag'] } },
  schemas: { CoverageReport: COVERAGE_REPORT, StationYears: STATION_YEARS, YearCoverage: YEAR_COVERAGE },
};
