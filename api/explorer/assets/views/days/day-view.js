import { byId } from '../../element.js';
import { describeYear, FIRST_YEAR } from '../../state/coverage.js';
import { addDays, daysBetween } from '../../state/utc-day.js';
import { createDayGrid } from './day-grid.js';

/**
 * The days of one year of a station.
 *
 * @param {(changes: Partial<import('../../state/url-state.js').State>) => void} change
 */
export function createDayView(change) {
  const title = byId('days-title', HTMLHeadingElement);
  const summary = byId('days-summary', HTMLParagraphElement);
  const previous = byId('previous-year', HTMLButtonElement);
  const next = byId('next-year', HTMLButtonElement);
  let shown = { year: FIRST_YEAR, days: 7, key: '' };
  const grid = createDayGrid(byId('days', HTMLTableElement), (day) =>
    change({ year: day.slice(0, 4), from: day, to: addDays(day, shown.days) }),
  );
  previous.addEventListener('click', () => change({ year: String(shown.year - 1), from: '', to: '' }));
  next.addEventListener('click', () => change({ year: String(shown.year + 1), from: '', to: '' }));

  return {
    /**
     * @param {import('../../state/coverage.js').Coverage} coverage
     * @param {{ year: string, from: string, to: string }} period
     */
    show(coverage, period) {
      const year = Number(period.year);
      const key = `${coverage.station} ${year}`;
      // A cell keeps the keyboard's focus while the period changes.
      if (shown.key !== key) grid.show(coverage, year);
      shown = { year, days: Math.max(1, daysBetween(period.from, period.to)), key };
      grid.mark(period.from, period.to);
      title.textContent = `Days of ${year} at ${coverage.station}`;
      const { firstDay, lastDay } = coverage.periodOfRecord ?? {};
      const record = firstDay === undefined ? '' : ` Period of record: ${firstDay} to ${lastDay ?? 'today'}.`;
      summary.textContent = `${describeYear(coverage.years.find((each) => each.year === year))}.${record}`;
      previous.disabled = year <= FIRST_YEAR;
      next.disabled = year >= new Date().getUTCFullYear();
    },
  };
}
