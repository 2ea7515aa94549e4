import assert from 'node:assert/strict';
import { startApi, useApi } from '../../../support/api/api.ts';
import { insert, put, report, useArchive } from '../../../support/archive/archive.ts';
import type { Row } from '../../../support/statistics/oracle.ts';

const DAY = 86_400_000;
const [FIRST, END] = [Date.UTC(2019, 0, 1), Date.UTC(2022, 0, 1)];
const RANGE = 'stations=XAAA&from=2019-01-01T00:00:00Z&to=2022-01-01T00:00:00Z&tz=utc';

/** Hours of reports: between two of them five are missing, which leaves the day complete (D59). */
const HOURS = ['00', '06', '12', '18', '23'];

/** Days without a report: eleven apart, five in a row, ten apart, four in a row. */
const MISSING = [
  ...Array.from({ length: 11 }, (_, n) => `2019-03-${String(2 + 2 * n).padStart(2, '0')}`),
  ...['2019-04-26', '2019-04-27', '2019-04-28', '2019-04-29', '2019-04-30'],
  ...Array.from({ length: 10 }, (_, n) => `2019-05-${String(2 + 2 * n).padStart(2, '0')}`),
  ...['2019-06-01', '2019-06-02', '2019-06-03', '2019-06-04'],
];

/** `oracle.test.ts` compares it with its definition. */
describe('the mean year (D55)', () => {
  const archive = useArchive();
  before(async () => {
    const days = Array.from({ length: (END - FIRST) / DAY }, (_, n) => new Date(FIRST + n * DAY));
    await insert(
      archive.client,
      ...days.flatMap((day) => {
        const date = day.toISOString().slice(0, 10);
        if (MISSING.includes(date)) return [];
        const [year, month, number] = date.split('-').map(Number) as [number, number, number];
        return HOURS.map((hour) =>
          put(
            report({
              at: `${date}T${hour}:00:00Z`,
              raw: `XAAA ${date} ${hour}`,
              decoded: {
                cavok: false,
                temp_c: `${month + (year - 2020)}`,
                ...(number % 10 === 0 && hour === '12' && { wx: 'TSRA', pcp1h_in: 0.5 }),
              },
            }),
          ),
        );
      }),
    );
  });
  const api = useApi(() => startApi(archive.client));

  it('has means over the years whose month is complete, numbers of days, and extremes of all days', async () => {
    const target = `/v1/history/statistics?${RANGE}&preset=normals`;
    const { data: rows } = await api.json<{ data: readonly Row[] }>(target);
    const [january, , march, april, may, june] = rows;
    const year = rows.at(-1);
    assert.equal(rows.length, 13);
    assert.deepEqual(
      [january, march, april, may, june, year].map((row) => row?.mean_temp_c_years),
      [3, 2, 2, 3, 3, 2],
    );
    assert.deepEqual(
      [january?.mean_temp_c, march?.mean_temp_c, march?.min_temp_c],
      [1, 3.5, 2],
      'the March of 2019 has no mean, and its days are among the extremes',
    );
    assert.deepEqual([january?.thunder_days, january?.precip_in, january?.precip_days], [3, 1.5, 3]);
    assert.equal(january?.frost_days, 0, 'the lowest is 0 °C');
    assert.equal(year?.month, undefined);
    assert.equal(january?.mean_slp_hpa, undefined, 'never reported');
    assert.equal(january?.mean_slp_hpa_years, 0);
  });
});
