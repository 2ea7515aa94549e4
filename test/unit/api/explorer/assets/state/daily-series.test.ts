import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toDailySeries } from '../../../../../../api/explorer/assets/state/daily-series.js';

describe('daily series of the plots', () => {
  const rows = [
    { date: '2024-02-29', n: 0 },
    { date: '2024-03-01', n: 2, mean_temp_c: 3.75, max_wgst_kt: 30 },
    { date: '2024-03-02', n: 0 },
    { date: '2024-03-03', n: 0 },
    { date: '2024-03-04', n: 1 },
    { date: '2024-03-05', n: 1, mean_temp_c: -2.04 },
  ];
  const { times, values, gaps } = toDailySeries(rows, ['mean_temp_c', 'max_wgst_kt']);

  it('have the values of each day with one digit after the point, and null where a day has none', () => {
    assert.deepEqual(values.mean_temp_c, [null, 3.8, null, null, null, -2]);
    assert.deepEqual(values.max_wgst_kt, [null, 30, null, null, null, null]);
  });

  it('have a point at noon of each day of the period, and count runs of days without reports', () => {
    assert.deepEqual(
      times.map((time) => new Date(time * 1000).toISOString().slice(5, 13)),
      ['02-29T12', '03-01T12', '03-02T12', '03-03T12', '03-04T12', '03-05T12'],
    );
    assert.equal(gaps, 2);
  });
});
