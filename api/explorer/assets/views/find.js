import { html, useMemo } from 'htm/preact/standalone';
import { AnswerState, Citations, Empty, isPhone, LongList, takeFocus } from '../elements.js';
import { countryName, formatCount, formatTime, plural, today } from '../format.js';
import { useParts } from '../load-parts.js';
import { formatAddress, STATION } from '../model/address.js';
import { useAnswer } from '../model/answers.js';
import { archiveNumbers, stationList, yearPeriod } from '../model/requests.js';
import { findStations, parsePoint } from '../model/stations.js';
import { HOME_LEAD, HOME_TITLE } from '../model/titles.js';
import { goTo, openStation } from '../navigation.js';

/** @import { ArchiveNumbers, Station } from '../declarations.ts' */

// The home page: the ways to a station, by search, map and list.

/** Where a station is and what the archive holds of it. @param {Station} station */
function stationNote({ distance, country, lastReport }) {
  const parts = [
    distance !== undefined && `${formatCount(distance)} km`,
    countryName(country),
    lastReport === undefined ? 'no report yet' : `to ${lastReport.slice(0, 10)}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** The nearest stations that the map zooms to. */
const NEAREST = 8;

/**
 * What the archive holds: in numbers, on a map and in a list, even without a key.
 * @param {{ text: string, isFocused: boolean, keyForm: unknown }} props `text` is searched for
 */
export function Home({ text, isFocused, keyForm }) {
  const numbers = useAnswer(archiveNumbers);
  const list = useAnswer(stationList);
  const stations = list.data ?? [];
  const parts = useParts(!list.isLoading);
  const point = parsePoint(text);
  const found = useMemo(() => findStations(stations, text), [list.data, text]);
  const onMap = point === undefined ? found : found.slice(0, NEAREST);
  /** @param {Event} event */
  const search = (event) => {
    // One step back leads to the page before the search, not to the previous letter.
    goTo(formatAddress({ q: /** @type {HTMLInputElement} */ (event.currentTarget).value }), text !== '');
  };
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    if (text !== '' && found[0] !== undefined) openStation(found[0].station);
  };
  return html`<div class="home">
    <h1>${HOME_TITLE}</h1>
    <p class="lead">${HOME_LEAD}</p>
    <${AnswerState} answer=${numbers} height=${isPhone() ? 132 : 90}>
      <dl class="numbers">${numbers.data && figuresOf(numbers.data).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
    <//>
    ${keyForm}
    <form class="home-search" role="search" onSubmit=${submit}>
      <input type="search" aria-label="Find a station" placeholder="Code, name, country or position" maxlength="64" value=${text} autocomplete="off" spellcheck=${false} ref=${isFocused && takeFocus} onInput=${search} />
    </form>
    <${AnswerState} answer=${list} height=${720}>
      <div class="map">${parts.data && html`<${parts.data.StationMap} stations=${stations} found=${found.length === 0 ? stations : onMap} center=${point} onPick=${openStation} />`}</div>
      <p class="sentence" role="status">${summary(found.length, text, point !== undefined)}</p>
      ${found.length === 0 && text !== '' && notFound(text.trim().toUpperCase())}
      <${LongList} key=${text} style="station-list" items=${found} noun="station" row=${stationLink} />
    <//>
    <${Citations} />
  </div>`;
}

/** @param {Station} station */
const stationLink = (station) => html`<li><a href=${`/?station=${station.station}`}>
  <b>${station.station}</b> ${station.name} <span class="muted">${stationNote(station)}</span></a></li>`;

/** @param {ArchiveNumbers} numbers */
function figuresOf({ stations, reports, firstYear, lastYear, newestReport }) {
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

/** @param {string} code */
function notFound(code) {
  const title = 'The archive knows only stations that were loaded or listed.';
  return STATION.test(code)
    ? html`<${Empty} title=${title} ...${yearPeriod(code, today().slice(0, 4))} />`
    : html`<p class="empty">${title}</p>`;
}
