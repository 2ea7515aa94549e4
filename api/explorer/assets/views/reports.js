import { html, useEffect, useState } from '/assets/htm/preact.js';
import { AnswerState } from '../elements/answer-state.js';
import { CopyRequest, DownloadButton } from '../elements/request-links.js';
import { Section } from '../elements/section.js';
import { addDays, formatTime, plural } from '../format.js';
import { useAnswer } from '../model/answers.js';
import { pathOf, reports as reportsAsk } from '../model/requests.js';
import { reportInWords } from '../model/weather.js';

/** @typedef {import('../model/requests.js').Observation} Observation */

const ROWS = 12;
const FORMATS = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet', arrow: 'Arrow' };

/**
 * The reports of the shown period as sent, each with its meaning on demand.
 *
 * @param {{
 *   station: import('../model/requests.js').Station, span: import('../model/address.js').Span,
 *   period: import('../model/requests.js').Period,
 * }} props
 */
export function Reports({ station, span, period }) {
  const isLong = span === 'year' || span === 'all';
  const ask = reportsAsk(period);
  const whole = { ...ask, parameters: { ...ask.parameters, limit: undefined } };
  const file = `${period.station}-${period.from}-${addDays(period.to, -1)}`;
  const name = 'the reports';
  return html`<${Section} id="reports" title="Reports" isFolded=${true} sentence=${`${period.from} to ${addDays(period.to, -1)}, as they were sent. A click on a report explains it.`} controls=${html`<span class="links" role="group" aria-label="Download">
      ${Object.entries(FORMATS).map(([format, label]) => html`<${DownloadButton} url=${pathOf(whole, `.${format}`)} file=${`${file}.${format}`} label=${label} name=${name} />`)}
      <${CopyRequest} ask=${ask} name=${name} />
    </span>`}>
    ${isLong ? html`<p class="empty-line">These are too many to list: choose a day of the year above, a week or a month. The download has all of them.</p>` : html`<${ReportList} ask=${ask} station=${station} />`}
  <//>`;
}

/** @param {{ ask: import('../model/requests.js').Ask, station: import('../model/requests.js').Station }} props */
function ReportList({ ask }) {
  const [rows, setRows] = useState(ROWS);
  useEffect(() => setRows(ROWS), [pathOf(ask)]);
  /** @type {import('../model/answers.js').Answer<readonly Observation[]>} */
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
  const fields = /** @type {import('../model/weather.js').Decoded | undefined} */ (decoded);
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
