import { element } from '../../element.js';
import { DAY_KINDS, daysOfYear } from '../../state/coverage.js';
import { MONTHS } from '../../state/utc-day.js';
import { navigateGrid, setTabStop } from '../grid-navigation.js';

/**
 * The heat map of the days of one year: a row a month, a column a day of the month.
 *
 * @param {HTMLTableElement} table
 * @param {(day: string) => void} onPick
 */
export function createDayGrid(table, onPick) {
  const body = element('tbody');
  const headers = Array.from({ length: 31 }, (_, at) =>
    element('th', { scope: 'col' }, element('span', {}, String(at + 1))),
  );
  table.replaceChildren(
    table.caption ?? '',
    element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'Month'), ...headers)),
    body,
  );
  navigateGrid(table, ({ dataset }) => onPick(dataset.day ?? ''));

  return {
    /**
     * @param {import('../../state/coverage.js').Coverage} coverage
     * @param {number} year
     */
    show(coverage, year) {
      const days = daysOfYear(coverage, year, new Date().toISOString().slice(0, 10));
      body.replaceChildren(
        ...MONTHS.map((month, at) => {
          const prefix = `${year}-${String(at + 1).padStart(2, '0')}`;
          const cells = days.filter(({ day }) => day.startsWith(prefix)).map(cell);
          return element('tr', {}, element('th', { scope: 'row' }, month), ...cells);
        }),
      );
      setTabStop(table);
    },
    /**
     * Marks the days from the first to the last, which is not included.
     *
     * @param {string} from
     * @param {string} to
     */
    mark(from, to) {
      for (const each of body.querySelectorAll('td'))
        each.setAttribute(
          'aria-selected',
          String((each.dataset.day ?? '') >= from && (each.dataset.day ?? '') < to),
        );
    },
  };
}

/** @param {{ day: string, kind: import('../../state/coverage.js').DayKind }} day */
function cell({ day, kind }) {
  const text = `${day}: ${DAY_KINDS[kind]}`;
  return element('td', {
    role: 'gridcell',
    tabindex: -1,
    class: 'cell',
    title: text,
    'aria-label': text,
    'aria-selected': 'false',
    'data-cell': true,
    'data-day': day,
    'data-kind': kind,
  });
}
