import assert from 'node:assert/strict';
import { parseTime } from '../../../../clickhouse/model/day.ts';
import { offsetsWithin, timeOf } from '../../../../clickhouse/zones/zone-offsets.ts';

const text = (time: number) => new Date(time * 1000).toISOString().replace(':00.000', '');

/** The times of local days. */
function timesOf(zone: string, kind: 'local' | 'standard', first: string, end: string): string {
  const days = { from: parseTime(`${first}T00:00:00Z`), to: parseTime(`${end}T00:00:00Z`) };
  const offsets = offsetsWithin(zone, kind, { from: days.from - 172_800, to: days.to + 172_800 });
  return [days.from, days.to].map((time) => text(timeOf(time, offsets))).join(' ');
}

describe('local days (D63)', () => {
  for (const [zone, kind, first, end, times] of [
    ['UTC', 'local', '2024-01-01', '2024-01-02', '2024-01-01T00:00Z 2024-01-02T00:00Z'],
    ['America/New_York', 'local', '2024-03-10', '2024-03-11', '2024-03-10T05:00Z 2024-03-11T04:00Z'],
    ['America/New_York', 'standard', '2024-03-10', '2024-03-11', '2024-03-10T05:00Z 2024-03-11T05:00Z'],
    ['Asia/Kathmandu', 'local', '2024-01-01', '2025-01-01', '2023-12-31T18:15Z 2024-12-31T18:15Z'],
    ['Pacific/Kiritimati', 'local', '2024-01-01', '2024-01-02', '2023-12-31T10:00Z 2024-01-01T10:00Z'],
    // Midnight is left out: clocks are put forward over it.
    ['America/Sao_Paulo', 'local', '2018-11-04', '2018-11-05', '2018-11-04T03:00Z 2018-11-05T02:00Z'],
    // 00:01 is put back to 23:01 of the day before, whose last hour comes again.
    ['America/St_Johns', 'local', '2010-11-07', '2010-11-08', '2010-11-07T03:30Z 2010-11-08T03:30Z'],
    ['Pacific/Apia', 'local', '2011-12-29', '2011-12-31', '2011-12-29T10:00Z 2011-12-30T10:00Z'],
    ['Pacific/Apia', 'local', '2011-12-30', '2011-12-31', '2011-12-30T10:00Z 2011-12-30T10:00Z'],
    // A day of 23 hours of standard time, because the law of that day made +3 of +2.
    ['Europe/Istanbul', 'standard', '2016-09-06', '2016-09-07', '2016-09-05T22:00Z 2016-09-06T21:00Z'],
  ] as const)
    it(`of ${zone} in ${kind} time: ${first} to ${end} is ${times}`, () => {
      assert.equal(timesOf(zone, kind, first, end), times);
    });
});
