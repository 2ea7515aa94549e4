import { html, useEffect, useLayoutEffect, useRef, useState } from 'htm/preact/standalone';
import { ProblemError, TransportError } from '../../client/observations.js';
import { addDays, plural, type Texts, today } from './format.ts';
import { type Answer, isAway, useAnswer } from './model/answers.ts';
import type { Values } from './model/reports.ts';
import { archiveNumbers, type Coverage, coverageOf, type Period, type Range } from './model/requests.ts';
import { dayCounts, daysText, FIRST_DAY, whyLoadedAgain } from './model/stations.ts';

/** Whether the page has the phone layout, by the same rule as the style sheet. */
export const isPhone = () => matchMedia('(max-width: 44rem)').matches;

/** The width of an element that a chart fills. */
export function useWidth() {
  const ref = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (ref.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(ref.current);
    setWidth(Math.floor(ref.current.clientWidth));
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}

/** For `ref`: an element takes the focus when it appears. */
export function takeFocus(element: HTMLElement | null) {
  // Preact calls this before the element is in the document.
  queueMicrotask(() => element?.focus({ preventScroll: true }));
}

/** Moves the focus between the buttons of a group, which is one tab stop, by steps of keys besides Home and End. */
export function moveFocus(event: KeyboardEvent, steps: Readonly<Record<string, number>>) {
  const buttons = [...(event.currentTarget as Element).querySelectorAll('button')];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const step = { Home: -at, End: buttons.length, ...steps }[event.key];
  if (step === undefined || at < 0) return;
  event.preventDefault();
  buttons[Math.min(buttons.length - 1, Math.max(0, at + step))]?.focus();
}

export function openSection(id: string) {
  const section = document.getElementById(id) as HTMLDetailsElement | null;
  if (section === null) return;
  section.open = true;
  // So that the next key acts on this section.
  section.querySelector('summary')?.focus({ preventScroll: true });
  showElement(section);
}

/** Scrolls to an element, again while the content above it changes in size, for five seconds or until the user scrolls. */
export function showElement(element: HTMLElement | null) {
  if (element === null) return;
  const observer = new ResizeObserver(() => element.scrollIntoView());
  const end = () => observer.disconnect();
  observer.observe(document.body);
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    addEventListener(type, end, { once: true });
  setTimeout(end, 5000);
}

/** How many days have no report, with a link to the calendar that shows them. If each day has one: a text, or nothing if brief. */
export function daysLink(coverage: Coverage, period: Range, isBrief = false) {
  const counts = dayCounts(coverage, period);
  if (counts.empty + counts.open === 0) return isBrief ? null : daysText(counts);
  const open = (event: Event) => {
    event.preventDefault();
    openSection('year');
  };
  return html`<a href="#year" onClick=${open}>${daysText(counts)}</a>`;
}

export function Menu({ name, text = 'Save', children }: { name: string; text?: string; children: unknown }) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = (event: Event) => {
    const isInside = event.target instanceof Node && menu.current?.contains(event.target);
    const isEnd = event instanceof KeyboardEvent ? event.key === 'Escape' : !isInside;
    if (!isEnd || menu.current === null) return;
    menu.current.open = false;
    if (isInside) menu.current.querySelector('summary')?.focus();
  };
  useEffect(() => {
    const shown = new AbortController();
    for (const type of ['pointerdown', 'focusin', 'keydown'])
      addEventListener(type, close, { signal: shown.signal });
    return () => shown.abort();
  }, []);
  return html`<details class="menu" ref=${menu}><summary class="link" aria-label=${text === 'Save' ? `Save ${name}` : name}>${text}</summary><div>${children}</div></details>`;
}

/** An arrow with the wind, a circle if calm, nothing if the direction varies. */
export function windArrow({ direction, wind }: Values) {
  if (wind === 0) return html`<circle class="calm" r="2.5" />`;
  if (direction === undefined) return null;
  return html`<path class="arrow" d="M0 -6V6M-3 2L0 6L3 2" transform="rotate(${direction})" />`;
}

/** `options` are keys with their names. */
export function picker(label: string, options: string[][], chosen: string, onChoose: (key: string) => void) {
  const choose = ({ currentTarget }: Event) => onChoose((currentTarget as HTMLSelectElement).value);
  return html`<label class="inline">${label}
    <select onChange=${choose}>${options.map(([key, name]) => html`<option value=${key} selected=${key === chosen}>${name}</option>`)}</select></label>`;
}

