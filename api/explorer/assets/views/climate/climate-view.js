import { byId, element } from '../../element.js';
import { showStatus } from '../../messages.js';
import { requestUrl } from '../../requests/api-client.js';
import { latestRun } from '../../requests/latest-run.js';
import { completeness, QUESTIONS } from '../../state/climate.js';
import { addDays, daysBetween } from '../../state/utc-day.js';
import { save } from '../download/downloads.js';
import { categoryChart } from './category-chart.js';
import { daysChart } from './days-chart.js';
import { temperatureChart } from './temperature-chart.js';
import { windRoseChart } from './wind-rose-chart.js';

/**
 * @typedef {import('../../state/climate.js').QuestionName} QuestionName
 * @typedef {import('../../state/climate.js').Row} Row
 * @typedef {{ svg: SVGSVGElement, label: string, legend: string, keys?: { label: string, kind: string }[], columns: string[] }} Chart
 */

const PATH = '/v1/history/statistics';
const DAYS_OF_YEAR = 365;

/** @type {Record<QuestionName, (rows: readonly Row[]) => Chart>} */
const CHARTS = {
  temperature: temperatureChart,
  wind: windRoseChart,
  category: categoryChart,
  days: daysChart,
};

/**
 * All years of a station in four plots. They are read once somebody scrolls to them, as they take longer than a page.
 *
 * @param {import('../../requests/api-client.js').ApiClient} client
 * @param {(error: unknown, again: () => void) => void} onError
 */
export function createClimateView(client, onError) {
  const section = byId('climate-section', HTMLElement);
  const summary = byId('climate-summary', HTMLParagraphElement);
  const plots = byId('climate', HTMLDivElement);
  const run = latestRun(onError);
  const runDownload = latestRun(onError);
  /** @type {{ station: string, from: string, to: string } | undefined} */
  let wanted;
  let shown = '';

  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) read();
    },
    { rootMargin: '300px' },
  );
  observer.observe(section);

  function read() {
    const period = wanted;
    if (period === undefined || shown === period.station) return;
    shown = period.station;
    void run((signal) =>
      readPlots(period, signal).catch((error) => {
        if (shown === period.station) shown = '';
        throw error;
      }),
    );
  }

  /**
   * @param {{ station: string, from: string, to: string }} period
   * @param {AbortSignal} signal
   */
  async function readPlots({ station, from, to }, signal) {
    plots.replaceChildren();
    summary.textContent = `Reading all years of ${station}.`;
    const range = { stations: station, from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z` };
    for (const name of /** @type {QuestionName[]} */ (Object.keys(QUESTIONS))) {
      const parameters = { ...range, ...QUESTIONS[name].parameters };
      const response = await client.send(PATH, parameters, signal);
      /** @type {{ data: Row[] }} */
      const { data } = await response.json();
      if (name === 'temperature') summary.textContent = summaryOf(station, from, to, data);
      plots.append(figure(name, station, parameters, data));
    }
  }

  /**
   * @param {QuestionName} name
   * @param {string} station
   * @param {Record<string, string>} parameters
   * @param {readonly Row[]} rows
   */
  function figure(name, station, parameters, rows) {
    const { title } = QUESTIONS[name];
    const { svg, label, legend, keys = [], columns } = CHARTS[name](rows);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', `${title}: ${label}`);
    const csv = element('button', { type: 'button' }, 'CSV');
    csv.setAttribute('aria-label', `${title} as CSV`);
    csv.addEventListener('click', () =>
      runDownload(async (signal) => {
        const response = await client.send(`${PATH}.csv`, parameters, signal);
        save(await response.blob(), `${station}-${name}.csv`);
        showStatus(`Downloaded ${title} of ${station}.`);
      }),
    );
    const url = requestUrl(location.origin, PATH, parameters);
    return element(
      'figure',
      { class: 'climate', 'data-plot': name },
      element('figcaption', {}, title),
      svg,
      element(
        'ul',
        { class: 'legend' },
        ...keys.map(({ label: text, kind }) => element('li', {}, swatch(kind), text)),
      ),
      element('p', { class: 'muted' }, legend),
      element(
        'div',
        { class: 'controls' },
        csv,
        element('details', {}, element('summary', {}, 'Request'), element('code', {}, url)),
        element('details', {}, element('summary', {}, 'Numbers'), table(title, columns, rows)),
      ),
    );
  }

  return {
    /**
     * @param {import('../../state/coverage.js').Coverage} coverage
     * @param {string | undefined} lastReport
     */
    show(coverage, lastReport) {
      const { station, years } = coverage;
      const first = years.find((year) => year.firstReport !== undefined)?.firstReport;
      const last = [...years.flatMap((year) => year.lastReport ?? []), ...(lastReport ? [lastReport] : [])]
        .sort()
        .at(-1);
      if (station !== wanted?.station) {
        shown = '';
        plots.replaceChildren();
        summary.textContent = '';
      }
      section.hidden = first === undefined || last === undefined;
      if (first === undefined || last === undefined) return;
      wanted = { station, from: first.slice(0, 10), to: addDays(last.slice(0, 10), 1) };
      // An observer reports what it sees when it begins.
      observer.unobserve(section);
      observer.observe(section);
    },
    forget() {
      wanted = undefined;
      shown = '';
      plots.replaceChildren();
      summary.textContent = '';
    },
  };
}

/**
 * @param {string} station
 * @param {string} from
 * @param {string} to
 * @param {readonly Row[]} rows
 */
function summaryOf(station, from, to, rows) {
  const held = (completeness(rows) * 100).toLocaleString('en', { maximumFractionDigits: 1 });
  const short = daysBetween(from, to) < DAYS_OF_YEAR ? ' This is less than a year, and so no climate.' : '';
  return `${station}, ${from} to ${to}: ${held} % of the hours have a report.${short}`;
}

/** @param {string} kind */
function swatch(kind) {
  return element('span', { class: `swatch ${kind}` });
}

/**
 * The numbers of a plot, for those who cannot see it.
 *
 * @param {string} title
 * @param {readonly string[]} columns
 * @param {readonly Row[]} rows
 */
function table(title, columns, rows) {
  const cells = rows.map((row) =>
    element('tr', {}, ...columns.map((name) => element('td', {}, formatCell(row[name])))),
  );
  return element(
    'div',
    { class: 'scroll numbers-table', tabindex: 0, role: 'region', 'aria-label': `${title}: numbers` },
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element('tr', {}, ...columns.map((name) => element('th', { scope: 'col' }, name))),
      ),
      element('tbody', {}, ...cells),
    ),
  );
}

/** @param {string | number | undefined} value */
function formatCell(value) {
  if (value === undefined) return '–';
  return typeof value === 'number' && !Number.isInteger(value)
    ? String(Math.round(value * 1000) / 1000)
    : String(value);
}
