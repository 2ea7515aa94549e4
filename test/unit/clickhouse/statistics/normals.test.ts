import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Pauses } from '../../../../clickhouse/pauses.ts';
import { printTemperature } from '../../../../clickhouse/statistics/column.ts';
import type { CountedRow } from '../../../../clickhouse/statistics/merged-rows.ts';
import { meanYearOf, VALUES_OF_MEAN_YEAR } from '../../../../clickhouse/statistics/normals.ts';

const OF_DAYS = ['mean_temp_c', 'max_temp_c', 'min_temp_c', 'precip_of_month'];

type Given = {
  readonly value: number | undefined;
  readonly least?: string;
  /** Days of the month that have no value. */
  readonly missing?: readonly number[];
};

/** The days of a month, all with the same values. */
function daysOf(year: number, month: number, { value, least = '0', missing = [] }: Given): CountedRow[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const cell = value === undefined ? '\\N' : String(value);
  return Array.from({ length }, (_, n) => ({
    station: 3,
    groups: [String(Date.UTC(year, month - 1, n + 1) / 86_400_000)],
    n: '24',
    values: (missing.includes(n + 1) ? OF_DAYS.map(() => '\\N') : [cell, cell, least, cell]).join('\t'),
  }));
}

/** Rows as objects. */
async function meanYear(...days: readonly CountedRow[][]) {
  const columns = OF_DAYS.map((name) => ({
    name,
    ...(name === 'min_temp_c' && { print: printTemperature }),
  }));
  return (await meanYearOf(days.flat(), columns, new Pauses())).map(
    ({ station, groups, n, values }): Readonly<Record<string, unknown>> => {
      const cells = values.split('\t');
      return {
        station,
        month: groups[0],
        n,
        ...Object.fromEntries(VALUES_OF_MEAN_YEAR.map(({ name }, at) => [name, cells[at]])),
      };
    },
  );
}

describe('mean years of days', () => {
  it('have amounts without the noise of adding them', async () => {
    // 30 days of 0.1 as doubles are 3.0000000000000013.
    const [june] = await meanYear(daysOf(2020, 6, { value: 0.1 }));
    assert.equal(june?.precip_in, '3');
  });

  it('are the means over years, and the year over all months', async () => {
    const years = [2020, 2021].map((year) =>
      Array.from({ length: 12 }, (_, n) => daysOf(year, n + 1, { value: year === 2020 ? n : n + 1 })).flat(),
    );
    const rows = await meanYear(...years);
    assert.deepEqual(
      rows.map(({ month }) => month),
      [...Array.from({ length: 12 }, (_, n) => `${n + 1}`), '13'],
    );
    assert.deepEqual([rows[0]?.station, rows[0]?.n, rows[0]?.years], [3, `${24 * 62}`, '2']);
    assert.deepEqual([rows[1]?.mean_temp_c, rows[1]?.mean_temp_c_years], ['1.5', '2']);
    // Sums are those of all days of a month.
    assert.equal(rows[3]?.precip_in, `${3.5 * 30}`);
    assert.deepEqual(
      [rows[12]?.mean_temp_c, rows[12]?.max_temp_c, rows[12]?.mean_temp_c_years],
      ['6', '12', '2'],
    );
  });

  it('need all months, and of a month no more than ten days missing, nor five in a row', async () => {
    const without = async (...missing: readonly number[]) =>
      (await meanYear(daysOf(2021, 1, { value: 4, missing })))[0];
    const everyThird = Array.from({ length: 10 }, (_, n) => 3 * n + 2);
    assert.equal((await without(...everyThird))?.mean_temp_c, '4');
    assert.equal((await without(1, ...everyThird))?.mean_temp_c, '\\N');
    assert.equal((await without(1, 2, 3, 4))?.mean_temp_c, '4');
    const five = await without(1, 2, 3, 4, 5);
    assert.deepEqual([five?.mean_temp_c, five?.mean_temp_c_years, five?.max_temp_c], ['\\N', '0', '4']);
    assert.equal((await meanYear(daysOf(2021, 1, { value: 4 })))[1]?.mean_temp_c, '\\N');
  });

  it('print -0 of the lowest temperature, and nothing without days', async () => {
    const [row] = await meanYear(daysOf(2021, 2, { value: undefined, least: '-0.05' }));
    assert.deepEqual([row?.min_temp_c, row?.max_temp_c], ['-0', '\\N']);
    assert.deepEqual(await meanYear(), []);
  });

  it('other work has its turns while those of 100 years are computed', async () => {
    const days = Array.from({ length: 1200 }, (_, n) =>
      daysOf(1920 + Math.floor(n / 12), (n % 12) + 1, { value: 4 }),
    );
    let [turns, isDone] = [0, false];
    const rows = meanYear(...days).finally(() => (isDone = true));
    while (!isDone) {
      await setImmediate();
      turns += 1;
    }
    assert.equal((await rows).length, 13);
    assert.ok(turns >= 5, `${turns}`);
  });
});
