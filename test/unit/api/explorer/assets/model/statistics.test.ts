import assert from 'node:assert/strict';
import { formatShare } from '../../../../../../api/explorer/assets/format.ts';
import { toDay } from '../../../../../../api/explorer/assets/model/days.ts';
import {
  categoryCells,
  colorsOfShares,
  describeDay,
  describeExtremes,
  describeNormals,
  meanYear,
  scaleOfColor,
  shareOfHours,
  temperatureCells,
  usualHours,
  windRose,
  yearsText,
} from '../../../../../../api/explorer/assets/model/statistics.ts';

const row = (date: string, low?: number, high?: number, n = 24) =>
  toDay({
    station: 'XAAA',
    date,
    n,
    expected: 24,
    ...(low !== undefined &&
      high !== undefined && { min_temp_c: low, max_temp_c: high, mean_temp_c: (low + high) / 2 }),
  });

describe('daily values on the page', () => {
  it('make a mean year of the other years, with the records of each day and their years', () => {
    const days = [
      row('2021-07-01', 10, 20),
      row('2022-07-01', 14, 30),
      row('2023-07-01', 0, 40),
      row('2022-01-01', -9, -1),
    ];
    const { days: mean, years } = meanYear(days, ['2023']);
    const { low, high, recordLow, recordLowYear, recordHigh, recordHighYear } =
      mean.get('07-01') ?? assert.fail();
    assert.deepEqual([low, high], [12, 25]);
    assert.deepEqual([recordLow, recordLowYear, recordHigh, recordHighYear], [10, '2021', 30, '2022']);
    assert.deepEqual(years, ['2021', '2022']);
    // The mean of the days around, across the turn of the year too; a day that no year has is left out.
    assert.deepEqual([...mean.keys()], ['01-01', '07-01']);
    const turn = meanYear([row('2022-12-31', 0, 2), row('2022-01-01', 2, 4)], ['2020']).days;
    assert.equal(turn.get('01-01')?.low, 1);
  });

  it('have the 28th for 29 February in a mean of years without it', () => {
    const { days } = meanYear([row('2023-02-28', 1, 5), row('2024-02-29', 9, 11)], ['2024']);
    assert.deepEqual([days.get('02-29')?.low, days.get('02-29')?.recordHigh], [1, 5]);
  });

  it('take the extremes of each day that has them: four reports are enough, an incomplete day has none', () => {
    const lacking = row('2022-07-01', undefined, undefined, 16);
    const days = [row('2021-07-01', 10, 20, 4), lacking, { ...lacking, date: '2023-07-01', low: 4, high: 8 }];
    const { years, days: means } = meanYear(days, ['2020']);
    assert.deepEqual([years, means.get('07-01')?.mean], [['2021', '2023'], 15]);
    const text = 'no mean: not reported, or a gap of more than six hours touches the day, 16 of 24 hours';
    assert.equal(describeDay('temperature', lacking), text);
    assert.equal(describeDay('gust', lacking), 'no gust, or not a whole day, 16 of 24 hours');
  });

  it('are compared with no shown year, and with records only where ten years stand behind most days', () => {
    /** Three days of each year. */
    const daysOf = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, at) => `${first + at}`).flatMap((year) =>
        ['01', '02', '03'].map((day) => row(`${year}-07-${day}`, 10, 20)),
      );
    const wordsOf = (days: Parameters<typeof meanYear>[0], ...shown: readonly string[]) =>
      Object.values(describeNormals(meanYear(days, shown), '2024')).join('; ');
    const few = (years: string) => `${years}; ${years}; lowest to highest of ${years}; outside of ${years}`;
    const many = 'the mean year of 2014–2023; mean year; records; a record of 2024';
    assert.equal(wordsOf(daysOf(2015, 2024), '2024'), few('2015–2023'));
    assert.equal(wordsOf(daysOf(2014, 2024), '2024'), many);
    // A compared year, too, is no part of what it is compared with.
    assert.equal(wordsOf(daysOf(2014, 2024), '2024', '2020'), few('9 years of 2014–2023'));
    // One day of an older year makes no tenth year.
    assert.equal(wordsOf([row('2014-07-01', 0, 1), ...daysOf(2015, 2024)], '2024'), few('2014–2023'));
    assert.equal(wordsOf(daysOf(2023, 2024), '2024'), few('2023'));
  });

  it('have records of months only where ten years stand behind one', () => {
    const month = (years: number) => ({ station: 'XAAA', n: 1, expected: 1, month: 1, years });
    assert.equal(describeExtremes([month(9), month(10)]), 'records');
    assert.equal(describeExtremes([month(9), { station: 'XAAA', n: 0, expected: 1 }]), 'lowest and highest');
  });

  it('name the years of a mean, also where some lack', () => {
    const texts = [[], ['2021'], ['2021', '2022'], ['2005', '2021', '2022']].map(yearsText);
    assert.deepEqual(texts, ['', '2021', '2021–2022', '3 years of 2005–2022']);
  });

  it('are those of months, too, at their middle and with the mean lows and highs of their days', () => {
    const lows = { mean_min_temp_c: 1, min_temp_c: -9 };
    const means = { mean_temp_c: 4, mean_max_temp_c: 8, max_temp_c: 15, ...lows };
    const month = toDay({ station: 'XAAA', year: 2024, month: 2, n: 690, expected: 696, ...means });
    const { date, temperature, low, high, n } = month;
    assert.deepEqual([date, temperature, low, high, n], ['2024-02-15', 4, 1, 8, 690]);
  });

  it('say a value with its unit, and never 0 for what was not reported', () => {
    const day = { ...row('2024-01-01', -6, -2), fog: 3 };
    assert.equal(describeDay('temperature', day), 'mean temperature \u22124.0 °C, 24 of 24 hours');
    assert.equal(describeDay('fog', day), 'hours with fog 3 h, 24 of 24 hours');
    assert.equal(describeDay('precipitation', day), 'precipitation not reported, 24 of 24 hours');
    assert.equal(describeDay('ceiling', day), 'no ceiling reported, 24 of 24 hours');
  });

  it('have the colors that tell the days of a station apart', () => {
    const scale = (name: Parameters<typeof scaleOfColor>[0], ...values: readonly number[]) =>
      scaleOfColor(name, values);
    // On both sides of 0 °C, the colder a day is, the more of the cold color it has.
    const winter = scale('temperature', -28, -4, 12);
    assert.deepEqual([winter.texts, winter.isBoth, winter.shareOf(-15)], [['\u221230', '30 °C'], true, -0.5]);
    // In the tropics three degrees are the whole scale.
    const lagoon = scale('temperature', 26, 27, 29);
    assert.deepEqual([lagoon.texts, lagoon.isBoth, lagoon.shareOf(27.5)], [['26', '29 °C'], false, 0.5]);
    const ceilings = scale('ceiling', 100, 9000);
    assert.deepEqual([0, 2500, 10_000].map(ceilings.shareOf), [1, 0.5, 0]);
    const rain = scale('precipitation', 0, 0, 62);
    assert.deepEqual(
      [rain.texts, rain.shareOf(15), rain.shareOf(undefined)],
      [['0', '60 mm'], 0.5, undefined],
    );
    assert.deepEqual(scale('fog').texts, ['0', '4 h']);
  });

  it('name the hours of a station that is closed at others', () => {
    const rows = (open: (hour: number) => number) =>
      Array.from({ length: 24 }, (_, hour) => ({ ...JANUARY, hour, n: open(hour) }));
    const JANUARY = { station: 'XAAA', month: 1, expected: 31 };
    for (const [open, words] of [
      [(hour: number) => (hour >= 6 && hour < 19 ? 30 : 1), ', most from 06:00 to 19:00 UTC'],
      [(hour: number) => (hour >= 22 || hour < 4 ? 30 : 0), ', most from 22:00 to 04:00 UTC'],
      [() => 28, ''],
      [(hour: number) => (hour % 6 === 0 ? 31 : 0), ''],
    ] as const)
      assert.equal(usualHours(rows(open), 'UTC'), words);
  });
});

