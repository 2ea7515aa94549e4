import { byId } from '../../element.js';
import { showStatus } from '../../messages.js';
import { readDays, readPages } from '../../requests/read-period.js';
import { toDailySeries } from '../../state/daily-series.js';
import { observationRequest } from '../../state/observation-request.js';
import { toSeries } from '../../state/series.js';
import { daysBetween } from '../../state/utc-day.js';
import { createDownloadView } from '../download/download-view.js';
import { createSnippetTabs } from '../download/snippet-tabs.js';
import { snippets } from '../download/snippets.js';
import { DAY_PLOTS } from './plot-kinds.js';
import { createPlots } from './plots.js';
import { createReportsTable } from './reports-table.js';

/** Longer periods are drawn by day. */
const DAYS_OF_REPORTS = 31;
const DAY_COLUMNS = DAY_PLOTS.flatMap(({ curves }) => curves.map(({ values }) => values));

const COVERAGE = {
  complete: 'complete',
  partial: 'in part: the archive lacks some days of this period',
  none: 'none: the archive has no complete day of this period yet',
};
const EMPTY = {
  complete: 'sent no report in this period',
  partial: 'has no report of this period in the archive, which lacks some of its days',
  none: 'has no report of this period in the archive yet',
};

/**
 * One period of one station: the request, its downloads, the plots and the reports.
 *
 * @param {import('../../requests/api-client.js').ApiClient} client
 * @param {(changes: Partial<import('../../state/url-state.js').State>) => void} change
 * @param {(error: unknown, again: () => void) => void} onError
 */
export function createPeriodView(client, change, onError) {
  const from = byId('from', HTMLInputElement);
  const to = byId('to', HTMLInputElement);
  const type = byId('type', HTMLSelectElement);
  const summary = byId('reports-summary', HTMLParagraphElement);
  const section = byId('reports-section', HTMLElement);
  const tabs = createSnippetTabs(byId('snippets', HTMLDivElement));
  const downloads = createDownloadView(client, onError);
  const plots = createPlots(byId('plots', HTMLDivElement));
  const reports = createReportsTable(
    byId('reports', HTMLTableSectionElement),
    byId('more-reports', HTMLButtonElement),
  );
  let shown = '';

  byId('period-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    to.setCustomValidity(from.value < to.value ? '' : 'The period must end after it starts.');
    if (to.reportValidity())
      change({ from: from.value, to: to.value, type: type.value, year: from.value.slice(0, 4) });
  });
  for (const input of [from, to]) input.addEventListener('input', () => to.setCustomValidity(''));
  byId('whole-year', HTMLButtonElement).addEventListener('click', () => {
    const year = Number(from.value.slice(0, 4));
    change({ from: `${year}-01-01`, to: `${year + 1}-01-01`, year: String(year) });
  });

  function clear() {
    shown = '';
    summary.textContent = '';
    plots.clear();
    reports.show([]);
    section.hidden = true;
  }

  return {
    /**
     * @param {import('../../state/url-state.js').State} state
     * @param {string} plan
     * @param {AbortSignal} signal
     */
    async show(state, plan, signal) {
      const request = observationRequest(state);
      [from.value, to.value, type.value] = [state.from, state.to, state.type];
      const key = JSON.stringify([request, plan]);
      if (shown === key) return;
      clear();
      downloads.show(request, plan);
      tabs.show(snippets(location.origin, request, plan, undefined));
      const { listed, isOnePage, count, coverage, drawing } = await read(client, request, state, signal);
      tabs.show(snippets(location.origin, request, plan, isOnePage));
      shown = key;
      section.hidden = count === 0;
      summary.textContent = summaryOf(state, count, listed.length, coverage);
      if (count > 0) plots.show(drawing);
      reports.show(listed);
    },
    forget: clear,
  };
}

/**
 * What is listed and drawn of the period: all its reports, or its days and the first page of its reports. NIL, which says
 * that there is no report, counts where all are listed alone.
 *
 * @param {import('../../requests/api-client.js').ApiClient} client
 * @param {import('../../state/observation-request.js').ObservationRequest} request
 * @param {import('../../state/url-state.js').State} state
 * @param {AbortSignal} signal
 */
async function read(client, request, { from, to }, signal) {
  const byDay = daysBetween(from, to) > DAYS_OF_REPORTS;
  /** @type {import('../../../../client/client.d.ts').Observation[]} */
  const listed = [];
  let [isOnePage, coverage] = [true, /** @type {keyof typeof COVERAGE} */ ('none')];
  for await (const { records, meta } of readPages(client, request, signal)) {
    listed.push(...records);
    coverage = meta.coverage.status;
    if (!meta.hasMore) break;
    isOnePage = false;
    if (byDay) break;
    showStatus(`Reading the period: ${listed.length.toLocaleString('en')} reports so far.`);
  }
  const found = { listed, isOnePage, coverage };
  const period = { byDay, from: Date.parse(from) / 1000, to: Date.parse(to) / 1000 };
  if (!byDay || listed.length === 0)
    return { ...found, count: listed.length, drawing: { series: toSeries(listed), ...period } };
  const days = await readDays(client, request, DAY_COLUMNS, signal);
  const count = isOnePage ? listed.length : days.reduce((sum, { n }) => sum + n, 0);
  return { ...found, count, drawing: { series: toDailySeries(days, DAY_COLUMNS), ...period } };
}

/**
 * @param {import('../../state/url-state.js').State} state
 * @param {number} count
 * @param {number} listed
 * @param {keyof typeof COVERAGE} coverage
 */
function summaryOf({ station, from, to, type }, count, listed, coverage) {
  if (count === 0) {
    const kind = type === 'all' ? '' : ` (${type.toUpperCase()} alone)`;
    return `${station} ${EMPTY[coverage]}: ${from} to ${to}${kind}.`;
  }
  const reports = `${count.toLocaleString('en')} ${count === 1 ? 'report' : 'reports'}`;
  const first = listed < count ? ` The first ${listed.toLocaleString('en')} are listed.` : '';
  return `${station}, ${from} to ${to}: ${reports}. Coverage: ${COVERAGE[coverage]}.${first}`;
}
