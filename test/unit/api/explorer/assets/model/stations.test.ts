import assert from 'node:assert/strict';
import '../../../../../support/api/d3.ts';
import { reportsOf, snippets } from '../../../../../../api/explorer/assets/model/requests.js';
import {
  coverageSentence,
  describeYear,
  findStations,
  shareDone,
  whyEmpty,
} from '../../../../../../api/explorer/assets/model/stations.js';

const STATIONS = [
  { station: 'CYUL', name: 'Montréal Trudeau', country: 'CA', lastReport: '2024-01-01T00:00:00Z' },
  { station: 'ENGM', name: 'Oslo Gardermoen', country: 'NO', lastReport: '2024-01-01T00:00:00Z' },
  { station: 'ENOS', name: 'Nowhere', country: 'NO' },
  { station: 'OSLK', name: 'Latakia', country: 'SY' },
];
const find = (text: string) => findStations(STATIONS, text).map(({ station }) => station);

describe('finding a station', () => {
  it('by code, name without accents, and country, those with reports first', () => {
    assert.deepEqual(find('os'), ['ENGM', 'OSLK']);
    assert.deepEqual(find('montreal'), ['CYUL']);
    assert.deepEqual(find('Norw'), ['ENGM', 'ENOS']);
    assert.deepEqual(find('engm'), ['ENGM']);
    assert.deepEqual(find('xyz'), []);
    assert.equal(find(' ').length, 4);
    assert.deepEqual(find('91, 10'), []);
  });
});

describe('coverage on the page', () => {
  const coverage = {
    years: [
      { year: 2023, daysDue: 0, daysDone: 0, sources: [] },
      { year: 2024, daysDue: 353, daysDone: 352, reports: 8400, sources: ['iem', 'ncei'] },
    ],
    gaps: [{ from: '2024-02-28T00:00:00Z', to: '2024-02-29T00:00:00Z' }],
    notDue: [{ from: '2005-01-01T00:00:00Z', to: '2024-01-03T00:00:00Z' }],
  };

  it('says why a day is empty', () => {
    const why = (day: string) => whyEmpty(coverage, day, '2024-06-10');
    assert.equal(why('2024-01-02'), 'outside the period of record');
    assert.equal(why('2024-02-28'), 'not in the archive yet');
    assert.equal(why('2024-02-29'), 'complete, and nothing was reported');
    assert.equal(why('2024-06-06'), 'complete, and nothing was reported');
    assert.equal(why('2024-06-07'), 'less than 72 hours old: reports may still arrive');
    assert.equal(why('2024-06-11'), 'in the future');
  });

  it('says in words what a year and the archive hold', () => {
    const [without, year] = coverage.years;
    assert.deepEqual([without, year].map(shareDone), [0, 352 / 353]);
    assert.equal(describeYear(year), '8\u202f400 reports, 352 of 353 days complete, from iem, ncei');
    assert.equal(describeYear(without), 'no day is due');
    assert.equal(
      coverageSentence(coverage, '2024-06-10'),
      '8\u202f400 reports of 2024. 1 day is not complete yet.',
    );
    assert.equal(
      coverageSentence({ ...coverage, gaps: [] }, '2024-06-10'),
      '8\u202f400 reports of 2024. Complete to 2024-06-06.',
    );
    const closed = {
      ...coverage,
      gaps: [],
      years: [{ ...coverage.years[1], year: 2024, lastReport: '2024-03-04T05:00:00Z' }],
    };
    assert.match(coverageSentence(closed, '2024-06-10'), /\. Complete to 2024-03-04\.$/);
    assert.equal(
      coverageSentence({ ...coverage, years: [] }, '2024-06-10'),
      'The archive holds no report of this station yet.',
    );
  });
});

describe('a request to copy', () => {
  const ask = reportsOf({ station: 'XAAA', from: '2024-01-01', to: '2024-02-01' });

  it('asks for the whole period, and stays within what the plan sandbox allows', () => {
    const query = 'stations=XAAA&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z&include=raw,decoded';
    const whole = snippets('http://host', ask, false).url;
    assert.equal(whole, `http://host/v1/history/observations.csv?${query}`);
    const { url, python } = snippets('http://host', ask, true);
    assert.equal(url, `http://host/v1/history/observations?${query}&limit=10000`);
    assert.doesNotMatch(python, /limit/);
  });
});
