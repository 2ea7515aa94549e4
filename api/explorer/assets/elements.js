import { html, useEffect, useLayoutEffect, useRef, useState } from 'htm/preact/standalone';
import { ProblemError, TransportError } from '../../client/observations.js';
import { plural } from './format.js';
import { useAnswer } from './model/answers.js';
import { archiveNumbers, coverageOf } from './model/requests.js';
import { dayCounts, daysText, FIRST_DAY, whyLoadedAgain } from './model/stations.js';

/** @import { Answer, Coverage, Period, Values } from './declarations.ts' */

/** Whether the page has the phone layout, by the same rule as the style sheet. */
export const isPhone = () => matchMedia('(max-width: 44rem)').matches;

/** The width of an element that a chart fills. @returns {[{ current: HTMLElement | null }, number]} */
export function useWidth() {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (ref.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(ref.current);
    setWidth(Math.floor(ref.current.clientWidth));
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/** For `ref`: an element takes the focus when it appears. @param {HTMLElement | null} element */
export function takeFocus(element) {
  // Preact calls this before the element is in the document.
  queueMicrotask(() => element?.focus({ preventScroll: true }));
}

/**
 * Moves the focus between the buttons of a group, which is one tab stop.
 * @param {KeyboardEvent} event
 * @param {Readonly<Record<string, number>>} steps of keys, in addition to Home and End
 */
export function moveFocus(event, steps) {
  const buttons = [.../** @type {Element} */ (event.currentTarget).querySelectorAll('button')];
  const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
  const step = { Home: -at, End: buttons.length, ...steps }[event.key];
  if (step === undefined || at < 0) return;
  event.preventDefault();
  buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
}

/** Unfolds a section of the page and shows it. @param {string} id */
export function openSection(id) {
  const section = /** @type {HTMLDetailsElement | null} */ (document.getElementById(id));
  if (section === null) return;
  section.open = true;
  showElement(section);
}

/** Scrolls to an element, also while what is above it gets its size; the user's own scrolling ends that. @param {HTMLElement | null} element */
export function showElement(element) {
  if (element === null) return;
  const observer = new ResizeObserver(() => element.scrollIntoView());
  const end = () => observer.disconnect();
  observer.observe(document.body);
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(type, end, { once: true });
  setTimeout(end, 5000);
}

/**
 * How many days have no report, with a link to the calendar that shows them.
 * @param {{ coverage: Coverage, period: Pick<Period, 'from' | 'to'>, isBrief?: boolean }} props `isBrief`: nothing if none
 */
export function DaysText({ coverage, period, isBrief = false }) {
  const counts = dayCounts(coverage, period);
  if (counts.empty + counts.open === 0) return isBrief ? null : daysText(counts);
  /** @param {Event} event */
  const open = (event) => {
    event.preventDefault();
    openSection('year');
  };
  return html`<a href="#year" onClick=${open}>${daysText(counts)}</a>`;
}

/** What is behind one button. @param {{ name: string, text?: string, children: unknown }} props */
export function Menu({ name, text = 'Save', children }) {
  const menu = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  /** @param {Event} event */
  const close = (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    if (menu.current === null || (key !== undefined && key !== 'Escape')) return;
    const isInside = event.target instanceof Node && menu.current.contains(event.target);
    if (key === 'Escape' || !isInside) menu.current.open = false;
  };
  useEffect(() => {
    const shown = new AbortController();
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, close, { signal: shown.signal });
    return () => shown.abort();
  }, []);
  return html`<details class="menu" ref=${menu}><summary class="link" aria-label=${text === 'Save' ? `Save ${name}` : name}>${text}</summary><div>${children}</div></details>`;
}

/** An arrow with the wind, a circle if calm, nothing if the direction varies. @param {{ values: Values }} props */
export function WindArrow({ values: { direction, wind } }) {
  if (wind === 0) return html`<circle class="calm" r="2.5" />`;
  if (direction === undefined) return null;
  return html`<path class="arrow" d="M0 -6V6M-3 2L0 6L3 2" transform="rotate(${direction})" />`;
}

/**
 * A choice of one.
 * @param {{ label: string, options: readonly (readonly [key: string, name: string])[], chosen: string, onChoose: (key: string) => void }} props
 */
export function Picker({ label, options, chosen, onChoose }) {
  /** @param {Event} event */
  const choose = ({ currentTarget }) => onChoose(/** @type {HTMLSelectElement} */ (currentTarget).value);
  return html`<label class="inline">${label}
    <select onChange=${choose}>${options.map(([key, name]) => html`<option value=${key} selected=${key === chosen}>${name}</option>`)}</select></label>`;
}

const ROWS = 12;

/**
 * The first of many rows, and more on demand.
 * @template T
 * @param {{ style: string, items: readonly T[], noun: string, row: (item: T) => unknown, least?: number }} props
 */
export function LongList({ style, items, noun, row, least = 0 }) {
  const [rows, setRows] = useState(Math.max(ROWS, least));
  return html`<ul class=${style}>${items.slice(0, rows).map(row)}</ul>
    ${rows < items.length && html`<button type="button" onClick=${() => setRows(rows + 4 * ROWS)}>Show more: ${plural(items.length - rows, noun)} left</button>`}`;
}

/** Why there is no answer, if it failed. @param {{ answer: Answer | undefined, label?: string }} props */
export function Failure({ answer, label }) {
  if (answer?.error === undefined) return null;
  const { title, detail } = describe(answer.error);
  return html`<div class="failure" role="alert">
    <p><strong>${label}${title}</strong> ${detail}</p>
    <button type="button" onClick=${answer.again}>Try again</button>
  </div>`;
}

/**
 * Shows an answer: its content, a skeleton of the same size while loading, or why there is none.
 * @param {{ answer: Answer, height: number, children: unknown }} props
 */
export function AnswerState({ answer, height, children }) {
  const { data, error, isLoading, waitSeconds } = answer;
  const isMissing = data === undefined && (error !== undefined || isLoading);
  // Always the same element: if it changed, Preact would remove its neighbors and put them back.
  return html`<div class="answer" style=${isMissing ? { minHeight: `${height}px` } : {}}>
    <${Failure} answer=${answer} />
    ${isMissing && error === undefined && html`<p class="skeleton" style=${{ height: `${height}px` }} role="status"><span>${waitSeconds === undefined ? 'Loading. This usually takes less than a second.' : `The limit of the plan is reached: waiting ${waitSeconds} s.`}</span><b class="on-paper">Not loaded yet: print the page once more.</b></p>`}
    ${!isMissing && children}
  </div>`;
}

/**
 * What to do where the archive has no report: the command of the operator that loads the days.
 * @param {Period & { title: unknown, isUnknown?: boolean }} props `isUnknown`: there is no coverage to ask for
 */
export function Empty({ title, station, from, to, isUnknown = false }) {
  const coverage = useAnswer(isUnknown ? undefined : coverageOf(station)).data?.[0];
  const why = coverage && whyLoadedAgain(coverage, { from, to });
  return html`<div class="empty">
    <p>${title}</p>
    ${
      to <= FIRST_DAY
        ? html`<p>The archive begins on ${FIRST_DAY}.</p>`
        : html`<p>${why ? `These days ${why}. The operator can request them again with this command:` : `The operator can load reports of ${station} with this command:`}</p>
          <pre><code>npm run load -- --source iem --stations ${station} --from ${[from, FIRST_DAY].sort()[1]} --to ${to}${why && ' --refetch'}</code></pre>`
    }
  </div>`;
}

/** How to cite the collections that reports come from. @param {{ sources: readonly string[] | undefined }} props all if absent */
export function Citations({ sources }) {
  const { data } = useAnswer(archiveNumbers);
  const cited = (data?.sources ?? []).filter(({ source }) => sources?.includes(source) ?? true);
  if (cited.length === 0) return null;
  return html`<section class="citations" aria-label="Citation">
    <p class="muted">To cite where you publish:</p>
    <ul class="muted">${cited.map(({ source, citation = source }) => html`<li>${citation}</li>`)}</ul>
  </section>`;
}

/**
 * A button that copies a text and confirms it.
 * @param {{ text: string, label: string, name?: string }} props `name` is what the text is of
 */
export function CopyButton({ text, label, name }) {
  const [state, setState] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('Copied');
      setTimeout(() => setState(''), 2000);
    } catch {
      // A page that is not from a secure origin has no clipboard.
      prompt('Copy this text:', text);
    }
  };
  return html`<button type="button" class="link" aria-label=${name && !state ? `${label} to ${name}` : undefined} onClick=${copy}>${state || label}</button>`;
}

/** What went wrong. @param {unknown} error */
export function describe(error) {
  if (error instanceof TransportError) return { title: 'No response', detail: error.message };
  if (!(error instanceof ProblemError)) return { title: 'The page failed', detail: String(error) };
  return { title: error.title, detail: error.detail };
}
