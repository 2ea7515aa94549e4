import assert from 'node:assert/strict';
import { offsetsWithin } from '../../../../clickhouse/zones/zone-offsets.ts';

const hoursAt = (zone: string, kind: 'local' | 'standard', time: string) => {
  const from = Date.parse(time) / 1000;
  const offsets = offsetsWithin(zone, kind, { from, to: from + 60 });
  assert.equal(offsets.length, 1);
  assert.equal(offsets[0]?.from, 0);
  return (offsets[0]?.seconds ?? Number.NaN) / 3600;
};

/** The standard offset in hours at a time (D45), by the history of tzdb. */
const STANDARD: readonly (readonly [zone: string, time: string, hours: number])[] = [
  ['UTC', '2024-07-01', 0],
  ['America/New_York', '2005-01-01', -5],
  ['America/New_York', '2024-07-01', -5],
  ['Asia/Kathmandu', '2024-07-01', 5.75],
  ['America/St_Johns', '2024-07-01', -3.5],
  ['Pacific/Chatham', '2024-01-01', 12.75],
  ['Etc/GMT+10', '2024-01-01', -10],
  ['Australia/Sydney', '2005-01-01', 10],
  // Summer time of half an hour, and of two hours.
  ['Australia/Lord_Howe', '2024-01-01', 10.5],
  ['Antarctica/Troll', '2020-07-01', 0],
  // Without names of their own.
  ['Europe/Jersey', '2024-07-01', 0],
  ['Asia/Barnaul', '2010-07-01', 6],
  ['Asia/Barnaul', '2012-07-01', 7],
  ['Asia/Barnaul', '2015-01-01', 6],
  ['Asia/Barnaul', '2017-01-01', 7],
  // Standard time is that of winter, where tzdb has negative daylight saving time too.
  ['Europe/Dublin', '2024-01-15', 0],
  ['Europe/Dublin', '2024-07-15', 0],
  ['Africa/Windhoek', '2010-01-15', 1],
  ['Africa/Windhoek', '2010-07-15', 1],
  ['Africa/Windhoek', '2018-01-15', 2],
  ['Africa/Windhoek', '2018-07-15', 2],
  // Summer time that became standard time without a change of clocks.
  ['Europe/Istanbul', '2012-01-15', 2],
  ['Europe/Istanbul', '2012-07-15', 2],
  ['Europe/Istanbul', '2016-03-28', 2],
  ['Europe/Istanbul', '2016-09-06T20:00Z', 2],
  ['Europe/Istanbul', '2016-09-06T22:00Z', 3],
  ['Europe/Istanbul', '2024-01-15', 3],
  ['Asia/Amman', '2022-10-27', 2],
  ['Asia/Amman', '2022-10-29', 3],
  ['Asia/Famagusta', '2016-08-01', 2],
  ['Asia/Famagusta', '2017-07-01', 3],
  ['Asia/Famagusta', '2018-07-01', 2],
  ['America/Punta_Arenas', '2016-11-01', -4],
  ['America/Punta_Arenas', '2017-07-01', -3],
  ['America/Mexico_City', '2022-07-01', -6],
  ['America/Mexico_City', '2023-07-01', -6],
  ['America/Sao_Paulo', '2018-12-15', -3],
  ['America/Sao_Paulo', '2024-12-15', -3],
  // Standard time that changed in place of summer time, or with it.
  ['Europe/Moscow', '2008-07-15', 3],
  ['Europe/Moscow', '2012-01-15', 4],
  ['Europe/Moscow', '2012-07-15', 4],
  ['Europe/Moscow', '2024-07-15', 3],
  ['America/Scoresbysund', '2023-07-15', -1],
  ['America/Scoresbysund', '2024-07-15', -2],
  ['America/Caracas', '2006-01-15', -4],
  ['America/Caracas', '2012-01-15', -4.5],
  ['America/Caracas', '2024-01-15', -4],
  ['Asia/Pyongyang', '2016-01-15', 8.5],
  // Summer time of twenty months.
  ['America/Santiago', '2015-07-15', -4],
  ['America/Santiago', '2016-07-15', -4],
  // Summer time that Ramadan interrupts, then an hour less in Ramadan alone.
  ['Africa/Cairo', '2010-08-20', 2],
  ['Africa/Cairo', '2010-09-20', 2],
  ['Africa/Casablanca', '2012-05-15', 0],
  ['Africa/Casablanca', '2012-08-01', 0],
  ['Africa/Casablanca', '2018-10-20', 0],
  ['Africa/Casablanca', '2018-11-01', 1],
  ['Africa/Casablanca', '2019-05-20', 1],
  ['Africa/Casablanca', '2024-03-20', 1],
  ['Africa/Casablanca', '2024-07-20', 1],
  ['Africa/El_Aaiun', '2024-03-20', 1],
  // The day without a 30 December lay in its summer time.
  ['Pacific/Apia', '2011-12-15', -11],
  ['Pacific/Apia', '2012-01-15', 13],
];

describe('the offsets of a zone', () => {
  for (const [zone, time, hours] of STANDARD)
    it(`in standard time: ${hours} h in ${zone} at ${time}`, () => {
      assert.equal(hoursAt(zone, 'standard', time), hours);
    });

  it('change at the minute at which clocks are changed', () => {
    const range = { from: Date.UTC(2024, 0) / 1000, to: Date.UTC(2025, 0) / 1000 };
    const changes = offsetsWithin('America/New_York', 'local', range).map(({ from, seconds }) => [
      new Date(from * 1000).toISOString(),
      seconds / 3600,
    ]);
    assert.deepEqual(changes, [
      ['1970-01-01T00:00:00.000Z', -5],
      ['2024-03-10T07:00:00.000Z', -4],
      ['2024-11-03T06:00:00.000Z', -5],
    ]);
    assert.deepEqual(offsetsWithin('Asia/Kolkata', 'local', range), [{ from: 0, seconds: 19_800 }]);
  });

  it('are those of ICU in every zone, also where an offset lasts for a few weeks', () => {
    const range = { from: Date.UTC(2005, 0) / 1000, to: Date.UTC(2026, 0) / 1000 };
    for (const timeZone of Intl.supportedValuesOf('timeZone')) {
      const offsets = offsetsWithin(timeZone, 'local', range);
      const format = new Intl.DateTimeFormat('en', {
        timeZone,
        hourCycle: 'h23',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
      });
      for (let time = range.from; time < range.to; time += 20 * 86_400) {
        const seconds = offsets.findLast(({ from }) => from <= time)?.seconds ?? Number.NaN;
        const local = new Date((time + seconds) * 1000);
        const hour = `${local.getUTCHours()}`.padStart(2, '0');
        const minute = `${local.getUTCMinutes()}`.padStart(2, '0');
        assert.equal(format.format(time * 1000), `${local.getUTCDate()}, ${hour}:${minute}`, timeZone);
      }
    }
  });
});
