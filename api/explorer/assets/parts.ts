import { range } from 'd3-array';
import { html, useEffect, useRef } from 'htm/preact/standalone';
import type { Address, Answer, Coverage, Entry, Period, Span, Station } from './declarations.ts';
import { AnswerState, Citations, moveFocus } from './elements.ts';
import { timesOf } from './model/address.ts';
import { useRecords } from './model/daily.ts';
import { describeYear, FIRST_YEAR, fullness } from './model/stations.ts';
import { change } from './navigation.ts';
import { Climate } from './views/climate.ts';
import { Reports } from './views/reports.ts';
import { Year } from './views/year.ts';

/** The sections below the first figure, which are loaded after it. */
export function StationParts({
  address,
  station,
  span,
  period,
  entries,
  covered,
}: {
  address: Address;
  station: Station;
  span: Span;
  period: Period;
  entries: readonly Entry[];
  covered: Answer<readonly Coverage[]>;
}) {
  const { year } = timesOf(address, station.lastReport);
  const records = useRecords(entries, station);
  const coverage = covered.data?.[0];
  return html`
    <${CoverageStrip} coverage=${coverage} year=${year} answer=${covered} />
    <${Year} address=${address} year=${year} coverage=${coverage} records=${records} />
    <${Climate} records=${records} year=${year} isLocal=${address.time !== ''} />
    <${Reports} report=${address.report} span=${span} period=${period} entries=${entries} />
    ${coverage && html`<${Citations} sources=${coverage.years.flatMap(({ sources = [] }) => sources)} />`}`;
}

/** How full of days with reports each year is, as a strip for choosing the year. */
function CoverageStrip({
  coverage,
  year,
  answer,
}: {
  coverage: Coverage | undefined;
  year: string;
  answer: Answer;
}) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone, the chosen year is in view.
    const chosen = list.current?.querySelector('[aria-pressed="true"]')?.parentElement;
    if (chosen) list.current?.scrollTo(chosen.offsetLeft - list.current.clientWidth / 2, 0);
  }, [year, coverage]);
  const press = (event: KeyboardEvent) => moveFocus(event, { ArrowLeft: -1, ArrowRight: 1 });
  const all = range(FIRST_YEAR, new Date().getUTCFullYear() + 1);
  const stop = all.includes(Number(year)) ? Number(year) : all.at(-1);
  const years = all.map((each) => {
    const share = coverage ? fullness(coverage, each) : 0;
    const text = `${each}: ${coverage ? describeYear(coverage, each) : ''}`;
    return html`<li><button type="button" tabindex=${each === stop ? 0 : -1} aria-pressed=${String(each) === year} aria-label=${text} title=${text} onClick=${() => change({ year: String(each), years: [], day: '', days: '' })}>
      <i style=${{ '--share': `${share === 0 ? 0 : Math.max(8, share * 100)}%` }}></i>${each}</button></li>`;
  });
  return html`<nav class="years" aria-label="Years">
    <${AnswerState} answer=${answer} height=${46}><ul ref=${list} onKeyDown=${press}>${years}</ul><//>
  </nav>`;
}
