import { range } from 'd3-array';
import { html, useEffect, useRef } from 'htm/preact/standalone';
import { AnswerState, Citations, moveFocus } from './elements.ts';
import type { View } from './model/address.ts';
import type { Answer } from './model/answers.ts';
import { useRecords } from './model/daily.ts';
import type { Coverage } from './model/requests.ts';
import { describeYear, FIRST_YEAR, fullness } from './model/stations.ts';
import { change } from './navigation.ts';
import { Climate } from './views/climate.ts';
import { Reports } from './views/reports.ts';
import { Year } from './views/year.ts';

type Covered = Answer<readonly Coverage[]>;

/** The sections below the first figure, which are loaded after it. */
export function StationParts({ covered, ...view }: View & { covered: Covered }) {
  const { address, station, year, entries } = view;
  const records = useRecords(entries, station);
  const coverage = covered.data?.[0];
  return html`
    <${CoverageStrip} answer=${covered} year=${year} of=${address.with.length > 0 && station.station} />
    <${Year} address=${address} year=${year} coverage=${coverage} records=${records} />
    <${Climate} records=${records} year=${year} isLocal=${address.time !== ''} coverage=${coverage} />
    <${Reports} ...${view} report=${address.report} />
    ${coverage && html`<${Citations} sources=${coverage.years.flatMap(({ sources }) => sources)} />`}`;
}

/** How full of days with reports each year is, as a strip for choosing the year. */
function CoverageStrip({ answer, year, of }: { answer: Covered; year: string; of: string | false }) {
  const coverage = answer.data?.[0];
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
    ${of && html`<p class="sentence">Reports of ${of} by year</p>`}
    <${AnswerState} answer=${answer} height=${46}><ul ref=${list} style=${{ '--all': all.length }} onKeyDown=${press}>${years}</ul><//>
  </nav>`;
}
