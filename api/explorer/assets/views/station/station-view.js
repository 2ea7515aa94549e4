import { byId, element } from '../../element.js';
import { countries, countryName } from '../../state/countries.js';
import { stationSearch } from '../../state/station-search.js';
import { addDays } from '../../state/utc-day.js';
import { createStationMap } from './station-map.js';
import { createStationTable } from './station-table.js';

/** Stations in the map, and in the list before "Show more stations". */
const MAP_STATIONS = 1000;
const ROWS = 25;
/** A station that has reported this long before the newest report of all still reports. */
const CURRENT_DAYS = 3;

/**
 * The search, the list with its heat map, and the map.
 *
 * @param {import('../../requests/api-client.js').ApiClient} client
 * @param {ReturnType<typeof import('../../requests/coverage-cache.js').createCoverageCache>} coverage
 * @param {(changes: Partial<import('../../state/url-state.js').State>) => void} change
 */
export function createStationView(client, coverage, change) {
  const q = byId('q', HTMLInputElement);
  const country = byId('country', HTMLSelectElement);
  const more = byId('more-stations', HTMLButtonElement);
  country.append(...countries().map(({ code, name }) => element('option', { value: code }, name)));
  byId('search-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    change({ q: q.value.trim(), country: country.value, station: '', year: '', from: '', to: '' });
  });

  /** @param {string} station @param {string} [year] */
  const pick = (station, year = '') => change({ station, year, from: '', to: '' });
  const table = createStationTable(byId('stations', HTMLTableElement), pick);
  const map = createStationMap(/** @type {any} */ (document.getElementById('map')), pick);
  more.addEventListener('click', () => {
    rows += ROWS;
    change({});
  });

  /** @type {readonly import('./station-table.js').Station[]} */
  let found = [];
  let rows = ROWS;
  let plan = '';
  /** @type {string | undefined} */
  let search;

  return {
    /**
     * @param {import('../../state/url-state.js').State} state
     * @param {AbortSignal} signal
     * @returns {Promise<{ plan: string, station: string | undefined, lastReport: string | undefined }>} the chosen
     *   station, or else the first one that still reports
     */
    async show(state, signal) {
      const next = JSON.stringify([state.q, state.country]);
      if (search !== next) {
        q.value = state.q;
        country.value = state.country;
        const asked = stationSearch(state.q);
        const parameters = { ...asked, country: state.country, limit: MAP_STATIONS };
        const response = await client.send('/v1/history/stations', parameters, signal);
        const { data, meta } = await response.json();
        [found, plan, search, rows] = [data.map(withCountryName), meta.rateLimit.plan, next, ROWS];
        byId('stations-summary', HTMLParagraphElement).textContent = summary(
          found.length,
          meta.hasMore,
          'near' in asked,
        );
        byId('map-caption', HTMLElement).textContent = mapCaption(found, meta.hasMore);
        map.show(found);
      }
      const shown =
        state.station === ''
          ? firstCurrent(found.slice(0, rows))
          : found.find(({ station }) => station === state.station);
      const station = state.station || shown?.station;
      const listed = found.slice(0, rows);
      table.show(listed);
      more.hidden = rows >= found.length;
      const codes = listed.map((each) => each.station);
      table.showCoverage(await coverage.read(codes, signal));
      return { plan, station, lastReport: shown?.lastReport };
    },
    /**
     * @param {string} station
     * @param {string} year
     */
    mark(station, year) {
      table.mark(station, year);
      map.mark(station);
    },
    forget() {
      search = undefined;
      table.show([]);
      map.show([]);
    },
  };
}

/**
 * The first station whose newest report is among the newest of all: one that closed years ago shows little.
 *
 * @param {readonly import('./station-table.js').Station[]} stations
 */
function firstCurrent(stations) {
  const newest =
    stations
      .map(({ lastReport = '' }) => lastReport)
      .sort()
      .at(-1) ?? '';
  const since = newest === '' ? '' : addDays(newest.slice(0, 10), -CURRENT_DAYS);
  return stations.find(({ lastReport = '' }) => lastReport >= since);
}

/** @param {import('./station-table.js').Station} station */
function withCountryName({ country, ...station }) {
  return country === undefined ? station : { ...station, country: countryName(country) };
}

/**
 * @param {number} stations
 * @param {boolean} hasMore
 * @param {boolean} isByDistance
 */
function summary(stations, hasMore, isByDistance) {
  if (stations === 0) return 'No station matches.';
  const count = `${stations.toLocaleString('en')} ${stations === 1 ? 'station' : 'stations'}`;
  if (isByDistance) return `${hasMore ? 'The first ' : ''}${count} by distance. Pick a station or a year.`;
  if (hasMore) return `The first ${count} by code: search to see others.`;
  return `${count}. Pick a station or a year.`;
}

/**
 * @param {readonly import('./station-table.js').Station[]} stations
 * @param {boolean} hasMore
 */
function mapCaption(stations, hasMore) {
  const without = stations.filter(({ latitude }) => latitude === undefined).length;
  const missing = without === 0 ? '' : ` ${without.toLocaleString('en')} have no known position.`;
  return `${hasMore ? 'Stations in the list.' : 'The stations that were found.'}${missing}`;
}
