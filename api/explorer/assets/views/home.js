import { html, useMemo, useState } from '/assets/htm/preact.js';
import { StationMap } from '../charts/map.js';
import { AnswerState } from '../elements/section.js';
import { formatCount, formatTime, plural } from '../format.js';
import { formatAddress, STATION } from '../model/address.js';
import { useAnswer } from '../model/answers.js';
import { archiveNumbers, stationList } from '../model/requests.js';
import { findStations, parsePoint } from '../model/stations.js';
import { goTo, openStation } from '../navigation.js';
import { stationNote } from './header.js';
import { Empty } from './recent.js';

/** @import { Address, ArchiveNumbers } from '../declarations.ts' */

const ROWS = 12;
/** The nearest stations that the map zooms to. */
const NEAREST = 8;

/**
 * What the archive holds: in numbers, on a map and in a list, even without a key.
 * @param {{ address: Address, keyForm: unknown }} props
 */
export function Home({ address, keyForm }) {
  const numbers = useAnswer(archiveNumbers);
  const list = useAnswer(stationList);
  const [rows, setRows] = useState(ROWS);
  const stations = list.data ?? [];
  const text = address.q;
  const point = parsePoint(text);
  const found = useMemo(() => findStations(stations, text), [list.data, text]);
  const onMap = point === undefined ? found : found.slice(0, NEAREST);
  /** @param {Event} event */
  const search = (event) => {
    const q = /** @type {HTMLInputElement} */ (event.currentTarget).value;
    // One step back leads to the page before the search, not to the previous letter.
    goTo(formatAddress({ q }), text !== '');
    setRows(ROWS);
  };
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (text !== '' && found[0] !== undefined) openStation(found[0].station);
  };
  return html`<div class="home">
    <h1>Every METAR and SPECI since 2005, raw and decoded</h1>
    <p class="lead">An archive of aerodrome weather reports that says of every answer how complete it is. Choose a station: by its code, name or country, or on the map.</p>
    <${AnswerState} answer=${numbers} height=${62}>
      <dl class="numbers">${numbers.data && factsOf(numbers.data).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    <//>
    ${keyForm}
    <form class="home-search" role="search" onSubmit=${submit}>
      <input type="search" aria-label="Find a station" placeholder="Code, name, country or position, as in CYYZ, Oslo, Norway, 43.7 -79.6" maxlength="64" value=${text} autocomplete="off" spellcheck="false" onInput=${search} />
    </form>
    <${AnswerState} answer=${list} height=${560}>
      <${StationMap} stations=${stations} found=${found.length === 0 ? stations : onMap} center=${point} onPick=${openStation} />
      <p class="sentence" role="status">${summary(found.length, text, point !== undefined)}</p>
      ${found.length === 0 && text !== '' && html`<${NotFound} text=${text} />`}
      <ul class="station-list">
        ${found.slice(0, rows).map(
          (station) => html`<li key=${station.station}><a href=${`/?station=${station.station}`}>
          <b>${station.station}</b> ${station.name} <span class="muted">${stationNote(station)}</span></a></li>`,
        )}
      </ul>
      ${rows < found.length && html`<button type="button" onClick=${() => setRows(rows + 4 * ROWS)}>Show more: ${plural(found.length - rows, 'station')} left</button>`}
    <//>
  </div>`;
}

/** @param {ArchiveNumbers} numbers */
function factsOf({ stations, reports, firstYear, lastYear, newestReport }) {
  const years = firstYear === lastYear ? (firstYear ?? '–') : `${firstYear}–${lastYear}`;
  return [
    ['Stations', formatCount(stations)],
    ['Reports', formatCount(reports)],
    ['Years', years],
    ['Newest report', newestReport === undefined ? '–' : `${formatTime(newestReport)} UTC`],
  ];
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
  const title = 'The archive knows only stations that were loaded or listed.';
  return STATION.test(code)
    ? html`<${Empty} title=${title} station=${code} from=${`${year}-01-01`} to=${`${year + 1}-01-01`} />`
    : html`<p class="empty">${title}</p>`;
}
