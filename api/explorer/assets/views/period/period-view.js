import { byId } from '../../element.js';
import { showStatus } from '../../messages.js';
import { readPeriod } from '../../requests/read-period.js';
import { createDailySeries } from '../../state/daily-series.js';
import { observationRequest } from '../../state/observation-request.js';
import { toSeries } from '../../state/series.js';
import { daysBetween } from '../../state/utc-day.js';
import { createDownloadView } from '../download/download-view.js';
import { createSnippetTabs } from '../download/snippet-tabs.js';
import { snippetNotes, snippets } from '../download/snippets.js';
import { createPlots } from './plots.js';
import { createReportsTable } from './reports-table.js';

/** Longer periods are drawn by day. */
const DAYS_OF_REPORTS = 31;

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
      tabs.show(snippets(location.origin, request, plan), snippetNotes(plan));
      downloads.show(request, plan);
      const key = JSON.stringify(request);
      if (shown === key) return;
      clear();
      const { listed, count, coverage, drawing } = await read(client, request, state, signal);
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
 * All reports of the period: those of the first page, which are listed, and all of them as plots.
 *
 * @param {import('../../requests/api-client.js').ApiClient} client
 * @param {import('../../state/observation-request.js').ObservationRequest} request
 * @param {import('../../state/url-state.js').State} state
 * @param {AbortSignal} signal
 */
async function read(client, request, { from, to }, signal) {
  const byDay = daysBetween(from, to) > DAYS_OF_REPORTS;
  const daily = createDailySeries();
  /** @type {import('../../../../client/client.d.ts').Observation[]} */
  const kept = [];
  let [count, coverage, listed] = [0, /** @type {keyof typeof COVERAGE} */ ('none'), kept];
  for await (const { records, meta } of readPeriod(client, request, signal)) {
    if (byDay) daily.add(records);
    if (!byDay || count === 0) kept.push(...records);
    count += records.length;
    coverage = meta.coverage.status;
    if (meta.hasMore) showStatus(`Reading the period: ${count.toLocaleString('en')} reports so far.`);
  }
  const period = { byDay, from: Date.parse(from) / 1000, to: Date.parse(to) / 1000 };
  const series = byDay ? daily.series(from, to) : toSeries(kept);
  return { listed, count, coverage, drawing: { series, ...period } };
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
