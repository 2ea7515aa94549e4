import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Observation } from '../../../../../../api/client/client.d.ts';
import { createDailySeries } from '../../../../../../api/explorer/assets/state/daily-series.js';

const record = (observedAt: string, decoded?: object) =>
  ({ observedAt: `2024-${observedAt}:00Z`, ...(decoded && { decoded }) }) as Observation;

describe('daily series of the plots', () => {
  const daily = createDailySeries();
  daily.add([
    record('03-01T00:51', { temp_c: '1.5' }),
    record('03-01T12:51', { temp_c: '6', wgst_kt: 30 }),
    record('03-03T00:51'),
  ]);
  daily.add([record('03-03T23:51', { temp_c: '-2' }), record('03-06T00:00', { temp_c: '0' })]);
  const { times, values, gaps } = daily.series('2024-02-29', '2024-03-07');

  it('have the least, the mean and the greatest value of each day', () => {
    assert.deepEqual(values.temperatureLowest, [null, 1.5, null, -2, null, null, 0]);
    assert.deepEqual(values.temperatureMean, [null, 3.8, null, -2, null, null, 0]);
    assert.deepEqual(values.temperatureHighest, [null, 6, null, -2, null, null, 0]);
    assert.deepEqual(values.gustHighest, [null, 30, null, null, null, null, null]);
  });

  it('have a point at noon of each day of the period, and count runs of days without reports', () => {
    assert.deepEqual(
      times.map((time) => new Date(time * 1000).toISOString().slice(5, 13)),
      ['02-29T12', '03-01T12', '03-02T12', '03-03T12', '03-04T12', '03-05T12', '03-06T12'],
    );
    assert.equal(gaps, 3);
  });
});
