import { addDays, daysBetween } from './utc-day.js';
import { VALUE_NAMES, VALUES } from './values.js';

/** @typedef {{ n: number, lowest: number, highest: number, sum: number }} Numbers of one value on one day */

const NOON = 43_200;

/** Days of UTC with the least, the mean and the greatest of each value, for periods with too many reports to draw. */
export function createDailySeries() {
  /** @type {Map<string, { reports: number, values: Map<string, Numbers> }>} */
  const days = new Map();

  return {
    /** @param {readonly import('../../../client/client.d.ts').Observation[]} records */
    add(records) {
      for (const { observedAt, decoded = {} } of records) {
        const day = observedAt.slice(0, 10);
        const ofDay = days.get(day) ?? { reports: 0, values: new Map() };
        days.set(day, ofDay);
        ofDay.reports += 1;
        for (const name of VALUE_NAMES) addValue(ofDay.values, name, VALUES[name]({ ...decoded }));
      }
    },
    /**
     * A point at noon of each day; days without the value are gaps.
     *
     * @param {string} from first day
     * @param {string} to the day after the last one
     * @returns {import('./series.js').Series}
     */
    series(from, to) {
      const all = Array.from({ length: daysBetween(from, to) }, (_, at) => addDays(from, at));
      const numbers = all.map((day) => days.get(day)?.values);
      const values = VALUE_NAMES.flatMap((name) => [
        [`${name}Lowest`, numbers.map((ofDay) => ofDay?.get(name)?.lowest ?? null)],
        [`${name}Mean`, numbers.map((ofDay) => meanOf(ofDay?.get(name)))],
        [`${name}Highest`, numbers.map((ofDay) => ofDay?.get(name)?.highest ?? null)],
      ]);
      const held = all.map((day) => days.has(day));
      return {
        times: all.map((day) => Date.parse(day) / 1000 + NOON),
        values: Object.fromEntries(values),
        gaps: held.filter((isHeld, at) => !isHeld && (at === 0 || held[at - 1])).length,
      };
    },
  };
}

/**
 * @param {Map<string, Numbers>} values
 * @param {string} name
 * @param {number | undefined} value
 */
function addValue(values, name, value) {
  if (value === undefined) return;
  const { n, lowest, highest, sum } = values.get(name) ?? { n: 0, lowest: value, highest: value, sum: 0 };
  values.set(name, {
    n: n + 1,
    lowest: Math.min(lowest, value),
    highest: Math.max(highest, value),
    sum: sum + value,
  });
}

/** @param {Numbers | undefined} numbers */
function meanOf(numbers) {
  return numbers === undefined ? null : Math.round((numbers.sum / numbers.n) * 10) / 10;
}
