import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Pauses } from '../../../../clickhouse/pauses.ts';
import { amountsOf, type GaugeReport } from '../../../../clickhouse/statistics/gauge.ts';

/** `1751 P22`, `S1849 P24` for a special report, `1751 P5 680 710` with amounts of six and 24 hours; `+` is the next day. */
function reportsOf(text: string) {
  const reports = { 1: [] as GaugeReport[], 6: [] as GaugeReport[], 24: [] as GaugeReport[] };
  const metars: number[] = [];
  for (const report of text.split(', ')) {
    const [, day = '', type, hour, minute, groups = ''] =
      /^(\+*)(S?)(\d\d)(\d\d)(.*)$/.exec(report) ?? assert.fail(report);
    const time = Date.UTC(2024, 0, 1 + day.length, Number(hour), Number(minute)) / 1000;
    if (type === '') metars.push(time);
    for (const [hours, pattern] of [
      [1, / P(\d+)/],
      [6, / 6(\d+)/],
      [24, / 7(\d+)/],
    ] as const) {
      const amount = pattern.exec(groups)?.[1];
      if (amount !== undefined) reports[hours].push({ time, amount: Number(amount) });
    }
  }
  return { reports, metars };
}

const addedBy = async (text: string) => {
  const { reports, metars } = reportsOf(text);
  return (await amountsOf(reports, metars, new Pauses())).map(({ hours, added }) => [hours, added]);
};
const gaugeHours = async (text: string) =>
  (await addedBy(text)).flatMap(([hours, added]) => (hours === 1 ? [added] : []));

describe('amounts of precipitation (D58)', () => {
  const EXAMPLES: Readonly<Record<string, readonly [text: string, hours: readonly number[]]>> = {
    'each METAR alone in its hour ends an hour of the gauge': ['1151 P5, S1210 P3, 1251 P10', [5, 10]],
    'so does one without an amount': ['S0040 P3, 0051, S0110 P4', [3, 4]],
    'a special report has the hour of a METAR that is missing': [
      '0051, S0116 P18, S0129 P21, S0149 P24, S0247 P22, 0251 P22, 0351 P11',
      [24, 22, 11],
    ],
    'of three METARs an hour none ends one: the amount falls': [
      '0015 P2, 0035 P5, 0055 P8, 0115 P1, 0135 P1, 0155 P3',
      [8, 3],
    ],
    'nor of two, where one is missing or the reports begin': [
      '0020 P1, 0050 P3, 0120 P1, 0220 P2, 0250 P4',
      [3, 1, 4],
    ],
    'or an hour has passed': ['0055 P8, 0115 P1, 0135 P2, 0155 P4, 0215 P5, 0235 P5, 0255 P6', [8, 4, 6]],
    'the gauge keeps its clock where METARs are missing': ['2251, S2340 P3, +S0010 P4, +0051 P6', [3, 6]],
    'equal amounts of METARs an hour apart are two hours': ['0051 P5, 0151 P5', [5, 5]],
  };
  for (const [name, [text, hours]] of Object.entries(EXAMPLES))
    it(name, async () => {
      assert.deepEqual(await gaugeHours(text), hours);
    });

  it('an amount of six hours adds what the hours of the gauge lack', async () => {
    assert.deepEqual(await addedBy('1253 P10, 1753 P5 680'), [
      [1, 10],
      [1, 5],
      [6, 65],
    ]);
    assert.deepEqual((await addedBy('1253 P10, 1753 P5 610')).at(-1), [6, 0]);
  });

  it('one that was sent late holds the hours since the one before it', async () => {
    assert.deepEqual((await addedBy('1651 P21, 1751 P22, 2351 643')).at(-1), [6, 0]);
    assert.deepEqual((await addedBy('1651 P21, 1751 P22 643, 2351 643')).at(-1), [6, 43]);
  });

  it('an amount of 24 hours adds what both lack', async () => {
    assert.deepEqual((await addedBy('1253 P10, 1753 P5 680, +1153 790')).slice(2), [
      [6, 65],
      [24, 10],
    ]);
  });

  it('of two amounts of the same hours the greater counts, and of 24 hours that overlap the first', async () => {
    assert.deepEqual(await addedBy('1753 680, S1755 690'), [[6, 90]]);
    assert.deepEqual(await addedBy('1153 790, 1753 795'), [[24, 90]]);
  });

  it('other work has its turns while the amounts of many reports are computed', async () => {
    const reports = Array.from({ length: 500_000 }, (_, n) => ({ time: n * 3600, amount: 5 }));
    const metars = reports.map(({ time }) => time);
    let [turns, isDone] = [0, false];
    const amounts = amountsOf({ 1: reports, 6: reports, 24: [] }, metars, new Pauses()).finally(
      () => (isDone = true),
    );
    while (!isDone) {
      await setImmediate();
      turns += 1;
    }
    assert.equal((await amounts).length, 2 * reports.length);
    assert.ok(turns >= 10, `${turns}`);
  });
});