const ROWS = 12;

type List<T> = Texts<'style' | 'noun'> & { items: readonly T[]; row: (item: T) => unknown; least?: number };

/** The first of many rows, and more on demand. */
export function LongList<T>({ style, items, noun, row, least = 0 }: List<T>) {
  const [rows, setRows] = useState(Math.max(ROWS, least));
  return html`<ul class=${style}>${items.slice(0, rows).map(row)}</ul>
    ${rows < items.length && html`<button type="button" onClick=${() => setRows(rows + 4 * ROWS)}>Show more: ${plural(items.length - rows, noun)} left</button>`}`;
}

export function failure(answer: Answer | undefined, label = '') {
  if (answer?.error === undefined) return null;
  const { title, detail } = describe(answer.error);
  return html`<div class="failure" role="alert">
    <p><strong>${label}${title}</strong> ${detail} ${isAway(answer.error) && 'The page tries again every ten seconds.'}</p>
    <button type="button" onClick=${answer.again}>Try again</button>
  </div>`;
}

type Answered = { answer: Answer; height: number; children: unknown };

/** Shows the content of an answer, a skeleton of the same size while it is loading, or why there is no answer. */
export function AnswerState({ answer, height, children }: Answered) {
  const { data, error, isLoading, waitSeconds } = answer;
  const isMissing = data === undefined && (error !== undefined || isLoading);
  // Always the same element: if it changed, Preact would remove its neighbors and put them back.
  return html`<div class="answer" style=${isMissing ? { minHeight: `${height}px` } : {}}>
    ${failure(answer)}
    ${isMissing && error === undefined && html`<p class="skeleton" style=${{ height: `${height}px` }} role="status"><span>${waitSeconds === undefined ? 'Loading. This usually takes less than a second.' : `The limit of the plan is reached: waiting ${waitSeconds} s.`}</span><b class="on-paper">Not loaded yet: print the page once more.</b></p>`}
    ${!isMissing && children}
  </div>`;
}

type EmptyProps = Period & { title: unknown; how?: string; isUnknown?: boolean };

/** Shows the command that loads the days. The coverage of a station that the archive does not know is not requested. */
export function Empty({ title, how, station, from, to, isUnknown = false }: EmptyProps) {
  const coverage = useAnswer(isUnknown ? undefined : coverageOf(station)).data?.[0];
  const why = coverage && whyLoadedAgain(coverage, { from, to });
  return html`<div class="empty">
    <p>${title}</p>
    ${
      to <= FIRST_DAY || from > today()
        ? html`<p>${from > today() ? 'These days are in the future.' : `The archive begins on ${FIRST_DAY}.`}</p>`
        : html`<p>${why ? `These days ${why}. The operator can request them again with this command:` : (how ?? `The operator can load reports of ${station} with this command:`)}</p>
          <pre><code>npm run load -- --source iem --stations ${station} --from ${[from, FIRST_DAY].sort()[1]} --to ${[to, addDays(today(), 1)].sort()[0]}${why && ' --refetch'}</code></pre>`
    }
  </div>`;
}

/** How to cite the collections that reports come from: some, or all. */
export function Citations({ sources }: { sources: readonly string[] | undefined }) {
  const { data } = useAnswer(archiveNumbers);
  const cited = (data?.sources ?? []).filter(({ source }) => sources?.includes(source) ?? true);
  if (cited.length === 0) return null;
  return html`<section class="citations" aria-label="Citation">
    <p class="muted">To cite where you publish:</p>
    <ul class="muted">${cited.map(({ source, citation = source }) => html`<li>${citation}</li>`)}</ul>
  </section>`;
}

export function CopyButton({ text, label, name }: { text: string; label: string; name?: string }) {
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
  return html`<button type="button" class="link" aria-label=${name && !state ? `${label} of ${name}` : undefined} onClick=${copy}>${state || label}</button>`;
}

export function describe(error: unknown) {
  if (error instanceof TransportError) return { title: 'No response', detail: `${error.message}.` };
  if (!(error instanceof ProblemError)) return { title: 'The page failed', detail: String(error) };
  return { title: error.title, detail: error.detail };
}
