import {
  COVERAGE_STATUS,
  count,
  MINUTE,
  objectSchema,
  SILENT_DAYS,
  STATION_COVERAGE,
  schemaRef,
} from '../contract/answers.ts';
import { MEDIA_TYPES, type QueryEndpoint } from '../contract/endpoint.ts';
import { REQUIRED } from '../contract/parameters.ts';

const MIDNIGHT = { type: 'string', format: 'date-time', pattern: '^\\d{4}-\\d\\d-\\d\\dT00:00:00Z$' };
const DAYS_OF_YEAR = { ...count(), maximum: 366 };

function dayRanges(description: string) {
  return { type: 'array', items: objectSchema({ from: MIDNIGHT, to: MIDNIGHT }), description };
}

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
  schemas: {
    CoverageReport: objectSchema({
      data: { type: 'array', items: schemaRef('StationYears') },
      meta: objectSchema({
        coverage: objectSchema({ status: COVERAGE_STATUS, silentDays: SILENT_DAYS }),
        rateLimit: schemaRef('RateLimit'),
      }),
    }),
    StationYears: objectSchema({
      ...STATION_COVERAGE.properties,
      'periodOfRecord?': schemaRef('PeriodOfRecord'),
      years: { type: 'array', items: schemaRef('YearCoverage') },
      gaps: dayRanges('Days that are due and not done, from `from` to before `to`.'),
      notDue: dayRanges(
        'Days at least 72 hours old that are outside the period of record, written as gaps are.',
      ),
      silent: dayRanges(
        'Days that are done and have no report, because the station sent none or the source lost them; written as gaps are.',
      ),
    }),
    YearCoverage: objectSchema({
      year: { type: 'integer', minimum: 2005 },
      status: COVERAGE_STATUS,
      daysDue: DAYS_OF_YEAR,
      daysDone: DAYS_OF_YEAR,
      'reports?': count('Absent where they were not counted.'),
      'firstReport?': MINUTE,
      'lastReport?': MINUTE,
      sources: { type: 'array', items: { type: 'string' } },
    }),
  },
};
