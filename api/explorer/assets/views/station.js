import { html, useMemo } from '/assets/htm/preact.js';
import { isPhone } from '../charts/frame.js';
import { AnswerState } from '../elements/answer-state.js';
import { CopyButton } from '../elements/request-links.js';
import { addYears, today } from '../format.js';
import { useAnswer } from '../model/answers.js';
import { coverageSentence } from '../model/coverage.js';
import { toDay } from '../model/days.js';
import { entriesOf } from '../model/entries.js';
import {
  coverage as coverageAsk,
  dailyValues,
  newestReport,
  stationDescription,
  wholeRecord,
} from '../model/requests.js';
import { Climate } from './climate.js';
import { Compare } from './compare.js';
import { CoverageStrip } from './coverage-strip.js';
import { Now, StationTitle } from './now.js';
import { HowToLoad, periodOf, Recent } from './recent.js';
import { Reports } from './reports.js';
import { Year } from './year.js';

/**
 * @typedef {import('../model/requests.js').Station} Station
 * @typedef {import('../model/entries.js').Entry} Entry
 */

/** One station, from now to all its years. @param {{ address: import('../model/address.js').Address }} props */
export function StationPage({ address }) {
  /** @type {import('../model/answers.js').Answer<readonly Station[]>} */
  const described = useAnswer(stationDescription(address.station));
  const station = described.data?.[0];
  return html`<${AnswerState} answer=${described} height=${640}>
    ${station?.lastReport === undefined ? html`<${Unknown} code=${address.station} station=${station} />` : html`<${KnownStation} key=${address.station} address=${address} station=${station} />`}
  <//>`;
}

/** What the archive does not hold. @param {{ code: string, station: Station | undefined }} props */
function Unknown({ code, station }) {
  const year = new Date().getUTCFullYear();
  return html`<div class="empty first">
    <h1><span class="code">${code}</span> ${station?.name}</h1>
    <p><strong>The archive holds no report of ${code}.</strong> ${station === undefined ? 'No source that was read lists this code, either.' : ''}</p>
    <${HowToLoad} station=${code} from=${`${year}-01-01`} to=${`${year + 1}-01-01`} />
    <p><a href="/">All stations of the archive</a></p>
  </div>`;
}

/** @param {{ address: import('../model/address.js').Address, station: Station }} props */
function KnownStation({ address, station }) {
  const { lastReport = '', firstReport = '' } = station;
  const chosen = address.day === '' ? lastReport.slice(0, 10) : address.day;
  const year = address.year === '' ? chosen.slice(0, 4) : address.year;
  // Compared years use their own days.
  const day =
    address.years.length === 0 ? chosen : addYears(chosen, Number(year) - Number(chosen.slice(0, 4)));
  const entries = entriesOf(address, year);
  /** @type {import('../model/answers.js').Answer<readonly import('../model/requests.js').Observation[]>} */
  const newest = useAnswer(newestReport(station.station, lastReport));
  /** @type {import('../model/answers.js').Answer<readonly import('../model/coverage.js').Coverage[]>} */
  const covered = useAnswer(coverageAsk(station.station));
  const coverage = covered.data?.[0];
  const daily = useDaily(entries, station);
  const report = newest.data?.at(-1);
  const period = periodOf(address.span, day, firstReport);
  return html`
    <header class="station-head">
      <${StationTitle} station=${station} />
      <div class="controls">
        <${Compare} address=${address} entries=${entries} year=${year} />
        <${CopyButton} text=${location.href} label="Copy link" />
      </div>
    </header>
    <${AnswerState} answer=${newest} height=${isPhone() ? 158 : 108}>
      ${report && html`<${Now} report=${report} coverage=${coverage === undefined ? '' : coverageSentence(coverage, today())} />`}
    <//>
    <${Recent} address=${address} station=${station} day=${day} entries=${entries} daily=${daily} />
    <${CoverageStrip} coverage=${coverage} year=${year} answer=${covered} />
    <${Year} address=${address} station=${station} year=${year} coverage=${coverage} entries=${entries} daily=${daily} />
    <${Climate} station=${station} entries=${entries} year=${year} />
    <${Reports} station=${station} span=${address.span} period=${{ station: station.station, ...period }} />`;
}

/**
 * The daily values of each entry's whole record: one request per station, whichever years are shown.
 *
 * @param {readonly Entry[]} entries
 * @param {Station} station the first of them
 */
export function useDaily(entries, station) {
  return [
    useDailyOf(entries[0], station),
    useDailyOf(entries[1], station),
    useDailyOf(entries[2], station),
    useDailyOf(entries[3], station),
  ];
}

/** @param {Entry | undefined} entry @param {Station} main */
function useDailyOf(entry, main) {
  const isMain = entry === undefined || entry.station === main.station;
  /** @type {import('../model/answers.js').Answer<readonly Station[]>} */
  const described = useAnswer(isMain ? undefined : stationDescription(entry.station));
  const station = isMain ? main : described.data?.[0];
  const period = entry && station && wholeRecord(station);
  const ask = period && dailyValues(period);
  /** @type {import('../model/answers.js').Answer<readonly import('../model/requests.js').Row[]>} */
  const answer = useAnswer(ask);
  const days = useMemo(() => (answer.data ?? []).map(toDay), [answer.data]);
  return { entry, ask, answer, days, period };
}
