import { byId, element } from '../element.js';

/** @typedef {{ stations: number, reports: number, firstYear?: number, lastYear?: number, newestReport?: string }} Summary */

const TYPES = { all: 'METAR and SPECI', metar: 'METAR', speci: 'SPECI' };

/** What people without a key see: the archive in numbers, and what a link shows once a key is entered. */
export function createWelcomeView() {
  const view = byId('welcome', HTMLDivElement);
  const numbers = byId('archive-numbers', HTMLDListElement);
  const link = byId('link-note', HTMLParagraphElement);
  let isRead = false;

  async function readNumbers() {
    isRead = true;
    // Without the numbers the page is still of use: the next visit reads them again.
    const response = await fetch('/v1/history/archive').catch(() => undefined);
    if (response?.status !== 200) return;
    /** @type {{ data: Summary }} */
    const { data } = await response.json();
    numbers.replaceChildren(...Object.entries(describe(data)).map(([name, value]) => tile(name, value)));
    numbers.hidden = false;
  }

  return {
    /** @param {import('../state/url-state.js').State} state */
    show(state) {
      view.hidden = false;
      link.hidden = state.station === '';
      link.textContent = describeLink(state);
      if (!isRead) void readNumbers();
    },
    hide() {
      view.hidden = true;
    },
  };
}

/**
 * @param {string} name
 * @param {string} value
 */
function tile(name, value) {
  return element('div', {}, element('dt', {}, name), element('dd', {}, value));
}

/**
 * @param {Summary} summary
 * @returns {Record<string, string>}
 */
function describe({ stations, reports, firstYear, lastYear, newestReport }) {
  const about = reports.toLocaleString('en', { maximumSignificantDigits: 3 });
  return {
    Stations: stations.toLocaleString('en'),
    Reports: reports < 1000 ? about : `about ${about}`,
    Years: firstYear === lastYear ? `${firstYear ?? 'none yet'}` : `${firstYear} to ${lastYear}`,
    'Newest report':
      newestReport === undefined ? 'none yet' : `${newestReport.slice(0, 16).replace('T', ' ')} UTC`,
  };
}

/** @param {import('../state/url-state.js').State} state */
function describeLink({ station, from, to, type, year }) {
  const period = from !== '' && to !== '' ? `, ${from} to ${to}` : year === '' ? '' : `, ${year}`;
  const kind = TYPES[/** @type {keyof typeof TYPES} */ (type)];
  return `This link shows ${station}${period}, ${kind}: coverage, plots, reports and downloads. Enter a key to see it.`;
}
