import { byId, element } from '../element.js';
import { showStatus } from '../messages.js';
import { latestRun } from '../requests/latest-run.js';
import { observationRequest } from '../state/observation-request.js';
import { download } from './downloads.js';
import { createPlots } from './plots.js';
import { createReportsTable } from './reports-table.js';
import { createSnippetTabs } from './snippet-tabs.js';
import { snippets } from './snippets.js';

/** Reports that are plotted and listed at most; a download has all. */
const SHOWN_REPORTS = 5000;

const FORMATS = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet', arrow: 'Arrow' };

/**
 * One period of one station: the request, its downloads, the plots and the reports.
 *
 * @param {import('../requests/api-client.js').ApiClient} client
 * @param {(changes: Partial<import('../state/url-state.js').State>) => void} change
 * @param {(error: unknown) => void} onError
 */
export function createPeriodView(client, change, onError) {
  const from = byId('from', HTMLInputElement);
  const to = byId('to', HTMLInputElement);
  const type = byId('type', HTMLSelectElement);
  const summary = byId('reports-summary', HTMLParagraphElement);
  const tabs = createSnippetTabs(byId('snippets', HTMLDivElement));
  const plots = createPlots(byId('plots', HTMLDivElement));
  const reports = createReportsTable(
    byId('reports', HTMLTableSectionElement),
    byId('more-reports', HTMLButtonElement),
  );
  /** @type {import('../state/observation-request.js').ObservationRequest | undefined} */
  let request;
  let plan = '';
  let shown = '';

  byId('period-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    to.setCustomValidity(from.value < to.value ? '' : 'The period must end after it starts.');
    if (to.reportValidity())
      change({ from: from.value, to: to.value, type: type.value, year: from.value.slice(0, 4) });
  });
  to.addEventListener('input', () => to.setCustomValidity(''));
  byId('whole-year', HTMLButtonElement).addEventListener('click', () => {
    const year = Number(from.value.slice(0, 4));
    change({ from: `${year}-01-01`, to: `${year + 1}-01-01`, year: String(year) });
  });

  const run = latestRun(onError);
  byId('downloads', HTMLDivElement).replaceChildren(
    ...Object.entries(FORMATS).map(([format, name]) => {
      const button = element('button', { type: 'button', 'data-format': format }, name);
      button.addEventListener('click', () =>
        run(async (signal) => {
          if (request === undefined) return;
          showStatus(`Downloading ${name}.`);
          const files = await download(client, request, format, plan, signal);
          showStatus(files === 1 ? `${name} is downloaded.` : `${name} is downloaded in ${files} files.`);
        }),
      );
      return button;
    }),
  );

  return {
    /**
     * @param {import('../state/url-state.js').State} state
     * @param {string} planOfKey
     * @param {AbortSignal} signal
     */
    async show(state, planOfKey, signal) {
      plan = planOfKey;
      request = observationRequest(state);
      [from.value, to.value, type.value] = [state.from, state.to, state.type];
      tabs.show(snippets(location.origin, request));
      const key = JSON.stringify(request);
      if (shown === key) return;
      const parameters = { ...request, limit: SHOWN_REPORTS };
      const response = await client.send('/v1/history/observations', parameters, signal);
      /** @type {{ data: import('../../../client/client.d.ts').Observation[], meta: { hasMore: boolean, coverage: { status: string } } }} */
      const { data, meta } = await response.json();
      shown = key;
      summary.textContent = summaryOf(state, data.length, meta);
      plots.show(data);
      reports.show(data);
    },
    forget() {
      shown = '';
      plots.clear();
      reports.show([]);
    },
  };
}

/**
 * @param {import('../state/url-state.js').State} state
 * @param {number} reports
 * @param {{ hasMore: boolean, coverage: { status: string } }} meta
 */
function summaryOf({ station, from, to }, reports, { hasMore, coverage }) {
  const period = `${station}, ${from} to ${to}`;
  const count = hasMore
    ? `the first ${reports.toLocaleString('en')} reports are shown, a download has all`
    : `${reports.toLocaleString('en')} reports`;
  return `${period}: ${count}. Coverage: ${coverage.status}.`;
}
