import assert from 'node:assert/strict';
import { daysOf } from '../../../../clickhouse/days/days-of.ts';
import type { Days } from '../../../../clickhouse/days/fields.ts';
import { localMonth, timesOfMonth } from '../../../../clickhouse/days/local-month.ts';
import { type Folded, monthsOf } from '../../../../clickhouse/days/months.ts';
import { normalsOf } from '../../../../clickhouse/days/normals.ts';
import { NO_REPORTS, reportsWithin } from '../../../../clickhouse/days/reports.ts';
import { parseTime } from '../../../../clickhouse/model/day.ts';
import type { PartialDecoded } from '../../../../clickhouse/model/fields.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { report } from '../../../support/archive/archive.ts';
import { reportsOf } from '../../../support/days/reports.ts';

/** What a report says beside an hourly METAR of 10 °C and 5 kt, or `null` for none; `failed` is a text that cannot be decoded. */
type Said = Partial<PartialDecoded> & { readonly failed?: string; readonly type?: Report['type'] };

/** METARs at minute 51 of each hour of March 2024; `2 11:51` and `2 11:20` name a day and a time of what is said. */
type Month = {
  readonly every?: Said;
  readonly said?: Readonly<Record<string, Said | null>>;
  /** Hours of each day that have no METAR. */
  readonly missing?: (day: number, hour: number) => boolean;
};

const MARCH = 2024 * 12 + 2;
const LATER = parseTime('2024-05-01T00:00:00Z');

function reportsOfMarch({ every = {}, said = {}, missing = () => false }: Month): readonly Report[] {
  const texts = new Map<string, Said | null>();
  for (let day = 1; day <= 31; day += 1)
    for (let hour = 0; hour < 24; hour += 1)
      if (!missing(day, hour)) texts.set(`${day} ${String(hour).padStart(2, '0')}:51`, {});
  for (const [time, each] of Object.entries(said)) texts.set(time, each);
  return [...texts].flatMap(([time, each]) => {
    if (each === null) return [];
    const [day = '', clock] = time.split(' ');
    const at = `2024-03-${day.padStart(2, '0')}T${clock}:00Z`;
    const { failed, type = clock?.endsWith('51') ? 'METAR' : 'SPECI', ...more } = each;
    const decoded = { cavok: false, temp_c: '10', wspd_kt: 5, ...every, ...more };
    return [report({ at, type, clean: failed === undefined, raw: `XAAA ${at} ${type} ${failed}`, decoded })];
  });
}

function daysOfMarch(month: Month, until = LATER, offset = 0): Days {
  const offsets = [{ from: 0, seconds: offset }];
  const reports = reportsWithin(reportsOf(reportsOfMarch(month)), timesOfMonth(MARCH, offsets));
  return daysOf(reports, localMonth(MARCH, offsets), until);
}

const hours = (from: number, to: number) => (hour: number) => hour >= from && hour < to;
const everyHour = (day: number, saidAt: (hour: number) => Said) =>
  Object.fromEntries(
    Array.from({ length: 24 }, (_, hour) => [`${day} ${String(hour).padStart(2, '0')}:51`, saidAt(hour)]),
  );
const AO2 = { station_type: 'AO2' } as const;

type Cells = Partial<Record<keyof Days, number | undefined>>;
type Case = Month & {
  readonly it: string;
  readonly until?: string;
  readonly offset?: number;
  readonly days: Readonly<Record<number, Cells>>;
};

