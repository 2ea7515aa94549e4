const DAY_MS = 86_400_000;
export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** @param {number} milliseconds */
function dayOf(milliseconds) {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/**
 * @param {string} day such as 2024-01-31
 * @param {number} days
 */
export function addDays(day, days) {
  return dayOf(Date.parse(day) + days * DAY_MS);
}

/**
 * @param {string} from
 * @param {string} to not included
 */
export function daysBetween(from, to) {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
