import * as d3 from 'd3';
import { html, useEffect, useMemo, useRef } from 'htm/preact/standalone';
import { AnswerState, Citations, moveFocus } from './elements.js';
import { entriesOf, timesOf } from './model/address.js';
import { useAnswers } from './model/answers.js';
import { dailyValues, stationDescription, wholeRecord } from './model/requests.js';
import { describeYear, FIRST_YEAR, fullness } from './model/stations.js';
import { toDay } from './model/statistics.js';
import { change } from './navigation.js';
import { Climate } from './views/climate.js';
import { periodOf, Recent, Reports } from './views/period.js';
import { Year } from './views/year.js';

/** @import { Address, Answer, Coverage, Daily, Entry, Station } from './declarations.ts' */

// The parts that d3 draws, and those below them. They are loaded after the first screen, which is a fifth of their size.

export { StationMap } from './charts/map.js';

/**
 * The sections after the newest report of a station, from its last days to all its years.
 * @param {{ address: Address, station: Station, covered: Answer<readonly Coverage[]> }} props
 */
export function StationParts({ address, station, covered }) {
  const { day, year } = timesOf(address, station.lastReport);
  const daily = useDaily(entriesOf(address, year), station);
  const coverage = covered.data?.[0];
  const period = periodOf(address.span, day, station);
  return html`
    ${daily.map(({ entry, period: known, answer }) => known === undefined && answer?.data !== undefined && html`<p class="error" role="alert">The archive holds no report of ${entry.label}.</p>`)}
    <${Recent} address=${address} station=${station} day=${day} period=${period} daily=${daily} coverage=${coverage} />
    <${CoverageStrip} coverage=${coverage} year=${year} answer=${covered} />
    <${Year} address=${address} year=${year} coverage=${coverage} daily=${daily} />
    <${Climate} daily=${daily} year=${year} />
    <${Reports} address=${address} period=${period} />
    ${coverage && html`<${Citations} sources=${coverage.years.flatMap(({ sources = [] }) => sources)} />`}`;
}

/**
 * The daily values of each entry's whole record: one request per station, whichever years are shown. If there is none,
 * the answer is the one that describes the station.
 * @param {readonly Entry[]} entries
 * @param {Station} main
 * @returns {readonly Daily[]}
 */
function useDaily(entries, main) {
  const described = useAnswers(
    entries.map(({ station }) => (station === main.station ? undefined : stationDescription(station))),
  );
  const periods = entries.map(({ station }, at) =>
    wholeRecord(station === main.station ? main : described[at]?.data?.[0]),
  );
  const asks = periods.map((period) => period && dailyValues(period));
  const answers = useAnswers(asks);
  const rows = answers.map(({ data = [] }) => data);
  const days = useMemo(() => rows.map((each) => each.map(toDay)), rows);
  return entries.map((entry, at) => ({
    entry,
    period: periods[at],
    ask: asks[at],
    answer: periods[at] === undefined ? described[at] : answers[at],
    points: days[at] ?? [],
  }));
}

/**
 * How full of days with reports each year is, as a strip for choosing the year.
 * @param {{ coverage: Coverage | undefined, year: string, answer: Answer }} props
 */
function CoverageStrip({ coverage, year, answer }) {
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    // On a phone, the chosen year is in view.
    const chosen = list.current?.querySelector('[aria-pressed="true"]')?.parentElement;
    if (chosen) list.current?.scrollTo(chosen.offsetLeft - list.current.clientWidth / 2, 0);
  }, [year, coverage]);
  /** @param {KeyboardEvent} event */
  const press = (event) => moveFocus(event, { ArrowLeft: -1, ArrowRight: 1 });
  const all = d3.range(FIRST_YEAR, new Date().getUTCFullYear() + 1);
  const stop = all.includes(Number(year)) ? Number(year) : all.at(-1);
  const years = all.map((each) => {
    const share = coverage ? fullness(coverage, each) : 0;
    const text = `${each}: ${coverage ? describeYear(coverage, each) : ''}`;
    return html`<li><button type="button" tabindex=${each === stop ? 0 : -1} aria-pressed=${String(each) === year} aria-label=${text} title=${text} onClick=${() => change({ year: String(each), years: [] })}>
      <i style=${{ '--share': `${share === 0 ? 0 : Math.max(8, share * 100)}%` }}></i>${each}</button></li>`;
  });
  return html`<nav class="years" aria-label="Years">
    <${AnswerState} answer=${answer} height=${46}><ul ref=${list} onKeyDown=${press}>${years}</ul><//>
  </nav>`;
}
