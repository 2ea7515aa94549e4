import { html, useEffect, useRef } from 'htm/preact/standalone';
import type { Observation } from '../../../client/client.d.ts';
import { copyRequest, DownloadButton, Section } from '../charts/picture.ts';
import { AnswerState, CopyButton, LongList, Menu } from '../elements.ts';
import { formatTime } from '../format.ts';
import { daysOf, isLong, rangeText, reportAddress, type View } from '../model/address.ts';
import { useAnswer } from '../model/answers.ts';
import { reportInWords } from '../model/reports.ts';
import { type Ask, pathOf, reportsOf } from '../model/requests.ts';

const FORMATS = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet', arrow: 'Arrow' };

/** Reports of all compared stations; none of compared years, which have periods of their own. */
export function Reports({ report, span, period, entries }: View & { report: string }) {
  const ask = reportsOf({ ...period, station: entries.map(({ station }) => station).join() });
  const whole = { ...ask, parameters: { ...ask.parameters, limit: undefined } };
  const file = `${period.station}-${daysOf(period)}`;
  const name = 'the reports';
  if (entries.some(({ years }) => years !== 0)) return null;
  return html`<${Section} key=${report} id="reports" title="Reports" isFolded=${report === ''} height=${report === '' ? 446 : 0} sentence=${`${rangeText(period)}, as they were sent. A click on a report explains it.`} controls=${html`<span class="links"><${Menu} name=${name}>
      ${Object.entries(FORMATS).map(([format, label]) => html`<${DownloadButton} url=${pathOf(whole, `.${format}`)} file=${`${file}.${format}`} label=${label} name=${name} />`)}
      ${copyRequest(ask, name)}
    <//></span>`}>
    ${() => (isLong(span) ? html`<p class="empty-line">These are too many to list: choose a day of the year above, a week or a month. The download has all of them.</p>` : html`<${ReportList} key=${pathOf(ask)} ask=${ask} chosen=${report} />`)}
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
