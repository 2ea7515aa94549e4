import assert from 'node:assert/strict';
import { reportsOf, snippets } from '../../../../../../api/explorer/assets/model/requests.js';
import {
  coverageSentence,
  describeYear,
  findStations,
  shareDone,
  silentDays,
  whyEmpty,
  whyLoadedAgain,
} from '../../../../../../api/explorer/assets/model/stations.js';

const STATIONS = [
  { station: 'CYUL', name: 'Montréal Trudeau', country: 'CA', lastReport: '2024-01-01T00:00:00Z' },
  { station: 'ENGM', name: 'Oslo Gardermoen', country: 'NO', lastReport: '2024-01-01T00:00:00Z' },
  { station: 'ENOS', name: 'Nowhere', country: 'NO' },
  { station: 'OSLK', name: 'Latakia', country: 'SY' },
  { station: 'EPLL', name: 'Łódź', country: 'PL' },
];
const find = (text: string) => findStations(STATIONS, text).map(({ station }) => station);

describe('finding a station', () => {
  it('by code, name without accents, and country, those with reports first', () => {
    // A part of a code, too, as in the search of the service; after it those without reports.
    assert.deepEqual(find('os'), ['ENGM', 'OSLK', 'ENOS']);
    assert.deepEqual(find('montreal'), ['CYUL']);
    assert.deepEqual(find('yul'), ['CYUL']);
    assert.deepEqual(find('gardermoen oslo'), ['ENGM']);
    assert.deepEqual(find('trudeau cyul'), ['CYUL']);
    assert.deepEqual(find('oslo trudeau'), []);
    assert.deepEqual(find('lodz'), ['EPLL']);
    assert.deepEqual(find('Norw'), ['ENGM', 'ENOS']);
    assert.deepEqual(find('engm'), ['ENGM']);
    assert.deepEqual(find('xyz'), []);
    assert.equal(find(' ').length, 5);
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
    assert.deepEqual(
      [without, year].map((each) => shareDone(each, 0)),
      [0, 352 / 353],
    );
    assert.equal(describeYear(year, 0), '8\u202f400 reports, 352 of 353 days complete, from iem, ncei');
    assert.equal(describeYear(without, 0), 'no day is due');
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

describe('silent years on the page (D71)', () => {
  const year = (of: number, more: object) => ({
    year: of,
    daysDue: 365,
    daysDone: 365,
    sources: [],
    ...more,
  });
  const days = (from: string, to: string) => ({ from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` });
  const coverage = {
    years: [
      year(2021, { reports: 5000 }),
      year(2022, {}),
      year(2023, { reports: 5000, lastReport: '2023-12-29T20:00:00Z' }),
      year(2025, {}),
    ],
    gaps: [],
    notDue: [days('2005-01-01', '2020-01-01')],
    silent: [
      days('2021-06-05', '2021-06-07'),
      days('2021-12-22', '2023-01-01'),
      days('2023-12-30', '2026-01-01'),
    ],
    periodOfRecord: { firstDay: '2020-01-01' },
  };
  const silentOf = (of: number) => silentDays(coverage, year(of, {}));

  it('are not painted as complete, and weekends are', () => {
    assert.deepEqual([2021, 2022, 2023, 2025].map(silentOf), [10, 365, 2, 365]);
    assert.equal(shareDone(coverage.years[1], silentOf(2022)), 0);
    assert.equal(shareDone(coverage.years[0], silentOf(2021)), 355 / 365);
    assert.equal(
      describeYear(coverage.years[1], silentOf(2022)),
      'no report, 365 of 365 days complete, 365 of them without any report',
    );
    assert.match(
      coverageSentence(coverage, '2026-06-10'),
      /Complete to 2023-12-29, with 377 days without any report\.$/,
    );
  });

  it('are named for each of their days', () => {
    const why = (day: string) => whyEmpty(coverage, day, '2026-06-10');
    assert.equal(why('2022-03-01'), 'loaded, and the source sent no report for more than a week');
    assert.equal(why('2021-06-05'), 'complete, and nothing was reported');
  });

  it('are requested by a load only with --refetch, and so are days outside the period of record', () => {
    const why = (from: string, to: string, more = {}) =>
      whyLoadedAgain({ ...coverage, ...more }, { from, to });
    assert.equal(why('2022-01-01', '2023-01-01'), 'are loaded, and the source sent no report');
    assert.equal(why('2012-01-01', '2013-01-01'), 'are outside the period of record that the source states');
    const { periodOfRecord: _, ...unlisted } = coverage;
    assert.equal(whyLoadedAgain(unlisted, { from: '2012-01-01', to: '2013-01-01' }), undefined);
    assert.equal(why('2022-01-01', '2023-01-01', { gaps: [days('2022-05-01', '2022-05-02')] }), undefined);
    assert.equal(why('2026-06-08', '2026-06-09'), undefined);
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
