import assert from 'node:assert/strict';
import { daysOf } from '../../../../clickhouse/days/days-of.ts';
import { localMonth, timesOfMonth } from '../../../../clickhouse/days/local-month.ts';
import { reportsWithin } from '../../../../clickhouse/days/reports.ts';
import { dayOfNumber, parseTime } from '../../../../clickhouse/model/day.ts';
import { daysByDefinition } from '../../../support/days/oracle.ts';
import { reportsOf } from '../../../support/days/reports.ts';
import { seededRandom } from '../../../support/random.ts';
import { seeds } from '../../../support/repetitions.ts';
import { randomReports, STATIONS, standardShift, ZONES } from '../../../support/statistics/random-reports.ts';

const LATER = parseTime('2026-01-01T00:00:00Z');
/** Those in which the random reports lie. */
const MONTHS = [2023 * 12 + 11, 2024 * 12, 2024 * 12 + 2, 2024 * 12 + 3, 2024 * 12 + 9, 2024 * 12 + 10];

for (const seed of seeds(10))
  describe(`days of random reports are those of their definitions, seed ${seed}`, () => {
    const all = randomReports(seededRandom(seed));
    for (const station of STATIONS)
      it(`of ${station}, in its standard time`, () => {
        const seconds = standardShift(ZONES[station][0]);
        const own = all.filter((report) => report.station === station);
        const dateOf = (time: number) => new Date((time + seconds) * 1000).toISOString().slice(0, 10);
        const definitionOf = daysByDefinition(own, dateOf);
        const reports = reportsOf(own);
        for (const month of MONTHS) {
          const offsets = [{ from: 0, seconds }];
          const ofMonth = reportsWithin(reports, timesOfMonth(month, offsets));
          const days = daysOf(ofMonth, localMonth(month, offsets), LATER);
          for (const [row, number] of days.date.entries()) {
            const date = dayOfNumber(number);
            for (const [name, value] of Object.entries(definitionOf(date))) {
              const computed = days[name as keyof typeof days][row] as number;
              const isSame = value === undefined ? Number.isNaN(computed) : isNear(computed, value);
              assert.ok(isSame, `${date} ${name} is ${computed}, and by definition ${value}`);
            }
          }
        }
      });
  });

/** Means have six decimal places. */
function isNear(one: number, other: number): boolean {
  return Object.is(one, other) || (Math.abs(one - other) <= 1e-6 && (one !== 0 || other !== 0));
}
