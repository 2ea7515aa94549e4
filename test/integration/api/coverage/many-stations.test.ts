import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { startApi, type TestApi } from '../../../support/api/api.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';

const CODES = Array.from({ length: 1000 }, (_, n) => `X${n.toString(36).toUpperCase().padStart(3, '0')}`);
const YEARS = 20;

describe('coverage of a thousand stations (D18, D34)', () => {
  const archive = useArchive();
  let api: TestApi;
  before(async () => {
    const { client } = archive;
    const stationYears = `(SELECT arrayJoin({codes:Array(String)}) AS station, arrayJoin(range(2005, ${2005 + YEARS})) AS year)`;
    const run = (query: string) => client.command({ query, params: { codes: CODES } });
    await run(
      `INSERT INTO stations (source, station, firstDay) SELECT 'iem', arrayJoin({codes:Array(String)}), toDate('2005-01-01')`,
    );
    await run(`INSERT INTO slices (source, station, firstDay, doneDay, endDay, reports, inserted)
      SELECT 'iem', station, makeDate(year, 1, 1), makeDate(year, 10, 1), makeDate(year, 10, 1), 1, 1 FROM ${stationYears}`);
    await run(`INSERT INTO observations (observedAt, station, type, fingerprint, version, source, text, clean, decoder)
      SELECT toDateTime(makeDate(year, month, 1), 'UTC'), station, 'METAR', 1, 1, 'iem', '', 1, 1
      FROM ${stationYears} ARRAY JOIN if(station = 'X00A' AND year = 2005, [6, 7, 12], [6, 12]) AS month`);
    api = await startApi(client);
  });
  after(() => api.stop());

  it('has all years and gaps, without the counts of reports', async () => {
    const response = await api.get(`/v1/history/coverage?stations=${CODES}&to=2025-01-01T00:00:00Z`);
    const text = await response.text();
    assert.equal(response.status, 200, text.slice(0, 500));
    const { data } = JSON.parse(text);
    assert.deepEqual(
      data.map((each: { station: string }) => each.station),
      CODES,
    );
    for (const { years, gaps } of data) assert.deepEqual([years.length, gaps.length], [YEARS, YEARS]);
    assert.deepEqual(data[999].years[0], {
      year: 2005,
      status: 'partial',
      daysDue: 365,
      daysDone: 273,
      firstReport: '2005-06-01T00:00:00Z',
      lastReport: '2005-12-01T00:00:00Z',
      sources: ['iem'],
    });
    assert.ok(text.length < 7_000_000, `${text.length} bytes`);
  });

  it('reads whether there are reports between the first and the last of a year', async () => {
    const range = 'from=2005-06-02T00:00:00Z&to=2005-11-30T12:00:00Z';
    const body = (await (await api.get(`/v1/history/coverage?stations=${CODES}&${range}`)).json()) as {
      data: { station: string; status: string; years: object[] }[];
    };
    const year = { year: 2005, daysDue: 182, daysDone: 121 };
    for (const { station, status, years } of body.data) {
      const expected = station === 'X00A' ? 'partial' : 'none';
      const sources = expected === 'partial' ? ['iem'] : [];
      assert.deepEqual(
        [station, status, years],
        [station, expected, [{ ...year, status: expected, sources }]],
      );
    }
  });

  it('counts the reports of the stations and years that are few enough', async () => {
    const range = 'from=2010-01-01T00:00:00Z&to=2020-01-01T00:00:00Z';
    const { data } = (await (
      await api.get(`/v1/history/coverage?stations=${CODES.slice(0, 20)}&${range}`)
    ).json()) as {
      data: { years: { reports?: number }[] }[];
    };
    for (const { years } of data) for (const { reports } of years) assert.equal(reports, 2);
  });
});
