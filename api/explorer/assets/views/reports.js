import { html, useEffect, useState } from '/assets/htm/preact.js';
import { CopyRequest, DownloadButton } from '../elements/request-links.js';
import { AnswerState, Section } from '../elements/section.js';
import { addDays, formatTime, plural } from '../format.js';
import { useAnswer } from '../model/answers.js';
import { reportInWords } from '../model/report-words.js';
import { pathOf, reportsOf } from '../model/requests.js';

/** @import { Ask, Decoded, Observation, Period, Span } from '../declarations.ts' */

const ROWS = 12;
const FORMATS = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet', arrow: 'Arrow' };

/**
 * The reports of the shown period as sent, each with its meaning on demand.
 * @param {{ span: Span, period: Period }} props
 */
export function Reports({ span, period }) {
  const isLong = span === 'year' || span === 'all';
  const ask = reportsOf(period);
  const whole = { ...ask, parameters: { ...ask.parameters, limit: undefined } };
  const file = `${period.station}-${period.from}-${addDays(period.to, -1)}`;
  const name = 'the reports';
  return html`<${Section} id="reports" title="Reports" isFolded=${true} sentence=${`${period.from} to ${addDays(period.to, -1)}, as they were sent. A click on a report explains it.`} controls=${html`<span class="links" role="group" aria-label="Download">
      ${Object.entries(FORMATS).map(([format, label]) => html`<${DownloadButton} url=${pathOf(whole, `.${format}`)} file=${`${file}.${format}`} label=${label} name=${name} />`)}
      <${CopyRequest} ask=${ask} name=${name} />
    </span>`}>
    ${isLong ? html`<p class="empty-line">These are too many to list: choose a day of the year above, a week or a month. The download has all of them.</p>` : html`<${ReportList} ask=${ask} />`}
  <//>`;
}

/** @param {{ ask: Ask<readonly Observation[]> }} props */
function ReportList({ ask }) {
  const [rows, setRows] = useState(ROWS);
  useEffect(() => setRows(ROWS), [pathOf(ask)]);
  const answer = useAnswer(ask);
  // Newest first, as people read them.
  const reports = [...(answer.data ?? [])].reverse();
  return html`<${AnswerState} answer=${answer} height=${ROWS * 34}>
    ${reports.length === 0 && html`<p class="empty-line">No report in these days.</p>`}
    <ul class="report-list">${reports.slice(0, rows).map((report) => html`<${Report} key=${report.id} report=${report} />`)}</ul>
    ${rows < reports.length && html`<button type="button" onClick=${() => setRows(rows + 5 * ROWS)}>Show more: ${plural(reports.length - rows, 'report')} left</button>`}
  <//>`;
}

/** @param {{ report: Observation }} props */
function Report({ report: { observedAt, type, raw, decoded, parseStatus } }) {
  const [isOpen, setOpen] = useState(false);
  const fields = /** @type {Decoded | undefined} */ (decoded);
  return html`<li>
    <details onToggle=${(/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)}>
      <summary><time datetime=${observedAt}>${formatTime(observedAt)}</time><span class="type ${type.toLowerCase()}">${type}</span><code>${raw}</code></summary>
      ${
        isOpen &&
        (fields === undefined
          ? html`<p class="muted">${parseStatus === 'failed' ? 'A group could not be explained, so no field is given.' : 'Not decoded yet.'}</p>`
          : html`<p>${reportInWords(fields)}</p>
              <dl class="fields">${Object.entries(fields).map(([field, value]) => html`<div><dt>${field}</dt><dd>${formatValue(value)}</dd></div>`)}</dl>`)
      }
    </details>
  </li>`;
}

/** A list of objects as `BKN 1200; OVC 3000`. @param {unknown} value */
function formatValue(value) {
  if (!Array.isArray(value)) return String(value);
  return value.map((item) => Object.values(item).join(' ')).join('; ');
}
