import assert from 'node:assert/strict';
import { MeanYears, VALUES_OF_MEAN_YEAR } from '../../../../clickhouse/statistics/normals.ts';

/** Values that `COLUMNS` of the normals have. */
const COUNT = 17;
const ALL_DAYS = 2 ** 31 - 1;

type Given = { readonly mean: number | null; readonly least?: number | null; readonly known?: number };

const line = (station: number, year: number, month: number, { mean, least = 0, known = ALL_DAYS }: Given) =>
  JSON.stringify([
    station,
    year,
    month,
    700,
    ...[mean, mean, least].map((value) => Array(COUNT).fill(value)),
    Array(COUNT).fill(known),
  ]);

/** Rows as objects, from batches of lines. */
function meanYears(...batches: readonly (readonly string[])[]) {
  const years = new MeanYears();
  const rows = [
    ...batches.flatMap((lines) => [...years.upTo(Buffer.from(lines.map((each) => `${each}\n`).join('')))]),
    ...years.rest(),
  ];
  return rows.map(({ station, groups, n, values }): Readonly<Record<string, unknown>> => {
    const cells = values.toString().split('\t');
    return {
      station,
      month: groups[0],
      n,
      ...Object.fromEntries(VALUES_OF_MEAN_YEAR.map(({ name }, at) => [name, cells[at]])),
    };
  });
}

describe('mean years of months', () => {
  it('have amounts without the noise of adding them', () => {
    // 0.1 and 0.2 are 0.30000000000000004.
    const mean = (0.1 + 0.2) / 31;
    const [january] = meanYears([line(3, 2020, 1, { mean })]);
    assert.deepEqual([january?.precip_in, january?.mean_temp_c], ['0.3', String(mean)]);
  });

  it('are the means over years, and the year over all months', () => {
    const lines = [2020, 2021].flatMap((year) =>
      Array.from({ length: 12 }, (_, n) => line(3, year, n + 1, { mean: year === 2020 ? n : n + 1 })),
    );
    const rows = meanYears(lines.slice(0, 7), lines.slice(7));
    assert.deepEqual(
      rows.map(({ month }) => month),
      [...Array.from({ length: 12 }, (_, n) => `${n + 1}`), '13'],
    );
    assert.deepEqual([rows[0]?.station, rows[0]?.n, rows[0]?.years], [3, '1400', '2']);
    assert.deepEqual([rows[1]?.mean_temp_c, rows[1]?.mean_temp_c_years], ['1.5', '2']);
    // Sums are those of all days of a month.
    assert.equal(rows[3]?.precip_in, `${3.5 * 30}`);
    assert.deepEqual(
      [rows[12]?.mean_temp_c, rows[12]?.max_temp_c, rows[12]?.mean_temp_c_years],
      ['6', '12', '2'],
    );
  });

  it('need all months, and of a month no more than ten days missing, nor five in a row', () => {
    const missing = (known: number) => meanYears([line(0, 2021, 1, { mean: 4, known })])[0];
    const everyThird = Array.from({ length: 31 }, (_, day) => (day % 3 === 1 ? 0 : 2 ** day));
    const ten = everyThird.reduce((sum, bit) => sum + bit, 0);
    assert.equal(missing(ten)?.mean_temp_c, '4');
    assert.equal(missing(ten - 1)?.mean_temp_c, '\\N');
    assert.equal(missing(ALL_DAYS - 0b1111)?.mean_temp_c, '4');
    const five = missing(ALL_DAYS - 0b11111);
    assert.deepEqual([five?.mean_temp_c, five?.mean_temp_c_years, five?.max_temp_c], ['\\N', '0', '4']);
    assert.equal(meanYears([line(0, 2021, 1, { mean: 4 })])[1]?.mean_temp_c, '\\N');
  });

  it('begin anew with each station, and print -0 of the lowest temperature', () => {
    const rows = meanYears([line(0, 2021, 1, { mean: 1 }), line(1, 2021, 2, { mean: null, least: -0.05 })]);
    assert.deepEqual(
      rows.map(({ station, month }) => `${station} ${month}`),
      ['0 1', '0 13', '1 2', '1 13'],
    );
    assert.deepEqual([rows[2]?.min_temp_c, rows[2]?.max_temp_c], ['-0', '\\N']);
    assert.deepEqual(meanYears(), []);
  });
});