const CASES: readonly Case[] = [
  // Means and what is counted (D45, D54, D62)
  {
    it: '-0 is the lowest beside 0, and 0 in means',
    every: { temp_c: '0' },
    said: { '2 11:51': { temp_c: '-0' } },
    days: { 2: { min_temp_c: -0, mean_temp_c: 0, max_temp_c: 0 }, 3: { min_temp_c: 0 } },
  },
  {
    it: 'a day that is not over has the hours that have begun',
    until: '2024-03-05T09:55:00Z',
    missing: (day, hour) => day > 5 || (day === 5 && hour > 8),
    days: { 5: { n: 9, expected: 10, mean_temp_c: 10, is_whole: 0 }, 4: { is_whole: 1, expected: 24 } },
  },
  // D59, D78
  {
    it: 'a pause of seven hours over midnight refuses both days',
    missing: (day, hour) => (day === 2 && hour > 20) || (day === 3 && hour < 4),
    days: {
      2: { mean_temp_c: undefined, max_temp_c: undefined, max_wspd_kt: undefined },
      3: { mean_temp_c: undefined, is_whole: 0 },
      4: { mean_temp_c: 10, is_whole: 1 },
    },
  },
  {
    it: 'weather that was seen on a part day stays, and none is unknown',
    missing: (_, hour) => hour > 16,
    said: { '2 11:51': { wx: 'SN' } },
    days: { 2: { snow: 1, rain: undefined, fog_hours: undefined }, 3: { snow: undefined } },
  },
  {
    it: 'a day whose reports cannot be read has no total and no flag',
    every: AO2,
    said: everyHour(10, () => ({ failed: '' })),
    days: {
      10: { n: 24, precip_in: undefined, precip_trace: undefined, rain: undefined, mean_temp_c: undefined },
      12: { precip_in: 0, rain: 0 },
    },
  },
  {
    it: 'a flag is unknown where an unreadable report names its weather, and 0 or 1 else',
    every: AO2,
    said: {
      '2 11:51': { failed: '24010KT 1O0SM -SHRA/ BR SCT030 TEMPO FZDZ' },
      '3 11:51': { failed: '24010KT -RA' },
      '3 12:51': { wx: '-RA' },
      '4 11:51': { failed: 'FEW030CB RMK AO2 TSB18E45' },
      '5 11:51': { failed: 'VCTS RERA 0500SE BLU=' },
    },
    days: {
      2: {
        rain: undefined,
        showers: undefined,
        mist: undefined,
        drizzle: 0,
        freezing: 0,
        thunder: 0,
        is_whole: 1,
        precip_in: undefined,
        precip_trace: undefined,
      },
      3: { rain: 1, snow: 0 },
      4: { thunder: undefined, thunder_hours: undefined, rain: 0, fog_hours: 0, precip_in: 0 },
      5: { thunder: 0, rain: 0, snow: 0 },
    },
  },
  {
    it: 'a total is unknown where an unreadable report gives an amount, unless one of six hours has it',
    every: AO2,
    said: {
      '2 11:51': { failed: 'RMK AO2 P0010' },
      '2 13:51': { pcp1h_in: 0.05 },
      '3 11:51': { failed: 'RMK AO2 P0010 60020' },
      '4 10:51': { failed: 'RMK AO2 P0010' },
      '4 11:51': { pcp6h_in: 0.12 },
      '5 10:51': { failed: 'P0010 RMK AO2' },
    },
    days: {
      2: { precip_in: undefined, precip_month_in: undefined, precip_trace: undefined, is_whole: 1 },
      3: { precip_in: undefined },
      4: { precip_in: 0.12, precip_month_in: 0.12 },
      5: { precip_in: 0 },
    },
  },
  {
    it: 'the hour of a report that cannot be read is missing',
    said: everyHour(2, (hour) => (hours(8, 15)(hour) ? { failed: '' } : {})),
    days: { 2: { mean_temp_c: undefined }, 3: { mean_temp_c: 10 } },
  },
  {
    it: 'so is the hour of a report that lacks the value, and one without its weather says of no weather that it was not there',
    said: {
      '1 11:51': { pcp1h_in: 0.1 },
      ...everyHour(2, (hour) => (hour === 3 ? { wx: 'SN' } : { temp_c: undefined, wspd_kt: undefined })),
      ...everyHour(3, (hour) => (hour === 9 ? { wx: 'SN' } : { wx_missing: true })),
      ...everyHour(4, (hour) => (hour % 7 === 0 ? {} : { wx_missing: true, tsno: true })),
    },
    days: {
      2: { mean_temp_c: undefined, max_temp_c: undefined, max_wspd_kt: undefined, rain: 0, is_whole: 1 },
      3: { mean_temp_c: 10, snow: 1, rain: undefined, fog_hours: undefined, precip_in: undefined },
      4: { rain: 0, thunder: 0, precip_in: 0 },
    },
  },
  // D60, D80: extremes
  {
    it: 'extremes count where their hours lie in the day, also when sent at its end (D54)',
    said: {
      '2 05:51': { maxt6_c: 12.2, mint6_c: 4.4 },
      '3 02:51': { mint6_c: 1.1 },
      '5 00:00': { maxt6_c: 14, mint24_c: 8.5 },
    },
    days: {
      2: { max_temp_c: 12.2, min_temp_c: 4.4 },
      3: { min_temp_c: 10 },
      4: { max_temp_c: 14, min_temp_c: 8.5 },
      5: { max_temp_c: 10, min_temp_c: 10 },
    },
  },
  {
    it: 'an extreme of 24 hours may pass all of six hours by 2 °C',
    said: {
      '2 05:51': { mint6_c: 8 },
      '2 11:51': { mint6_c: 8 },
      '2 17:51': { mint6_c: 8 },
      '2 23:51': { mint6_c: 8, mint24_c: 6 },
      '3 23:51': { mint6_c: 8, mint24_c: 5.9 },
    },
    days: { 2: { min_temp_c: 6 }, 3: { min_temp_c: 8 } },
  },
  {
    it: 'whole degrees say nothing beyond an extreme of six hours that covers them',
    every: { temp_c: '-1.1' },
    said: { '2 05:51': { mint6_c: -1.6 }, '1 23:55': { temp_c: '-2' }, '2 05:57': { temp_c: '-3' } },
    days: { 1: { min_temp_c: -1.6 }, 2: { min_temp_c: -3 } },
  },
  // Winds (D61, D66, D80)
  {
    it: 'a direction has six decimal places',
    every: { wdir: 100 },
    said: { '2 11:51': { wdir: 110 } },
    days: { 2: { resultant_wdir: 100.41481 } },
  },
  // Snow depth (D80)
  {
    it: 'the snow depth is that of 12 UTC, 0 without a group where the month has depths',
    said: { '2 11:51': { snow_in: 5 }, '2 17:51': { snow_in: 7 } },
    days: { 2: { snow_depth_in: 5, max_snow_depth_in: 7 }, 3: { snow_depth_in: 0, max_snow_depth_in: 0 } },
  },
  {
    it: 'a month without depths has none',
    days: { 2: { snow_depth_in: undefined, max_snow_depth_in: undefined } },
  },
  {
    it: 'a day without a report of 12 UTC does not know it, nor one without a group between two; a part day does',
    said: { '2 11:51': { snow_in: 5 }, '5 05:51': { snow_in: 5 }, '5 17:51': { snow_in: 4 } },
    missing: (day, hour) => (day === 3 && hour === 11) || (day === 7 && hour > 14),
    days: {
      3: { snow_depth_in: undefined },
      5: { snow_depth_in: undefined, max_snow_depth_in: 5 },
      6: { snow_depth_in: 0 },
      7: { snow_depth_in: 0, max_snow_depth_in: undefined },
    },
  },
  // Weather (D53, D80)
  {
    it: 'kinds of weather are flags',
    said: {
      '2 11:51': { wx: '-FZDZ BR' },
      '2 12:51': { wx: 'SHRA' },
      '2 13:51': { wx: 'VCSH HZ' },
      '3 11:51': { wx: 'VCSH' },
      '4 11:51': { wx: 'FZRA PL' },
    },
    days: {
      2: { drizzle: 1, freezing: 1, mist: 1, showers: 1, haze: 1, rain: 1, ice_pellets: 0, snow: 0, fog: 0 },
      3: { showers: 0, rain: 0 },
      4: { ice_pellets: 1, freezing: 1 },
    },
  },
  {
    it: 'no thunder is unknown where it is not observed',
    every: { tsno: true },
    said: { '2 11:51': { wx: 'TS' } },
    days: { 2: { thunder: 1 }, 3: { thunder: undefined, thunder_hours: undefined, rain: 0 } },
  },
  // Amounts (D58)
  {
    it: 'a gauge counts up until its reset',
    every: AO2,
    said: { '2 11:20': { pcp1h_in: 0.03 }, '2 11:51': { pcp1h_in: 0.1 }, '2 12:51': { pcp1h_in: 0.02 } },
    days: { 2: { precip_in: 0.12, precip_month_in: 0.12 }, 3: { precip_in: 0, precip_trace: 0 } },
  },
  {
    it: 'a trace is none, and is said',
    every: AO2,
    said: { '2 11:51': { pcp1h_in: 0, pcp1h_trace: true } },
    days: { 2: { precip_in: 0, precip_trace: 1 } },
  },
  {
    it: 'an amount of three hours repairs them, and is no total of a day without others',
    said: {
      '2 08:51': { pcp3h_in: 0.17 },
      '2 07:51': { pcp1h_in: 0.05 },
      '2 11:51': { pcp6h_in: 0.2 },
      '3 08:51': { pcp3h_in: 0.17 },
      '3 09:51': { pcp1h_in: 0.04 },
      '4 08:51': { pcp3h_in: 0.17 },
    },
    days: { 2: { precip_in: 0.2 }, 3: { precip_in: 0.21 }, 4: { precip_in: undefined } },
  },
  {
    it: 'an amount over midnight counts in its month and in no day, also where a day has a trace',
    said: { '2 22:51': { pcp1h_in: 0 }, '3 02:51': { pcp6h_in: 0.3 } },
    days: {
      2: { precip_in: undefined, precip_unsplit_in: undefined, precip_month_in: 0 },
      3: { precip_in: undefined, precip_unsplit_in: 0.3, precip_month_in: 0.3 },
    },
  },
  {
    it: 'nor has a month what began in the one before; of amounts that overlap, the greatest sum counts',
    said: {
      ...Object.fromEntries(['1 11', '1 17', '2 11'].map((at) => [`${at}:51`, { pcp24h_in: 0.3 }])),
      ...Object.fromEntries(['5 11', '5 23', '6 11'].map((at, n) => [`${at}:51`, { pcp24h_in: n % 2 }])),
    },
    days: {
      1: { precip_unsplit_in: 0.3, precip_month_in: 0 },
      2: { precip_month_in: 0.3 },
      5: { precip_in: 1 },
    },
  },
  { it: 'without a gauge there is no total', days: { 2: { precip_in: undefined, precip_trace: undefined } } },
  {
    it: 'a part day has what was seen, its month nothing (D76)',
    every: AO2,
    missing: (_, hour) => hours(18, 24)(hour) || hour < 6,
    said: { '2 11:51': { pcp1h_in: 0.1 } },
    days: {
      2: { precip_in: 0.1, precip_month_in: undefined },
      3: { precip_in: undefined, precip_month_in: undefined },
    },
  },
  {
    it: 'but for amounts of six hours that cover it',
    every: AO2,
    missing: (_, hour) => hours(12, 23)(hour),
    said: Object.fromEntries(['2 05', '2 11', '2 17', '2 23'].map((at) => [`${at}:51`, { pcp6h_in: 0.1 }])),
    days: { 2: { precip_in: 0.4, precip_month_in: 0.4 } },
  },
];

