import { range } from 'd3-array';
import { html, useEffect, useRef } from 'htm/preact/standalone';
import type { Observation } from '../../client/client.d.ts';
import { copyRequest, DownloadButton, download, Section } from './charts/picture.ts';
import { AnswerState, Citations, CopyButton, LongList, Menu, moveFocus } from './elements.ts';
import { formatTime } from './format.ts';
import { reportAddress, type View } from './model/address.ts';
import { type Answer, useAnswer } from './model/answers.ts';
import { reportInWords } from './model/reports.ts';
import { type Ask, type Coverage, pathOf, reportsOf } from './model/requests.ts';
import { describeYear, FIRST_YEAR, fullness } from './model/stations.ts';
import { change } from './navigation.ts';
import { Climate } from './views/climate.ts';
import type { StationView } from './views/station.ts';
import { Year } from './views/year.ts';

type Covered = Answer<readonly Coverage[]>;

/** The sections below the first figure, which are loaded after it. */
export function StationParts({ covered, ...view }: StationView & { covered: Covered }) {
  const { address, station, year, coverage } = view;
  return html`
    <${CoverageStrip} answer=${covered} year=${year} of=${address.with.length > 0 && station.station} />
    <${Year} ...${view} />
    <${Climate} ...${view} />
    <${Reports} ...${view} />
    ${coverage && html`<${Citations} sources=${coverage.years.flatMap(({ sources }) => sources)} />`}`;
}

/** A strip of years that shows the share of days with reports in each; a click chooses a year. */
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

const FORMATS = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet', arrow: 'Arrow' };

/** The reports of the period, of all compared stations. With compared years there is no list, because each has its own period. */
function Reports({ address, isLong, period, days, fileDays, entries }: View) {
  const { report } = address;
  const ask = reportsOf({ ...period, station: entries.map(({ station }) => station).join() });
  const { limit: _, ...parameters } = ask.parameters;
  const whole = { ...ask, parameters };
  const file = `${period.station}-${fileDays}`;
  const name = 'the reports';
  if (entries.some(({ years }) => years !== 0)) return null;
  return html`<${Section} key=${report} id="reports" title="Reports" isFolded=${report === ''} height=${report === '' ? 446 : 0} sentence=${`${days}, as they were sent. A click on a report explains it.`} controls=${html`<span class="links"><${Menu} name=${name}>
      ${Object.entries(FORMATS).map(([format, label]) => html`<${DownloadButton} load=${() => download(pathOf(whole, `.${format}`))} file=${`${file}.${format}`} label=${label} name=${name} />`)}
      ${copyRequest(ask, name)}
    <//></span>`}>
    ${() => (isLong ? html`<p class="empty-line">These are too many to list: choose a day of the year above, a week or a month. The download has all of them.</p>` : html`<${ReportList} key=${pathOf(ask)} ask=${ask} chosen=${report} />`)}
  <//>`;
}

/** `chosen` is the id of the linked report. */
function ReportList({ ask, chosen }: { ask: Ask<readonly Observation[]>; chosen: string }) {
  const answer = useAnswer(ask);
  // Newest first, as people read them.
  const reports = [...(answer.data ?? [])].reverse();
  const at = reports.findIndex(({ id }) => id === chosen);
  const row = (report: Observation) =>
    html`<${ReportRow} key=${report.id} report=${report} isChosen=${report.id === chosen} />`;
  return html`<${AnswerState} answer=${answer} height=${446}>
    ${reports.length === 0 && html`<p class="empty-line">No report in these days.</p>`}
    ${chosen !== '' && at < 0 && html`<p class="error" role="alert">The linked report is not in the archive: a correction may have replaced it.</p>`}
    <${LongList} key=${chosen} style="report-list" items=${reports} least=${at + 1} noun="report" row=${row} />
  <//>`;
}

function ReportRow({ report, isChosen }: { report: Observation; isChosen: boolean }) {
  const { observedAt, type, raw, decoded, parseStatus, hidden } = report;
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'center' });
  }, [isChosen]);
  const address = reportAddress(report);
  return html`<li ref=${row}>
    <details open=${isChosen}>
      <summary><time class="muted" datetime=${observedAt}>${formatTime(observedAt)}</time><span class="muted ${type.toLowerCase()}">${type}</span><code>${hidden ? html`<s>${raw}</s> hidden: ${hidden}` : raw}</code></summary>
      ${
        decoded === undefined
          ? html`<p class="muted">${parseStatus === 'failed' ? 'A group could not be explained, so no field is given.' : 'Not decoded yet.'}</p>`
          : html`<p>${reportInWords(decoded)}</p>
              <dl class="fields">${Object.entries(decoded).map(([field, value]) => html`<div><dt>${field}</dt><dd>${formatValue(value)}</dd></div>`)}</dl>`
      }
      <p class="links"><a href=${address}>This report alone</a> <${CopyButton} text=${location.origin + address} label="Copy link" /></p>
    </details>
  </li>`;
}

/** A list of objects as `BKN 1200; OVC 3000`. */
function formatValue(value: unknown) {
  if (!Array.isArray(value)) return String(value);
  return value.map((item) => Object.values(item).join(' ')).join('; ');
}
