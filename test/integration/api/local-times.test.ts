import assert from 'node:assert/strict';
import { type AnyRow as Row, startApiWithReports, useApi } from '../../support/api/api.ts';
import { report } from '../../support/archive/archive.ts';
import { readFlat } from '../../support/archive/flat-records.ts';

/** The nominal hour, and the report in it, around the change of clocks in New York; a half hour is part of Nepal's offset. */
const HOURS: Readonly<Record<string, readonly string[]>> = {
  XKTM: ['2024-03-10T11:45:00+05:45', '2024-03-10T12:45:00+05:45'],
  XNYC: ['2024-03-10T01:00:00-05:00', '2024-03-10T03:00:00-04:00'],
  XUNK: ['2024-03-10T06:00:00+00:00', '2024-03-10T07:00:00+00:00'],
};

describe('times=local', () => {
  // Whole days, but for the report of 07:53.
  const reports = Object.keys(HOURS).flatMap((station) =>
    Array.from({ length: 96 }, (_, hour) => new Date(Date.UTC(2024, 2, 9, hour, -7)).toISOString())
      .filter((at) => !at.startsWith('2024-03-10T07'))
      .map((at) => {
        const n = ['2024-03-10T05', '2024-03-10T06'].indexOf(at.slice(0, 13));
        const gust = n === 1 ? { wgst_kt: 31 } : {};
        return report({ station, at, decoded: { cavok: false, temp_c: `${n}`, wspd_kt: 20, ...gust } });
      }),
  );
  const zones = { XNYC: 'America/New_York', XKTM: 'Asia/Kathmandu' };
  const api = useApi(() => startApiWithReports(reports, { zones }));
  const target = (
    path: string,
    query: Readonly<Record<string, string>>,
    range = ['T06:00:00Z', 'T08:00:00Z'],
  ) =>
    `/v1/history/${path}?${new URLSearchParams({
      ...{ stations: 'XNYC,XUNK,XKTM', from: `2024-03-10${range[0]}`, to: `2024-03-10${range[1]}` },
      ...{ times: 'local', ...query },
    })}`;
  const inUtc = { zone: 'utc', utc: ['XUNK'] };

  it('prints the hours of hourly series with the offset of the station, in every format, also over pages', async () => {
    const { data, meta } = await api.json(target('hourly', { fields: 'temp_c' }));
    const timesOf = (rows: readonly Row[], name: string) =>
      Object.fromEntries(
        Object.keys(HOURS).map((station) => [
          station,
          rows.filter((row) => row.station === station).map((row) => row[name]),
        ]),
      );
    assert.deepEqual(timesOf(data, 'hour'), HOURS);
    assert.deepEqual(timesOf(data, 'observedAt').XNYC, [
      '2024-03-10T00:53:00-05:00',
      '2024-03-10T01:53:00-05:00',
    ]);
    assert.deepEqual(meta.tz, inUtc);
    const bytesOf = (format: string) => api.bytes(target(`hourly.${format}`, { fields: 'temp_c' }));
    const lines = await api.lines<Row>(target('hourly.ndjson', { fields: 'temp_c' }));
    for (const rows of [...(await readFlat(bytesOf)), lines])
      for (const name of ['hour', 'observedAt']) assert.deepEqual(timesOf(rows, name), timesOf(data, name));
    assert.deepEqual(await api.walk(target('hourly', { fields: 'temp_c', limit: '4' })), data);
    assert.equal((await api.walk(target('hourly', { filter: 'temp_c = 1', limit: '2' }))).length, 3);
    const empty = await api.rows(target('hourly', { stations: 'XNYC' }, ['T08:00:00Z', 'T09:00:00Z']));
    assert.deepEqual(empty, [{ station: 'XNYC', hour: '2024-03-10T04:00:00-04:00', n: 0 }]);
  });

  it('prints times of extremes and of gusts, whatever the days are', async () => {
    const statistics = await api.json(
      target('statistics', { select: 'time_of_max(temp_c),time_of_max(slp_hpa)', tz: 'standard' }, [
        'T00:00:00Z',
        'T08:00:00Z',
      ]),
    );
    const times = ['2024-03-10T12:38:00+05:45', '2024-03-10T01:53:00-05:00', '2024-03-10T06:53:00+00:00'];
    assert.deepEqual(
      statistics.data.map((row) => row.time_of_max_temp_c),
      times,
    );
    assert.ok(statistics.data.every((row) => !('time_of_max_slp_hpa' in row)));
    assert.deepEqual(statistics.meta.tz, { zone: 'standard', utc: ['XUNK'] });
    for (const format of ['', '.csv']) {
      const query = { fields: 'time_of_max_gust', from: '2024-03-10', to: '2024-03-11' };
      const text = await api.bytes(target(`daily${format}`, query));
      for (const time of times) assert.ok(text.includes(time), `${format} ${time} ${text}`);
    }
  });

  it('is utc by default, is bound to cursors, and takes no other value', async () => {
    const plain = await api.json(target('hourly', { times: 'utc', limit: '1', fields: 'temp_c' }));
    assert.equal(plain.data[0]?.hour, '2024-03-10T06:00:00Z');
    const other = await api.get(
      target('hourly', { limit: '1', fields: 'temp_c', cursor: plain.meta.nextCursor ?? '' }),
    );
    assert.equal(((await other.json()) as { code: string }).code, 'cursor_mismatch');
    assert.equal((await api.get(target('hourly', { times: 'standard' }))).status, 400);
    assert.equal((await api.get(target('observations', {}))).status, 400);
  });
});
