import { ProblemError, TransportError } from '/assets/client/observations.js';
import { html, useEffect, useRef, useState } from '/assets/htm/preact.js';
import { isPhone } from '../charts/chart.js';
import { formatNumber } from '../format.js';
import { pathOf } from '../model/requests.js';
import { CopyRequest, DownloadButton, describe } from './request-links.js';

/** @import { Answer, Ask } from '../declarations.ts' */

/**
 * A section of the page: a heading, a sentence, a picture, and one line of links. It can be folded on a phone.
 *
 * @param {{ id: string, title: string, sentence?: unknown, controls?: unknown, isFolded?: boolean, children?: unknown }} props
 */
export function Section({ id, title, sentence, controls, isFolded = false, children }) {
  const [isOpen, setOpen] = useState(!(isFolded && isPhone()));
  return html`<details class="section" id=${id} open=${isOpen} onToggle=${(/** @type {Event} */ event) => setOpen(/** @type {HTMLDetailsElement} */ (event.currentTarget).open)}>
    <summary><h2>${title}</h2></summary>
    ${
      isOpen &&
      html`<div class="section-head"><p class="sentence">${sentence}</p>${controls && html`<div class="controls">${controls}</div>`}</div>
        ${children}`
    }
  </details>`;
}

/** Renders offscreen content only once it is near. @param {{ height: number, children: () => unknown }} props */
export function WhenNear({ height, children }) {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (ref.current === null || isNear) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: '300px' },
    );
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [isNear]);
  return html`<div ref=${ref} style=${isNear ? {} : { minHeight: `${height}px` }}>${isNear && children()}</div>`;
}

/**
 * One picture with its answer, and below it its request, CSV and numbers.
 *
 * @param {{
 *   title?: string, ask: Ask, answer: Answer, height: number, file: string, rows: readonly Record<string, unknown>[],
 *   children: unknown, note?: unknown,
 * }} props
 */
export function Picture({ title, ask, answer, height, file, rows, children, note }) {
  const [isTable, setTable] = useState(false);
  const name = title ?? 'the chart';
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    if (event.key === 't' && !(event.target instanceof HTMLInputElement) && !event.ctrlKey && !event.metaKey)
      setTable(!isTable);
  };
  return html`<figure class="picture" onKeyDown=${press}>
    ${title && html`<h3>${title}</h3>`}
    <${AnswerState} answer=${answer} height=${height}>${children}<//>
    <figcaption>
      ${note && html`<span class="note">${note}</span>`}
      <span class="links">
        <button type="button" class="link" aria-expanded=${isTable} aria-label=${`Table of ${name}`} onClick=${() => setTable(!isTable)}>Table</button>
        <${DownloadButton} url=${pathOf(ask, '.csv')} file=${`${file}.csv`} label="CSV" name=${name} />
        <${CopyRequest} ask=${ask} name=${name} />
      </span>
    </figcaption>
    ${isTable && html`<${Table} rows=${rows} name=${name} />`}
  </figure>`;
}

const MOST_ROWS = 400;

/** The numbers of a picture, as received. @param {{ rows: readonly Record<string, unknown>[], name: string }} props */
function Table({ rows, name }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((each) => each !== 'station');
  return html`<div class="table" tabindex="0" role="region" aria-label=${`Numbers of ${name}`}>
    <table>
      <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, MOST_ROWS).map((row) => html`<tr>${columns.map((column) => html`<td>${formatCell(row[column])}</td>`)}</tr>`)}</tbody>
    </table>
    ${rows.length > MOST_ROWS && html`<p class="muted">The CSV has the other ${rows.length - MOST_ROWS} rows.</p>`}
  </div>`;
}

/** @param {unknown} value */
function formatCell(value) {
  return typeof value === 'number' ? formatNumber(value, Number.isInteger(value) ? 0 : 2) : value;
}

/** Statuses after which the same request may soon succeed. */
const TEMPORARY = [429, 502, 503, 504];

/**
 * Shows an answer: its content, a skeleton of the same size while loading, or why there is none.
 *
 * @param {{ answer: Answer, height: number, children: unknown }} props
 */
export function AnswerState({ answer: { data, error, isLoading, waitSeconds, again }, height, children }) {
  const isMissing = error === undefined && data === undefined && isLoading;
  const isTemporary =
    error instanceof ProblemError ? TEMPORARY.includes(error.status) : error instanceof TransportError;
  const { title, detail } = describe(error);
  // Always the same element: if it changed, Preact would remove its neighbors and put them back.
  return html`<div class="answer" style=${error !== undefined || isMissing ? { minHeight: `${height}px` } : {}}>
    ${
      error !== undefined &&
      html`<div class="failure" role="alert">
        <p><strong>${title}</strong> ${detail}</p>
        ${isTemporary && html`<button type="button" onClick=${again}>Try again</button>`}
      </div>`
    }
    ${isMissing && html`<p class="skeleton" style=${{ height: `${height}px` }} role="status"><span>${waitSeconds === undefined ? 'Loading. This usually takes less than a second.' : `The limit of the plan is reached: waiting ${waitSeconds} s.`}</span></p>`}
    ${error === undefined && !isMissing && children}
  </div>`;
}