describe('days of reports (D54, D58, D59, D60, D61, D78)', () => {
  it('without a report in the month are the same whether or not the month before has one', () => {
    const month = localMonth(MARCH, [{ from: 0, seconds: -5 * 3600 }]);
    const before = reportsOf([
      report({ at: '2024-02-28T12:51:00Z', decoded: { cavok: false, temp_c: '10' } }),
    ]);
    for (const until of [LATER, parseTime('2024-03-10T12:30:00Z')])
      assert.deepEqual(daysOf(NO_REPORTS, month, until), daysOf(before, month, until));
  });

  for (const { it: title, days, until, offset, ...month } of CASES)
    it(title, () => {
      const found = daysOfMarch(month, until === undefined ? LATER : parseTime(until), offset);
      const cells = Object.entries(days).map(([day, asked]) => [
        day,
        Object.fromEntries(
          Object.keys(asked).map((name) => {
            const value = found[name as keyof Days][Number(day) - 1] as number;
            return [name, Number.isNaN(value) ? undefined : value];
          }),
        ),
      ]);
      assert.deepEqual(Object.fromEntries(cells), days);
    });

  it('have all their hours where a zone begins before the archive (D80)', () => {
    const local = localMonth(2005 * 12, [{ from: 0, seconds: 9 * 3600 }]);
    assert.equal(daysOf(reportsOf([]), local, LATER).expected[0], 24);
  });
});

