import assert from 'node:assert/strict';
import { addDays, today } from '../../../../../../api/explorer/assets/format.ts';
import { dailyValues, reportsOf, snippets } from '../../../../../../api/explorer/assets/model/requests.ts';
import {
  dayCounts,
  daysText,
  describeYear,
  findStations,
  fullness,
  reportsText,
  whyEmpty,
  whyLoadedAgain,
} from '../../../../../../api/explorer/assets/model/stations.ts';

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

describe('days without a report on the page (D57, D71)', () => {
  const year = (of: number, more: object = {}) => {
    const counts = { status: 'partial' as const, daysDue: 365, daysDone: 0, sources: [] };
    return { year: of, ...counts, ...more };
  };
  const days = (from: string, to: string) => ({ from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` });
  const coverage = {
    years: [
      year(2019, { daysDue: 0 }),
      year(2021, { reports: 5000, sources: ['iem', 'ncei'] }),
      year(2022),
      year(2023, { reports: 3400 }),
    ],
    gaps: [days('2021-01-01', '2021-03-02'), days('2023-06-01', '2023-06-02')],
    notDue: [days('2005-01-01', '2020-01-01')],
    silent: [days('2021-06-05', '2021-06-07'), days('2021-12-22', '2023-01-01')],
    periodOfRecord: { firstDay: '2020-01-01' },
  };

  it('are counted in the same words for each period, and the strip shows how full a year is', () => {
    for (const [of, full, text] of [
      [2019, 0, 'outside the period of record'],
      [
        2021,
        293,
        '5\u202f000 reports, 12 of 305 days have no report, 60 days are not loaded yet, from iem, ncei',
      ],
      [2022, 0, '365 of 365 days have no report'],
      [2023, 364, '3\u202f400 reports, each of 364 days has a report, 1 day is not loaded yet'],
    ] as const) {
      assert.equal(describeYear(coverage, of), text);
      assert.equal(fullness(coverage, of), full / 365, text);
    }
    // Of a week that ends today, the last days may still get reports.
    const week = { from: addDays(today(), -6), to: addDays(today(), 1) };
    const silent = [days(week.from, addDays(week.from, 1))];
    const recent = { ...coverage, gaps: [], notDue: [], silent };
    assert.equal(daysText(dayCounts(recent, week)), '1 of 3 days older than 72 hours has no report');
    // Years that nobody has loaded are no fault of the archive.
    const held = { from: '2021-03-02', to: '2023-12-30' };
    assert.equal(reportsText(coverage, held), '8\u202f400 reports from 2021-03-02 to 2023-12-29');
    const counts = dayCounts(coverage, held);
    assert.equal(daysText(counts), '377 of 1\u202f032 days have no report, 1 day is not loaded yet');
  });

  it('are named for each of their days', () => {
    for (const [day, why] of [
      ['2022-03-01', 'loaded, and the source has no report'],
      ['2023-06-01', 'not loaded yet'],
      ['2019-06-01', 'outside the period of record'],
      [today(), 'less than 72 hours old: reports may still arrive'],
      ['2999-01-01', 'in the future'],
    ] as const)
      assert.equal(whyEmpty(coverage, day), why);
  });

  it('are not counted where only files named the station: the strip shows a report for each hour as full', () => {
    const years = [year(2019, { daysDue: 0, reports: 4380 })];
    const { periodOfRecord: _, ...named } = { ...coverage, years };
    assert.equal(fullness(named, 2019), 0.5);
    assert.equal(describeYear(named, 2019), '4\u202f380 reports, no source is asked for these days');
    assert.equal(describeYear(named, 2018), 'no source is asked for these days');
    assert.equal(whyEmpty(named, '2019-06-01'), 'no report, and no source is asked for this day');
  });

  it('are requested by a load only with --refetch, and so are days outside the period of record', () => {
    const why = (from: string, to: string, more = {}) =>
      whyLoadedAgain({ ...coverage, ...more }, { from, to });
    assert.equal(why('2022-01-01', '2023-01-01'), 'are loaded, and the source sent no report');
    assert.equal(why('2012-01-01', '2013-01-01'), 'are outside the period of record that the source states');
    const { periodOfRecord: _, ...unlisted } = coverage;
    assert.equal(whyLoadedAgain(unlisted, { from: '2012-01-01', to: '2013-01-01' }), undefined);
    assert.equal(why('2022-01-01', '2023-01-01', { gaps: [days('2022-05-01', '2022-05-02')] }), undefined);
    assert.equal(why('2023-12-30', '2024-01-02'), undefined);
  });
});

describe('a request to copy', () => {
  const ask = reportsOf({ station: 'XAAA', from: '2024-01-01', to: '2024-02-01' });

  it('asks for the whole period', () => {
    const query = 'stations=XAAA&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z&include=raw,decoded';
    const { request, Python } = snippets('http://host', ask);
    assert.equal(request, `http://host/v1/history/observations.csv?${query}`);
    assert.doesNotMatch(Python, /limit/);
    // At UTC+14, reports of the last hours of March in UTC are of 1 April.
    const { from, to } = dailyValues({ station: 'XAAA', from: '2025-01-01', to: '2025-04-01' }).parameters;
    assert.deepEqual([from, to], ['2024-12-31', '2025-04-02']);
  });
});
