import { html, useMemo } from 'htm/preact/standalone';
import { AnswerState, Citations, Empty, LongList, takeFocus } from '../elements.ts';
import { countryName, formatCount, formatTime, plural, today } from '../format.ts';
import { formatAddress, STATION } from '../model/address.ts';
import { useAnswer, useModule } from '../model/answers.ts';
import * as requests from '../model/requests.ts';
import { findStations, HOME_LEAD, HOME_TITLE, parsePoint } from '../model/stations.ts';
import { goTo, openStation } from '../navigation.ts';

/** Where a station is and what the archive holds of it. */
function stationNote({ distance_km: distance, country, lastReport }: requests.Station) {
  const parts = [
    distance !== undefined && `${formatCount(distance)} km`,
    countryName(country),
    lastReport === undefined ? 'no report yet' : `to ${lastReport.slice(0, 10)}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

const FIRST_LOAD = {
  title: 'The archive is empty.',
  how: 'The operator loads reports with this command, in which the stations and days are examples:',
  station: 'KJFK,EGLL',
  from: '2024-01-01',
  to: '2024-02-01',
};

/** How many of the nearest stations the map zooms to. */
const NEAREST = 8;

/** What the archive holds, in numbers, on a map and in a list: it needs no key. `text` is what the user searches for. */
export function Home({ text, isFocused, keyForm }: { text: string; isFocused: boolean; keyForm: unknown }) {
  const numbers = useAnswer(requests.archiveNumbers);
  const { newestReport } = numbers.data ?? {};
  const list = useAnswer(requests.stationList);
  const stations = list.data ?? [];
  const map = useModule('map', () => import('../charts/map.ts'), !list.isLoading);
  const point = parsePoint(text);
  const found = useMemo(() => findStations(stations, text), [list.data, text]);
  const onMap = point === undefined ? found : found.slice(0, NEAREST);
  const search = (event: Event) => {
    // One step back leads to the page before the search, not to the previous letter.
    goTo(formatAddress({ q: (event.currentTarget as HTMLInputElement).value }), text !== '');
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (text !== '' && found[0] !== undefined) openStation(found[0].station);
  };
  return html`<div class="home">
    <h1>${numbers.data ? headlineOf(numbers.data) : HOME_TITLE} <small>${newestReport && `the newest of ${formatTime(newestReport)} UTC`}</small></h1>
    <p class="lead">${HOME_LEAD}</p>
    ${keyForm}
    ${list.data?.length === 0 && html`<${Empty} isUnknown=${true} ...${FIRST_LOAD} />`}
    <form class="home-search" role="search" onSubmit=${submit}>
      <input type="search" aria-label="Find a station" placeholder="Code, name, country or position" maxlength="64" value=${text} autocomplete="off" spellcheck=${false} ref=${isFocused && takeFocus} onInput=${search} />
    </form>
    <${AnswerState} answer=${list} height=${720}>
      <div class="map">${map.data && html`<${map.data.StationMap} stations=${stations} found=${found.length === 0 ? stations : onMap} center=${point} onPick=${openStation} />`}</div>
      <p class="sentence" role="status">${summary(found.length, text, point !== undefined)}</p>
      ${found.length === 0 && text !== '' && notFound(text.trim().toUpperCase())}
      <${LongList} key=${text} style="station-list" items=${found} noun="station" row=${stationLink} />
    <//>
    <${Citations} />
  </div>`;
}

const stationLink = (station: requests.Station) => html`<li><a href=${`/?station=${station.station}`}>
  <b>${station.station}</b> ${station.name} <span class="muted">${stationNote(station)}</span></a></li>`;

function headlineOf({ stations, reports, firstYear, lastYear }: requests.ArchiveNumbers) {
  if (firstYear === undefined) return HOME_TITLE;
  const years = firstYear === lastYear ? firstYear : `${firstYear} to ${lastYear}`;
  return `${plural(reports, 'report')} of ${plural(stations, 'station')}, ${years}`;
}

function summary(count: number, text: string, isByDistance: boolean) {
  if (count === 0) return text === '' ? 'The archive knows no station yet.' : `No station matches “${text}”.`;
  if (isByDistance) return `${plural(count, 'station')}, the nearest first.`;
  return text === ''
    ? `${plural(count, 'station')}. Drag and zoom the map; a click finds the nearest.`
    : `${plural(count, 'station')} match${count === 1 ? 'es' : ''} “${text}”.`;
}

function notFound(code: string) {
  const title = 'The archive knows only stations that were loaded or listed.';
  return STATION.test(code)
    ? html`<${Empty} isUnknown=${true} title=${title} ...${requests.yearPeriod(code, today().slice(0, 4))} />`
    : html`<p class="empty">${title}</p>`;
}