/** Which days of March have no report between 0 and 7 UTC. */
const withoutNights = (isMissing: (day: number) => boolean): Month => ({
  every: AO2,
  missing: (day, hour) => isMissing(day) && hours(1, 12)(hour),
  said: Object.fromEntries(
    Array.from({ length: 31 }, (_, day) => [`${day + 1} 14:51`, { wx: 'RA', pcp1h_in: 0.02 }]),
  ),
});

const MONTHS: readonly (Month & {
  readonly it: string;
  readonly month: Readonly<Record<string, readonly [number | undefined, number]>>;
  readonly normal: Readonly<Record<string, readonly [number | undefined, number]>>;
})[] = [
  {
    it: 'a whole month',
    ...withoutNights(() => false),
    month: {
      mean_temp_c: [10, 31],
      precip_in: [0.62, 31],
      rain_days: [31, 31],
      frost_days: [0, 31],
      max_temp_c: [10, 31],
    },
    normal: { mean_temp_c: [10, 1], precip_in: [0.62, 1], rain_days: [31, 1] },
  },
  {
    it: 'ten part days: sums are of the days known, and no normals',
    ...withoutNights((day) => day % 3 === 0),
    month: { mean_temp_c: [10, 21], precip_in: [0.42, 21], rain_days: [21, 21] },
    normal: { mean_temp_c: [10, 1], precip_in: [undefined, 0], rain_days: [undefined, 0] },
  },
  {
    it: 'five part days in a row: no mean',
    ...withoutNights((day) => day > 10 && day < 16),
    month: { mean_temp_c: [undefined, 26], rain_days: [26, 26], max_temp_c: [10, 26] },
    normal: { mean_temp_c: [undefined, 0], max_temp_c: [10, 1] },
  },
  {
    it: 'eleven part days: no mean',
    ...withoutNights((day) => day % 3 === 0 || day === 31),
    month: { mean_temp_c: [undefined, 20] },
    normal: { mean_temp_c: [undefined, 0] },
  },
  {
    it: 'an amount over two days knows both (D77)',
    every: AO2,
    said: { '3 02:51': { pcp6h_in: 0.3 } },
    month: { precip_in: [0.3, 31], precip_days: [0, 29] },
    normal: { precip_in: [0.3, 1], precip_days: [undefined, 0] },
  },
];

