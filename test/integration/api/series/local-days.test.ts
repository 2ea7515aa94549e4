import assert from 'node:assert/strict';
import { startApiWithReports, useApi } from '../../../support/api/api.ts';
import { report } from '../../../support/archive/archive.ts';
import { readFlat } from '../../../support/archive/flat-records.ts';

const HOURLY = '/v1/history/hourly';
const HOUR = 3_600_000;

/** Each station with the first and the last nominal hour of its days from 9 to 10 March 2024. XUNK has no zone. */
const STATIONS = {
  XKTM: ['Asia/Kathmandu', '2024-03-08T19:00Z', '2024-03-10T18:00Z'],
  XNYC: ['America/New_York', '2024-03-09T05:00Z', '2024-03-11T03:00Z'],
  XUNK: [undefined, '2024-03-09T00:00Z', '2024-03-10T23:00Z'],
} as const;
const DAYS = 'from=2024-03-09&to=2024-03-11&tz=local&fields=temp_c';
const ALL = `stations=XUNK,XNYC,XKTM&${DAYS}`;

describe('hourly series of local days (D63)', () => {
  const reports = Object.keys(STATIONS).flatMap((station) =>
    Array.from({ length: 96 }, (_, hour) => {
      const at = new Date(Date.parse('2024-03-08T00:00Z') + hour * HOUR).toISOString();
      return report({ station, at, decoded: { cavok: false, temp_c: `${hour % 40}` } });
    }),
  );
  const zones = { XKTM: STATIONS.XKTM[0], XNYC: STATIONS.XNYC[0] };
  const api = useApi(() => startApiWithReports(reports, { zones }));

  /** `2024-03-08T19:00:00Z XKTM`, in the order of hours and stations. */
  const expected = Object.entries(STATIONS)
    .flatMap(([station, [, first, last]]) => {
      const [from, to] = [first, last].map((time) => Date.parse(time)) as [number, number];
      return Array.from({ length: (to - from) / HOUR + 1 }, (_, n) => {
        const hour = new Date(from + n * HOUR).toISOString().replace('.000', '');
        return `${hour} ${station}`;
      });
    })
    .sort();
  const listOf = (rows: readonly Readonly<Record<string, unknown>>[]) =>
    rows.map(({ hour, station }) => `${hour} ${station}`);
  const pageOf = (query: string) => api.json(`${HOURLY}?${query}`);

  it('have the hours of the days of each station', async () => {
    const { data, meta } = await pageOf(ALL);
    assert.deepEqual(listOf(data), expected);
    assert.ok(data.every(({ n, temp_c }) => n === 1 && temp_c !== undefined));
    assert.deepEqual(meta.tz, { zone: 'local', utc: ['XUNK'] });
    const alone = await pageOf(`stations=XNYC&${DAYS}`);
    assert.deepEqual(
      listOf(alone.data),
      expected.filter((row) => row.endsWith('XNYC')),
    );
    assert.equal(alone.meta.tz, 'local');
  });

  it('are the same in pages of any size, with a condition, and in every format', async () => {
    for (const page of ['limit=50', 'limit=29&filter=temp_c>=0'])
      assert.deepEqual(listOf(await api.walk(`${HOURLY}?${ALL}&${page}`)), expected);
    const bytesOf = async (format: string) => {
      const response = await api.get(`${HOURLY}.${format}?${ALL}`);
      assert.equal(response.headers.get('x-stations-in-utc'), 'XUNK');
      return Buffer.from(await response.arrayBuffer());
    };
    assert.deepEqual(listOf(await api.lines(`${HOURLY}.ndjson?${ALL}`)), expected);
    for (const rows of await readFlat(bytesOf)) assert.deepEqual(listOf(rows), expected);
  });

  it('have the same cursor for days of UTC and their times, and another for other days', async () => {
    const cursorOf = async (query: string) =>
      (await pageOf(`stations=XNYC&fields=temp_c&limit=1&${query}`)).meta.nextCursor;
    const times = await cursorOf('from=2024-03-09T00:00:00Z&to=2024-03-11T00:00:00Z');
    assert.equal(await cursorOf('from=2024-03-09&to=2024-03-11'), times);
    assert.equal(await cursorOf('from=2024-03-09&to=2024-03-11&tz=Etc/UTC'), times);
    const { status } = await api.get(`${HOURLY}?stations=XNYC&${DAYS}&limit=1&cursor=${times}`);
    assert.equal(status, 400);
  });

  it('refuse a time zone that no dates need', async () => {
    const times = 'from=2024-03-09T00:00:00Z&to=2024-03-11T00:00:00Z';
    assert.match(
      await api.refusal(`${HOURLY}?stations=XNYC&${times}&tz=local`),
      /tz says which days dates are: write from/,
    );
  });
});
