import { ProblemError } from '/assets/client/observations.js';
import { byId } from './element.js';
import { clearError, showError, showStatus } from './messages.js';
import { createApiClient } from './requests/api-client.js';
import { createCoverageCache } from './requests/coverage-cache.js';
import { latestRun } from './requests/latest-run.js';
import { sessionKey } from './requests/session-key.js';
import { defaultPeriod } from './state/default-period.js';
import { formatState, parseState } from './state/url-state.js';
import { createClimateView } from './views/climate/climate-view.js';
import { createDayView } from './views/days/day-view.js';
import { createKeyPanel } from './views/key-panel.js';
import { createPeriodView } from './views/period/period-view.js';
import { createStationView } from './views/station/station-view.js';
import { createWelcomeView } from './views/welcome-view.js';

// A control changes the state, the state goes into the address, and each view shows the state: it loads what it has not
// loaded yet.

const explorer = byId('explorer', HTMLDivElement);
const period = byId('period', HTMLDivElement);
const client = createApiClient(sessionKey.read, (seconds) =>
  showStatus(`The limit of the plan is reached: waiting ${seconds} s.`),
);
const coverage = createCoverageCache(client);
const welcome = createWelcomeView();
const keyPanel = createKeyPanel(() => {
  lock();
  void show();
});
const stationView = createStationView(client, coverage, change);
const dayView = createDayView(change);
const periodView = createPeriodView(client, change, onError);
const climateView = createClimateView(client, onError);
const run = latestRun(onError);

let state = parseState(location.hash);
addEventListener('hashchange', () => {
  // The link that skips to the content is no state.
  if (location.hash !== '' && !location.hash.includes('=')) return;
  state = parseState(location.hash);
  void show();
});
void show();

/** @param {Partial<import('./state/url-state.js').State>} changes */
function change(changes) {
  const before = formatState(state);
  state = { ...state, ...changes };
  // The back button of the browser returns to the view before.
  if (formatState(state) !== before) history.pushState(null, '', location.pathname + formatState(state));
  void show();
}

function show() {
  history.replaceState(null, '', location.pathname + formatState(state));
  clearError();
  return run(async (signal) => {
    if (sessionKey.read() === undefined) return welcome.show(state);
    showStatus('Loading.');
    const { plan, station, lastReport } = await stationView.show(state, signal);
    keyPanel.show(plan);
    explorer.hidden = false;
    welcome.hide();
    period.hidden = station === undefined;
    if (station !== undefined) await showStation(station, lastReport, plan, signal);
    showStatus('');
  });
}

/**
 * @param {string} station
 * @param {string | undefined} lastReport
 * @param {string} plan
 * @param {AbortSignal} signal
 */
async function showStation(station, lastReport, plan, signal) {
  const [covered] = await coverage.read([station], signal);
  if (covered === undefined) return;
  const shown = { ...state, station, ...defaultPeriod(covered, state, lastReport) };
  stationView.mark(station, shown.year);
  dayView.show(covered, shown);
  await periodView.show(shown, plan, signal);
  climateView.show(covered, lastReport);
}

/**
 * @param {unknown} error
 * @param {() => void} again
 */
function onError(error, again) {
  showError(error, again);
  if (error instanceof ProblemError && error.status === 401) lock();
}

/** Hides what was read with a key. */
function lock() {
  explorer.hidden = true;
  welcome.show(state);
  keyPanel.show(undefined);
  coverage.forget();
  stationView.forget();
  periodView.forget();
  climateView.forget();
}
