import assert from 'node:assert/strict';
import { type Page, startApiWithReports, useApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import { readCsv } from '../../../support/archive/flat-records.ts';

const STATISTICS = '/v1/history/statistics';
/** New York, Kathmandu, and one whose zone no source states. */
const STATIONS = ['XKTM', 'XNYC', 'XUNK'];
const ZONES = { XNYC: 'America/New_York', XKTM: 'Asia/Kathmandu' };
const FROM = Date.parse('2024-03-08T00:00:00Z');
const HOURS = 5 * 24;

describe('statistics of local days', () => {
  /** The temperature is the number of the hour, so that sums tell which hours were read. */
  const reports = STATIONS.flatMap((station) =>
    Array.from({ length: HOURS }, (_, hour) => {
      const at = new Date(FROM + hour * 3_600_000 + 60_000).toISOString();
      return report({ station, at, decoded: { cavok: false, temp_c: `${hour}` } });
    }),
  );
  const api = useApi(() => startApiWithReports(reports, { zones: ZONES }));

  const get = (query: string) => api.json(`${STATISTICS}?${query}`);
  const listOf = ({ data }: Page) =>
    data.map(({ station, date, n, expected, first, last }) =>
      [station, date, `${n}/${expected}`, first, last].filter((value) => value !== undefined).join(' '),
    );
  const HOURS_READ = 'select=first:min(temp_c),last:max(temp_c)';

  it('have from and to as days of each station (D63)', async () => {
    const days = `stations=XNYC,XKTM,XUNK&from=2024-03-09&to=2024-03-11&${HOURS_READ}&by=date&tz=local`;
    assert.deepEqual(listOf(await get(days)), [
      'XKTM 2024-03-09 24/24 19 42',
      'XKTM 2024-03-10 24/24 43 66',
      'XNYC 2024-03-09 24/24 29 52',
      // Clocks are put forward.
      'XNYC 2024-03-10 23/23 53 75',
      'XUNK 2024-03-09 24/24 24 47',
      'XUNK 2024-03-10 24/24 48 71',
    ]);
    // Without groups too.
    assert.deepEqual(listOf(await get(days.replace('&by=date', ''))), [
      'XKTM 48/48 19 66',
      'XNYC 47/47 29 75',
      'XUNK 48/48 24 71',
    ]);
    const alone = await get(days.replace('XNYC,XKTM,XUNK', 'XNYC'));
    assert.deepEqual(listOf(alone), ['XNYC 2024-03-09 24/24 29 52', 'XNYC 2024-03-10 23/23 53 75']);
  });

  it('have days of a named zone and of UTC, which are times too', async () => {
    const ask = async (from: string, to: string, tz: string) =>
      listOf(await get(`stations=XNYC&from=${from}&to=${to}&${HOURS_READ}&by=date&tz=${tz}`));
    assert.deepEqual(await ask('2024-03-09', '2024-03-10', 'Asia/Kathmandu'), [
      'XNYC 2024-03-09 24/24 19 42',
    ]);
    const utc = ['XNYC 2024-03-09 24/24 24 47'];
    assert.deepEqual(await ask('2024-03-09', '2024-03-10', 'utc'), utc);
    assert.deepEqual(await ask('2024-03-09T00:00:00Z', '2024-03-10T00:00:00Z', 'utc'), utc);
  });

  it('are days of UTC where the zone of a station is unknown, and say so (D64)', async () => {
    const query = `stations=XUNK,XNYC&from=2024-03-09&to=2024-03-10&select=count&tz=standard`;
    assert.deepEqual((await get(query)).meta.tz, { zone: 'standard', utc: ['XUNK'] });
    assert.equal((await get(query.replace('XUNK,', ''))).meta.tz, 'standard');
    for (const format of ['csv', 'ndjson', 'parquet', 'arrow']) {
      const { headers } = await api.get(`${STATISTICS}.${format}?${query}`);
      assert.equal(headers.get('x-stations-in-utc'), 'XUNK', format);
    }
    const known = await api.get(`${STATISTICS}.csv?${query.replace('XUNK,', '')}`, { method: 'HEAD' });
    assert.equal(known.headers.get('x-stations-in-utc'), null);
    const many = Array.from({ length: 500 }, (_, n) => `Y${String(n).padStart(3, '0')}`);
    const codes = await api.get(`${STATISTICS}.csv?${query.replace('XUNK', many.join())}`);
    assert.equal(codes.headers.get('x-stations-in-utc'), '500');
    assert.equal(readCsv(Buffer.from(await codes.arrayBuffer())).length, 501);
  });

  it('have the coverage of these times', async () => {
    const days = `stations=XNYC,XUNK&from=2024-01-01&to=2025-01-01&select=count&tz=local`;
    const { meta } = await get(days);
    const { stations } = meta.coverage as { stations: readonly { station: string; yearsAll: number }[] };
    // The year of New York ends at 05:00 of 1 January in UTC.
    assert.equal(`${stations.map(({ station, yearsAll }) => `${station} ${yearsAll}`)}`, 'XNYC 2,XUNK 1');
    const { headers } = await api.get(`${STATISTICS}.csv?${days}`);
    const [, link = ''] = /<([^>]*)>; rel="describedby"/.exec(headers.get('link') ?? '') ?? [];
    assert.equal((await api.get(link)).status, 200, link);
    assert.match(decodeURIComponent(link), /from=2024-01-01T00:00:00Z&to=2025-01-01T05:00:00Z/);
    const tokyo = await api.get(`${STATISTICS}.csv?${days.replace('local', 'Asia/Tokyo')}`);
    assert.match(tokyo.headers.get('content-disposition') ?? '', /-2024-01-01-2025-01-01\.csv"$/);
  });

  it('refuse a date and a time together, and say what to write', async () => {
    const ask = (from: string, to: string) =>
      api.refusal(`${STATISTICS}?stations=XNYC&from=${from}&to=${to}&select=count&tz=local`);
    for (const [from, to, detail] of [
      [
        '2024-03-09',
        '2024-03-11T00:00:00Z',
        'from is a date, and to is a time: write two dates, as in 2024-03-09 and 2024-03-11, or two times, as in 2024-03-09T00:00:00Z',
      ],
      ['2024-03-09T00:00:00Z', '2024-03-11', 'to is a date, and from is a time'],
      ['2024-03-11', '2024-03-11', 'from must be earlier than to'],
      ['2024-02-30', '2024-03-11', 'from has a date that does not exist'],
    ] as const)
      assert.ok((await ask(from, to)).startsWith(detail), from);
    assert.match(await ask('March', '2024-03-11'), /, or a date, as in 2024-01-31$/);
  });
});
