import { element } from '../../element.js';
import { describeYear, FIRST_YEAR, shareDone } from '../../state/coverage.js';
import { navigateGrid, setTabStop } from '../grid-navigation.js';

/**
 * @typedef {{
 *   station: string, name?: string, country?: string, latitude?: number, longitude?: number, elevation_m?: number,
 *   distance_km?: number, firstReport?: string, lastReport?: string,
 * }} Station
 */

/**
 * The list of stations, which is the heat map of years × stations at the same time.
 *
 * @param {HTMLTableElement} table
 * @param {(station: string, year: string | undefined) => void} onPick
 */
export function createStationTable(table, onPick) {
  const years = Array.from(
    { length: new Date().getUTCFullYear() - FIRST_YEAR + 1 },
    (_, at) => FIRST_YEAR + at,
  );
  const body = element('tbody');
  const headers = years.map((year) => element('th', { scope: 'col' }, element('span', {}, String(year))));
  table.replaceChildren(
    table.caption ?? '',
    element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'Station'), ...headers)),
    body,
  );
  navigateGrid(table, ({ dataset }) => onPick(dataset.station ?? '', dataset.year));

  let shown = '';

  return {
    /** @param {readonly Station[]} stations */
    show(stations) {
      const next = stations.map(({ station, distance_km }) => `${station} ${distance_km}`).join();
      // A cell keeps the keyboard's focus while the same stations are shown.
      if (next === shown) return;
      shown = next;
      body.replaceChildren(...stations.map((station) => row(station, years)));
      setTabStop(table);
      // The newest years are the ones that people look for first.
      if (table.parentElement !== null) table.parentElement.scrollLeft = table.scrollWidth;
    },
    /** @param {readonly import('../../state/coverage.js').Coverage[]} coverages */
    showCoverage(coverages) {
      for (const { station, years: held } of coverages)
        for (const cell of body.querySelectorAll(`td[data-station="${station}"]`))
          if (cell instanceof HTMLElement)
            fillCell(
              cell,
              held.find(({ year }) => String(year) === cell.dataset.year),
            );
    },
    /**
     * @param {string} station
     * @param {string} year
     */
    mark(station, year) {
      for (const cell of body.querySelectorAll('[data-cell]'))
        if (cell instanceof HTMLElement) {
          const isStation = cell.dataset.station === station;
          const isSelected = isStation && (cell.dataset.year ?? year) === year;
          cell.setAttribute('aria-selected', String(isSelected));
          cell.closest('tr')?.classList.toggle('selected', isStation);
        }
    },
  };
}

/**
 * @param {Station} station
 * @param {readonly number[]} years
 */
function row({ station, name, country, distance_km }, years) {
  const cells = years.map((year) =>
    element('td', {
      role: 'gridcell',
      tabindex: -1,
      'data-cell': true,
      'data-station': station,
      'data-year': year,
      'aria-selected': 'false',
      'aria-label': `${station} ${year}`,
      class: 'cell',
    }),
  );
  const distance =
    distance_km === undefined ? undefined : `${Math.round(distance_km).toLocaleString('en')} km`;
  const label = [name, country, distance].filter((part) => part !== undefined).join(', ');
  return element(
    'tr',
    {},
    element(
      'th',
      {
        scope: 'row',
        role: 'rowheader',
        tabindex: -1,
        'data-cell': true,
        'data-station': station,
        'aria-selected': 'false',
        title: label === '' ? undefined : `${station} ${label}`,
      },
      element('strong', {}, station),
      ' ',
      element('span', {}, label),
    ),
    ...cells,
  );
}

/**
 * The height of the bar in a cell is the part of the due days that is complete.
 *
 * @param {HTMLElement} cell
 * @param {import('../../state/coverage.js').CoverageYear | undefined} year
 */
function fillCell(cell, year) {
  const share = shareDone(year);
  const text = `${cell.dataset.station} ${cell.dataset.year}: ${describeYear(year)}`;
  cell.setAttribute('aria-label', text);
  cell.title = text;
  cell.dataset.kind =
    share === undefined ? 'not due' : share === 1 ? 'done' : share === 0 ? 'missing' : 'partial';
  // A day of a year would be too thin to be seen.
  if (share !== undefined)
    cell.style.setProperty('--share', `${share === 0 ? 0 : Math.max(15, share * 100)}%`);
}
