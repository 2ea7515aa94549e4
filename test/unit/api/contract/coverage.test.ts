import assert from 'node:assert/strict';
import { readQuery } from '../../../../api/contract/query.ts';
import { COVERAGE } from '../../../../api/coverage/endpoint.ts';
import { defaultRange } from '../../../../api/coverage/route.ts';
import { queryErrors } from '../../../support/api/query-errors.ts';

const NOW = new Date('2024-05-10T12:00:00Z');

const parseCoverageQuery = (query: string, now: Date) =>
  readQuery(COVERAGE, query, 'page', defaultRange(now)).values;

const errors = (query: string) => queryErrors(COVERAGE, query, 'page', defaultRange(NOW));

describe('query parameters of coverage (D34)', () => {
  it('have the days of 2005 to the first that is younger than 72 hours as default range', () => {
    assert.deepEqual(parseCoverageQuery('stations=KJFK,EGLL,KJFK', NOW), {
      stations: ['KJFK', 'EGLL'],
      from: Date.UTC(2005, 0, 1) / 1000,
      to: Date.UTC(2024, 4, 7) / 1000,
    });
    const { from, to } = parseCoverageQuery('stations=KJFK&from=2024-01-01T06:00:00%2B00:00', NOW);
    assert.deepEqual([from, to], [Date.UTC(2024, 0, 1, 6) / 1000, Date.UTC(2024, 4, 7) / 1000]);
  });

  it('name a bound that the request has when the range ends before it begins', () => {
    assert.deepEqual(errors('stations=KJFK&from=2024-05-09T00:00:00Z'), {
      from: 'must be earlier than 2024-05-07T00:00:00Z, the default of to',
    });
    assert.deepEqual(errors('stations=KJFK&to=2004-01-01T00:00:00Z'), {
      to: 'must be later than 2005-01-01T00:00:00Z, the default of from',
    });
    assert.deepEqual(errors('stations=KJFK&from=2024-02-01T00:00:00Z&to=2024-01-01T00:00:00Z'), {
      from: 'must be earlier than to',
    });
  });
});