describe('months and normals of days (D55, D73, D76, D77)', () => {
  for (const { it: title, month, normal, ...said } of MONTHS)
    it(title, () => {
      const months = monthsOf(daysOfMarch(said));
      const cellsOf = (folded: Folded, names: object, count: string) =>
        Object.fromEntries(
          Object.keys(names).map((name) => {
            const [value, n] = [name, `${name}_${count}`].map((column) => folded[column]?.[0]);
            return [name, [Number.isNaN(value) ? undefined : value, n]];
          }),
        );
      assert.deepEqual(cellsOf(months, month, 'days'), month);
      assert.deepEqual(cellsOf(normalsOf(months), normal, 'years'), normal);
    });

  it('the year is that of twelve months, and its extremes are those of all years that have one', () => {
    const march = monthsOf(daysOfMarch({}));
    const yearOf = (months: number) => {
      const rows = Array.from({ length: months });
      const all = Object.entries(march).map(
        ([name, [value = 0]]) =>
          [name, Float64Array.from(rows, (_, n) => (name === 'month' ? n + 1 : value))] as const,
      );
      const normals = normalsOf(Object.fromEntries(all) as Folded);
      return ['month', 'frost_days', 'frost_days_years'].map((name) => normals[name]?.at(-1));
    };
    assert.deepEqual(yearOf(12), [Number.NaN, 0, 1]);
    assert.deepEqual(yearOf(11), [Number.NaN, Number.NaN, 0]);
    const twice = Object.entries(march).map(([name, [value = 0]]) => [name, Float64Array.of(value, value)]);
    assert.equal(normalsOf(Object.fromEntries(twice) as Folded).max_temp_c_years?.at(-1), 2);
  });
});
