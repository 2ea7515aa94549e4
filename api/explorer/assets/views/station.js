import { html, useMemo } from '/assets/htm/preact.js';
import { isPhone } from '../charts/chart.js';
import { AnswerState } from '../elements/section.js';
import { addYears, today } from '../format.js';
import { entriesOf } from '../model/address.js';
import { useAnswer, useAnswers } from '../model/answers.js';
import { toDay } from '../model/days.js';
import { coverageOf, dailyValues, newestReport, stationDescription, wholeRecord } from '../model/requests.js';
import { coverageSentence, describeYear, FIRST_YEAR, shareDone } from '../model/stations.js';
import { change } from '../navigation.js';
import { Climate } from './climate.js';
import { Now, StationHead } from './now.js';
import { Empty, periodOf, Recent } from './recent.js';
import { Reports } from './reports.js';
import { Year } from './year.js';

/** @import { Address, Answer, Coverage, Daily, Entry, Station } from '../declarations.ts' */

/**
 * One station, from now to all its years.
 * @param {{ address: Address, described: Answer<readonly Station[]> }} props
 */
export function StationPage({ address, described }) {
  const station = described.data?.[0];
  return html`<${AnswerState} answer=${described} height=${640}>
    ${station?.lastReport === undefined ? html`<${Unknown} code=${address.station} station=${station} />` : html`<${KnownStation} key=${address.station} address=${address} station=${station} />`}
  <//>`;
}

/** What the archive does not hold. @param {{ code: string, station: Station | undefined }} props */
function Unknown({ code, station }) {
  const year = new Date().getUTCFullYear();
  const title = html`<strong>The archive holds no report of ${code}.</strong> ${station === undefined && 'No source that was read lists this code, either.'}`;
  return html`<h1 class="unknown-station">${code} ${station?.name}</h1>
    <${Empty} title=${title} station=${code} from=${`${year}-01-01`} to=${`${year + 1}-01-01`}>
      <p><a href="/">All stations of the archive</a></p>
    <//>`;
}

/** @param {{ address: Address, station: Station }} props */
function KnownStation({ address, station }) {
  const { lastReport = '', firstReport = '' } = station;
  const chosen = address.day === '' ? lastReport.slice(0, 10) : address.day;
  const year = address.year === '' ? chosen.slice(0, 4) : address.year;
  // Compared years use their own days.
  const day =
    address.years.length === 0 ? chosen : addYears(chosen, Number(year) - Number(chosen.slice(0, 4)));
  const entries = entriesOf(address, year);
  const stations = useStations(entries, station);
  const daily = useDaily(entries, stations);
  const newest = useAnswer(newestReport(station.station, lastReport));
  const covered = useAnswer(coverageOf(station.station));
  const coverage = covered.data?.[0];
  const report = newest.data?.at(-1);
  const period = { ...periodOf(address.span, day, firstReport), station: station.station };
  return html`
    <${StationHead} address=${address} station=${station} entries=${entries} year=${year} />
    <${AnswerState} answer=${newest} height=${isPhone() ? 158 : 108}>
      ${report && html`<${Now} report=${report} coverage=${coverage && coverageSentence(coverage, today())} />`}
    <//>
    <${Recent} address=${address} station=${station} day=${day} period=${period} entries=${entries} daily=${daily} />
    <${CoverageStrip} coverage=${coverage} year=${year} answer=${covered} />
    <${Year} address=${address} station=${station} year=${year} coverage=${coverage} entries=${entries} daily=${daily} />
    <${Climate} stations=${stations} entries=${entries} year=${year} />
    <${Reports} span=${address.span} period=${period} />`;
}

/** The descriptions of the entries' stations. @param {readonly Entry[]} entries @param {Station} main */
function useStations(entries, main) {
  const described = useAnswers(
    entries.map(({ station }) => (station === main.station ? undefined : stationDescription(station))),
  );
  return entries.map(({ station }, at) => (station === main.station ? main : described[at]?.data?.[0]));
}

/**
 * The daily values of each entry's whole record: one request per station, whichever years are shown.
 *
 * @param {readonly Entry[]} entries
 * @param {readonly (Station | undefined)[]} stations
 * @returns {readonly Daily[]}
 */
function useDaily(entries, stations) {
  const periods = stations.map(wholeRecord);
  const asks = periods.map((period) => period && dailyValues(period));
  const answers = useAnswers(asks);
  const rows = answers.map(({ data = [] }) => data);
  const days = useMemo(() => rows.map((each) => each.map(toDay)), rows);
  return entries.map((entry, at) => ({
    entry,
    period: periods[at],
    ask: asks[at],
    answer: answers[at],
    days: days[at] ?? [],
  }));
}

/**
 * How complete each year is, as a strip for choosing the year.
 * @param {{ coverage: Coverage | undefined, year: string, answer: Answer }} props
 */
function CoverageStrip({ coverage, year, answer }) {
  const count = new Date().getUTCFullYear() - FIRST_YEAR + 1;
  const years = Array.from({ length: count }, (_, at) => FIRST_YEAR + at).map((each) => {
    const held = coverage?.years.find((row) => row.year === each);
    const share = shareDone(held);
    const text = `${each}: ${describeYear(held)}`;
    return html`<li><button type="button" aria-pressed=${String(each) === year} aria-label=${text} title=${text} onClick=${() => change({ year: String(each), years: [] })}>
      <i style=${{ '--share': `${share === 0 ? 0 : Math.max(8, share * 100)}%` }}></i>${each}</button></li>`;
  });
  return html`<nav class="years" aria-label="Years">
    <${AnswerState} answer=${answer} height=${46}><ul>${years}</ul><//>
  </nav>`;
}
