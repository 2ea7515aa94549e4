import assert from 'node:assert/strict';
import { parseTime } from '../../../../clickhouse/model/day.ts';
import { type CalendarGroup, calendarGroups } from '../../../../clickhouse/statistics/calendar.ts';
import { SEASONS } from '../../../../clickhouse/statistics/groups.ts';
import { CALENDAR_UNITS, type CalendarUnit } from '../../../../clickhouse/statistics/question.ts';
import { type Offset, offsetsWithin } from '../../../../clickhouse/zones/zone-offsets.ts';
import { seededRandom } from '../../../support/random.ts';
import { repetitions } from '../../../support/repetitions.ts';

const HOUR = 3600;
const UTC = [{ from: 0, seconds: 0 }];

/** Groups in the order of their numbers, and their hours. */
function hoursOf(units: readonly CalendarUnit[], from: string, to: string, offsets: readonly Offset[]) {
  return sorted(calendarGroups(units, { from: parseTime(from), to: parseTime(to) }, offsets)).map(
    ({ numbers, hours }) => [
      ...numbers.map((number, n) => (units[n] === 'season' ? SEASONS[number] : number)),
      hours,
    ],
  );
}

function sorted(groups: readonly CalendarGroup[]): readonly CalendarGroup[] {
  const key = ({ numbers }: CalendarGroup) => numbers.map((number) => String(number).padStart(6, '0')).join();
  return groups.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** The same hour by hour (D45). */
function byHour(units: readonly CalendarUnit[], from: number, to: number, offsets: readonly Offset[]) {
  const groups = new Map<string, { readonly numbers: readonly number[]; hours: number }>();
  const at = (time: number) => {
    const seconds = offsets.findLast((offset) => offset.from <= time)?.seconds ?? 0;
    return new Date((time + seconds) * 1000);
  };
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) {
    const local = at(Math.max(hour, from));
    const month = local.getUTCMonth() + 1;
    const numbers = {
      year: local.getUTCFullYear() + (units.includes('season') && month === 12 ? 1 : 0),
      season: Math.floor((month % 12) / 3),
      month,
      date: Math.floor(local.getTime() / 86_400_000),
      hour: at(hour).getUTCHours(),
    };
    const ofHour = units.map((unit) => numbers[unit]);
    const group = groups.get(ofHour.join()) ?? { numbers: ofHour, hours: 0 };
    group.hours += hour >= from ? 1 : 0;
    groups.set(ofHour.join(), group);
  }
  return sorted([...groups.values()]);
}

describe('calendar of a question', () => {
  it('counts the clock hours that begin in each group, in the order of the groups', () => {
    assert.deepEqual(hoursOf(['month', 'year'], '2023-12-31T22:00:00Z', '2024-03-01T00:00:00Z', UTC), [
      [1, 2024, 744],
      [2, 2024, 696],
      [12, 2023, 2],
    ]);
  });

  it('takes December for the season and the year of its January', () => {
    assert.deepEqual(hoursOf(['year', 'season'], '2023-11-30T23:00:00Z', '2024-03-01T01:00:00Z', UTC), [
      [2023, 'SON', 1],
      [2024, 'DJF', 91 * 24],
      [2024, 'MAM', 1],
    ]);
  });

  it('has the hour in which a range begins, also where no clock hour begins in the range', () => {
    assert.deepEqual(hoursOf(['hour'], '2024-01-01T05:30:00Z', '2024-01-01T07:00:00Z', UTC), [
      [5, 0],
      [6, 1],
    ]);
  });

  it('has 23 hours of the day on which clocks are put forward', () => {
    const newYork = [
      { from: 0, seconds: -5 * HOUR },
      { from: parseTime('2024-03-10T07:00:00Z'), seconds: -4 * HOUR },
    ];
    assert.deepEqual(hoursOf(['date'], '2024-03-10T05:00:00Z', '2024-03-12T04:00:00Z', newYork), [
      [19_792, 23],
      [19_793, 24],
    ]);
  });

  it('has one group without units, also for a range without hours, which has no group with units', () => {
    const nothing = ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00Z'] as const;
    assert.deepEqual(hoursOf([], ...nothing, UTC), [[0]]);
    assert.deepEqual(hoursOf(['month'], ...nothing, UTC), []);
    assert.deepEqual(hoursOf([], '2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z', UTC), [[744]]);
  });

  it('is that of each hour of random ranges, in zones of whole, half and quarter hours', () => {
    const random = seededRandom(7);
    const below = (most: number) => Math.floor(random() * most);
    const zones = [
      'Etc/UTC',
      'America/New_York',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
    ];
    for (let n = 0; n < repetitions({ usual: 20, long: 200 }); n += 1) {
      const from = parseTime('2023-06-01T00:00:00Z') + below(500_000) * 60;
      const to = from + below(9000) * 3600 + below(60) * 60;
      const offsets = offsetsWithin(zones[n % zones.length] as string, 'local', { from: from - HOUR, to });
      const units = CALENDAR_UNITS.filter(() => random() < 0.5).sort(() => random() - 0.5);
      if (units.length === 0) continue;
      assert.deepEqual(
        sorted(calendarGroups(units, { from, to }, offsets)),
        byHour(units, from, to, offsets),
      );
    }
  });
});
