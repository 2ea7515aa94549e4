import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Observation } from '../../../../../../api/client/client.d.ts';
import { toSeries } from '../../../../../../api/explorer/assets/state/series.js';

const record = (time: string, decoded?: object, type: Observation['type'] = 'METAR') =>
  ({
    id: time,
    station: 'XAAA',
    observedAt: `2024-01-01T${time}:00Z`,
    type,
    parseStatus: 'parsed',
    ...(decoded && { decoded }),
  }) as Observation;
const hourly = ['00:51', '01:51', '02:51', '03:51'];

describe('series of the plots', () => {
  it('interrupts a line where the usual interval is exceeded by half', () => {
    const records = [...hourly, '05:51', '06:51'].map((time) => record(time, { temp_c: '1.5' }));
    const { times, values, gaps } = toSeries(records);
    assert.deepEqual(values.temperature, [1.5, 1.5, 1.5, 1.5, null, 1.5, 1.5]);
    assert.equal(times[4], Date.parse('2024-01-01T04:51:00Z') / 1000);
    assert.equal(gaps, 1);
  });

  it('does not take many special reports for the usual interval', () => {
    const specials = ['01:52', '01:55', '01:58', '02:02', '02:10'].map((time) => record(time, {}, 'SPECI'));
    const records = [...hourly.map((time) => record(time, {})), ...specials].sort((a, b) =>
      a.observedAt.localeCompare(b.observedAt),
    );
    assert.equal(toSeries(records).gaps, 0);
  });

  it('does not take a report without a value for a gap', () => {
    const records = hourly.map((time, at) => record(time, at === 1 ? undefined : { wspd_kt: 0 }));
    assert.deepEqual(toSeries(records).values.wind, [0, undefined, 0, 0]);
  });

  it('draws gusts and ceilings only where a report gives them', () => {
    const records = [
      record('00:51', { wgst_kt: 25, clouds: [{ cover: 'FEW', base_ft: 500 }] }),
      record('01:51', {
        clouds: [
          { cover: 'SCT', base_ft: 800 },
          { cover: 'OVC', base_ft: 2000 },
          { cover: 'BKN', base_ft: 1500 },
        ],
      }),
      record('02:51', { vvis_ft: 100 }),
    ];
    const { gust, ceiling } = toSeries(records).values;
    assert.deepEqual(gust, [25, null, null]);
    assert.deepEqual(ceiling, [null, 1500, 100]);
  });

  it('is empty without reports', () => {
    assert.deepEqual(toSeries([]).times, []);
  });
});
