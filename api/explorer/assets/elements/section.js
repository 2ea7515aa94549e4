import { html, useEffect, useRef, useState } from '/assets/htm/preact.js';
import { isPhone } from '../charts/frame.js';
import { pathOf } from '../model/requests.js';
import { AnswerState } from './answer-state.js';
import { CopyRequest, DownloadButton } from './request-links.js';

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
 * One picture with its answer: the skeleton while it loads, the error, and below it its request, CSV and numbers.
 *
 * @param {{
 *   title?: string, ask: import('../model/requests.js').Ask, answer: import('../model/answers.js').Answer<unknown>,
 *   height: number, file: string, rows: readonly Record<string, unknown>[], children: unknown, note?: unknown,
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

/** The numbers of a picture, as received. @param {{ rows: readonly Record<string, unknown>[], name: string }} props */
function Table({ rows, name }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (column) => column !== 'station',
  );
  const MOST = 400;
  return html`<div class="table" tabindex="0" role="region" aria-label=${`Numbers of ${name}`}>
    <table>
      <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, MOST).map((row) => html`<tr>${columns.map((column) => html`<td>${formatCell(row[column])}</td>`)}</tr>`)}</tbody>
    </table>
    ${rows.length > MOST && html`<p class="muted">The CSV has the other ${rows.length - MOST} rows.</p>`}
  </div>`;
}

/** @param {unknown} value */
function formatCell(value) {
  if (typeof value !== 'number') return value === undefined ? '' : String(value);
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
