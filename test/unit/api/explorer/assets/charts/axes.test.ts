import assert from 'node:assert/strict';
import { timeAxis } from '../../../../../../api/explorer/assets/charts/axes.ts';

const domain = (from: string, to: string) => [Date.parse(from), Date.parse(to)] as const;
const axis = (span: Parameters<typeof timeAxis>[0], from: string, to: string, zone?: string) =>
  timeAxis(span, domain(from, to), 1000, { zone });
const linesOf = (...of: Parameters<typeof axis>) =>
  axis(...of)
    .ticks.map(({ time, text }) => `${new Date(time).toISOString().slice(5, 16)} ${text}`)
    .join(', ');

describe('the time axis of a chart', () => {
  it('has its lines at days, Mondays, months and years', () => {
    assert.match(linesOf('day', '2024-01-01', '2024-01-02'), /^01-01T00:00 00:00, 01-01T04:00 04:00, /);
    const days = '02-28T00:00 Wed 02-28, 02-29T00:00 Thu 02-29';
    assert.equal(linesOf('week', '2024-02-28', '2024-03-01'), days);
    // The weekday of a compared year is another one.
    const [first] = timeAxis('week', domain('2024-02-28', '2024-03-01'), 1000, { hasWeekdays: false }).ticks;
    assert.equal(first?.text, '02-28');
    const mondays = '01-01T00:00 01-01, 01-08T00:00 01-08, 01-15T00:00 01-15';
    assert.equal(linesOf('month', '2024-01-01', '2024-01-16'), mondays);
    assert.match(linesOf('year', '2024-08-01', '2025-01-01'), /^08-01T00:00 Aug, 09-01T00:00 Sep, /);
    const halves = '02-01T00:00 02-01, 02-15T00:00 02-15, 03-01T00:00 03-01';
    assert.equal(linesOf('year', '2024-01-26', '2024-03-10'), halves);
    assert.equal(linesOf('all', '2023-01-01', '2025-01-01'), '01-01T00:00 2023, 01-01T00:00 2024');
  });

  it('has those of local days where the reader wants them, also where clocks change', () => {
    const zone = 'America/New_York';
    // The noon of the first day is in the domain, its beginning is not.
    const days = '03-09T05:00 Sat 03-09, 03-10T05:00 Sun 03-10, 03-11T04:00 Mon 03-11';
    assert.equal(linesOf('week', '2024-03-09T12:00Z', '2024-03-12', zone), days);
    const { read, zone: name } = axis('week', '2024-03-09', '2024-03-12', zone);
    assert.deepEqual([read(Date.parse('2024-03-11T12:53Z')), name], ['2024-03-11 08:53 local time', 'local']);
    assert.equal(
      axis('week', '2024-03-09', '2024-03-12').read(Date.parse('2024-03-11T12:53Z')),
      '2024-03-11 12:53 UTC',
    );
    // Days and months of a record have no other time.
    assert.equal(
      axis('year', '2024-01-01', '2025-01-01', zone).read(Date.parse('2024-03-11T12:00Z')),
      '2024-03-11',
    );
  });
});
