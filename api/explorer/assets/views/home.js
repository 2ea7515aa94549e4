import { html, useMemo, useState } from '/assets/htm/preact.js';
import { StationMap } from '../charts/map.js';
import { AnswerState } from '../elements/answer-state.js';
import { countryName, formatCount, formatTime, plural } from '../format.js';
import { formatAddress } from '../model/address.js';
import { useAnswer } from '../model/answers.js';
import { findStations, parsePoint } from '../model/finding.js';
import { archiveNumbers, stationList } from '../model/requests.js';
import { change, goTo } from '../navigation.js';
import { HowToLoad } from './recent.js';

/** @typedef {import('../model/requests.js').ListedStation} ListedStation */

const ROWS = 12;

/** What the archive holds: in numbers, on a map and in a list, even without a key. @param {{ address: import('../model/address.js').Address, keyForm: unknown }} props */
export function Home({ address, keyForm }) {
  /** @type {import('../model/answers.js').Answer<{ stations: number, reports: number, firstYear?: number, lastYear?: number, newestReport?: string }>} */
  const numbers = useAnswer(archiveNumbers);
  /** @type {import('../model/answers.js').Answer<readonly ListedStation[]>} */
  const list = useAnswer(stationList);
  const [rows, setRows] = useState(ROWS);
  const stations = list.data ?? [];
  const text = address.q || address.near;
  const point = parsePoint(text);
  const found = useMemo(() => findStations(stations, text), [stations, text]);
  const { data } = numbers;
  const facts = data && [
    ['Stations', formatCount(data.stations)],
    ['Reports', formatCount(data.reports)],
    [
      'Years',
      data.firstYear === undefined
        ? '–'
        : data.firstYear === data.lastYear
          ? data.firstYear
          : `${data.firstYear}–${data.lastYear}`,
    ],
    ['Newest report', data.newestReport === undefined ? '–' : `${formatTime(data.newestReport)} UTC`],
  ];
  /** @param {string} station */
  const open = (station) => {
    goTo(formatAddress({ station }));
    scrollTo(0, 0);
  };
  return html`<div class="home">
    <h1>Every METAR and SPECI since 2005, raw and decoded</h1>
    <p class="lead">An archive of aerodrome weather reports that says of every answer how complete it is. Choose a station: by its code, name or country, or on the map.</p>
    <${AnswerState} answer=${numbers} height=${62}>
      <dl class="numbers">${facts?.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    <//>
    ${keyForm}
    <form class="home-search" role="search" onSubmit=${(/** @type {Event} */ event) => {
      event.preventDefault();
      const first = found[0];
      if (text !== '' && first !== undefined) open(first.station);
    }}>
      <input type="search" aria-label="Find a station" placeholder="Code, name, country or position, as in CYYZ, Oslo, Norway, 43.7 -79.6" maxlength="64" value=${text} autocomplete="off" spellcheck="false"
        onInput=${(/** @type {Event} */ event) => {
          const q = /** @type {HTMLInputElement} */ (event.currentTarget).value;
          // One step back leads to the page before the search, not to the previous letter.
          if (address.q === '' && address.near === '') change({ q });
          else history.replaceState(null, '', formatAddress({ q }));
          setRows(ROWS);
          dispatchEvent(new PopStateEvent('popstate'));
        }} />
    </form>
    <${AnswerState} answer=${list} height=${560}>
      <${StationMap} stations=${stations} found=${found.length === 0 ? stations : point === undefined ? found : found.slice(0, 8)} center=${point} onPick=${open} />
      <p class="sentence" role="status">${summary(found.length, text, point !== undefined)}</p>
      ${found.length === 0 && text !== '' && html`<${NotFound} text=${text} />`}
      <ul class="station-list">
        ${found.slice(0, rows).map(
          ({
            station,
            name,
            country,
            lastReport,
            distance,
          }) => html`<li key=${station}><a href=${`/?station=${station}`}>
          <b>${station}</b> <span class="name">${name}</span>
          <span class="muted">${[distance === undefined ? undefined : `${Math.round(distance)} km`, countryName(country), lastReport === undefined ? 'no report yet' : `to ${lastReport.slice(0, 10)}`].filter((part) => part !== undefined).join(' · ')}</span></a></li>`,
        )}
      </ul>
      ${rows < found.length && html`<button type="button" onClick=${() => setRows(rows + 4 * ROWS)}>Show more: ${plural(found.length - rows, 'station')} left</button>`}
    <//>
  </div>`;
}

/** @param {number} count @param {string} text @param {boolean} isByDistance */
function summary(count, text, isByDistance) {
  if (count === 0) return text === '' ? 'The archive knows no station yet.' : `No station matches “${text}”.`;
  if (isByDistance) return `${plural(count, 'station')}, the nearest first.`;
  return text === ''
    ? `${plural(count, 'station')}. Drag and zoom the map; a click finds the nearest.`
    : `${plural(count, 'station')} match${count === 1 ? 'es' : ''} “${text}”.`;
}

/** @param {{ text: string }} props */
function NotFound({ text }) {
  const code = text.trim().toUpperCase();
  const year = new Date().getUTCFullYear();
  return html`<div class="empty">
    <p>The archive knows only stations that were loaded or listed.</p>
    ${/^[A-Z][A-Z0-9]{3}$/.test(code) && html`<${HowToLoad} station=${code} from=${`${year}-01-01`} to=${`${year + 1}-01-01`} />`}
  </div>`;
}