describe('the share of the hours that have a report', () => {
  it('counts hours of the period that have no row, up to now', () => {
    const rows = [{ station: 'XAAA', month: 12, hour: 6, n: 12, expected: 31 }];
    const asked = (from: string, to: string) => shareOfHours(rows, { from, to });
    assert.equal(asked('2024-12-30T00:00:00Z', '2025-01-01T00:00:00Z'), 0.25);
    assert.equal(asked('2024-12-30', '2025-01-01'), 0.25);
    const yesterday = new Date(Date.now() - 24 * 3_600_000).toISOString();
    assert.equal(Math.round(10 * asked(yesterday, '2999-01-01')), 5);
  });
});

describe('cells of a heat map', () => {
  const row = (n: number, more: object) => ({ station: 'XAAA', month: 2, hour: 6, n, expected: 31, ...more });

  it('have the mean temperature, and none of fewer than twenty hours', () => {
    const rows = [row(20, { mean_temp_c: -3.26 }), row(19, { mean_temp_c: 1 }), row(30, {})];
    const [known, few, none] = temperatureCells(rows);
    assert.deepEqual(known, { month: 2, hour: 6, n: 20, value: -3.26, text: 'mean \u22123.3 °C' });
    assert.deepEqual([few?.value, few?.text, none?.value], [undefined, 'mean 1.0 °C', undefined]);
    // Both sides of 0 °C have a color.
    const { texts, isBoth, shareOf } = scaleOfColor('temperature', [-3, 8]);
    assert.deepEqual([texts, isBoth, shareOf(-5)], [['\u221210', '10 °C'], true, -0.5]);
  });

  it('have the share of IFR and LIFR of the hours whose category is known', () => {
    const hours = { VFR: 12, MVFR: 4, IFR: 3, LIFR: 1 };
    const rows = [...Object.entries(hours).map(([fltcat, n]) => row(n, { fltcat })), row(8, {})];
    const text = '20\u00a0% IFR or LIFR, 20\u00a0% MVFR';
    assert.deepEqual(categoryCells(rows), [{ month: 2, hour: 6, n: 20, value: 0.2, text }]);
    const { texts, shareOf } = colorsOfShares([0.2, 0.46]);
    assert.deepEqual([texts, shareOf(0.25)], [['0', '50\u00a0%'], 0.5]);
  });
});

describe('a share on the page', () => {
  it('is 0 % only if it is zero, and 100 % only if it is all', () => {
    const texts = [0, 0.0004, 0.0006, 0.004, 0.126, 0.994, 0.9996, 1].map((share) =>
      formatShare(share).replaceAll('\u00a0', ' '),
    );
    assert.deepEqual(texts, ['0 %', '< 0.1 %', '0.1 %', '0.4 %', '13 %', '99.4 %', '99.9 %', '100 %']);
    assert.equal(windRose([], 'JJA').calm, undefined);
  });
});
