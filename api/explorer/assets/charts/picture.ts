import { html, useEffect, useRef, useState } from 'htm/preact/standalone';
import { AnswerState, CopyButton, describe, failure, isPhone, Menu, showElement } from '../elements.ts';
import { formatNumber, type Texts } from '../format.ts';
import { parseAddress } from '../model/address.ts';
import { lastAnswer, send } from '../model/answers.ts';
import { type Ask, pathOf, snippets, stationDescription } from '../model/requests.ts';
import { linkTo } from '../navigation.ts';
import type { Shown } from './chart.ts';

/** Whether the address leads to this part of the page or to something inside it. */
const isTarget = (id: string) => location.hash === `#${id}` || location.hash.startsWith(`#${id}-`);

type SectionProps = Texts<'id' | 'title'> & {
  sentence?: unknown;
  controls?: unknown;
  isFolded?: boolean;
  height?: number;
  children: () => unknown;
};

/** A section of the page, which can be folded on a phone. With a height, its content is drawn once it is near or is printed. */
export function Section({ id, title, sentence, controls, isFolded, height = 0, children }: SectionProps) {
  const [isUnfolded, setUnfolded] = useState(!(isFolded && isPhone()) || isTarget(id));
  const [isNear, setNear] = useState(false);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isTarget(id)) showElement(section.current);
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setNear(true),
      { rootMargin: '300px' },
    );
    if (section.current !== null) observer.observe(section.current);
    // Preact renders after the event, before the browser takes its picture of the page.
    const print = () => {
      setUnfolded(true);
      setNear(true);
    };
    addEventListener('beforeprint', print);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', print);
    };
  }, []);
  const toggle = ({ currentTarget }: Event) => setUnfolded((currentTarget as HTMLDetailsElement).open);
  const isShown = isNear || height === 0;
  return html`<details class="section" id=${id} ref=${section} open=${isUnfolded} onToggle=${toggle}>
    <summary><h2>${title}</h2></summary>
    ${
      isUnfolded &&
      html`<div class="section-head"><p class="sentence">${sentence}</p>${controls && html`<div class="controls">${controls}</div>`}</div>
        <div style=${isShown ? {} : { minHeight: `${height}px` }}>${isShown && children()}</div>`
    }
  </details>`;
}

type PictureRows = readonly Readonly<Record<string, unknown>>[];
type PictureProps = Texts<'id' | 'file'> & {
  title?: string;
  shown: readonly (Shown & { ask: Ask | undefined; rows: PictureRows })[];
  height: number;
  children: unknown;
  note?: unknown;
};

/** A picture, and below it its requests, its numbers and its files, whose names end with `file`. */
export function Picture({ id, title, shown, height, file, children, note }: PictureProps) {
  const [isTable, setTable] = useState(false);
  const figure = useRef<HTMLElement>(null);
  useEffect(() => {
    if (location.hash === `#${id}`) showElement(figure.current);
  }, []);
  const name = title ?? 'the chart';
  const address = parseAddress(location.search);
  const [station] = lastAnswer(stationDescription(address.station)) ?? [];
  const link = `${linkTo(address, station ?? {})}#${id}`;
  const draw = async (label: string) => {
    const { drawingOf, toPng } = await import('./drawing.ts');
    if (figure.current === null) return undefined;
    const svg = drawingOf(figure.current, link);
    return label === 'PNG' ? toPng(svg) : new Blob([svg], { type: 'image/svg+xml' });
  };
  const drawings = ['SVG', 'PNG'].map((label) => {
    const own = `${address.station}-${file}.${label.toLowerCase()}`;
    return html`<${DownloadButton} load=${() => draw(label)} file=${own} label=${label} name=${name} />`;
  });
  const isCompared = shown.length > 1;
  const requests = shown.map(({ entry, ask }) => {
    const of = isCompared ? `${name} of ${entry.label}` : name;
    const own = [...new Set([entry.station, entry.label, file])].join('-');
    return (
      ask &&
      html`${isCompared && html`<b>${entry.label}</b>`}
      <${DownloadButton} load=${() => download(pathOf(ask, '.csv'))} file=${`${own}.csv`} label="CSV" name=${of} />
      ${copyRequest(ask, of)}`
    );
  });
  const rows = shown.flatMap(({ entry, rows }) =>
    isCompared ? rows.map((row) => ({ compared: entry.label, ...row })) : rows,
  );
  return html`<figure class="picture" id=${id} ref=${figure}>
    ${title && html`<h3>${title}</h3>`}
    <${AnswerState} answer=${shown[0]?.answer} height=${height}>${children}<//>
    ${shown.slice(1).map(({ entry, answer }) => failure(answer, `${entry.label}: `))}
    <figcaption>
      ${note && html`<span class="note">${note}</span>`}
      <span class="links">
        <button type="button" class="link" aria-expanded=${isTable} aria-label=${`Table of ${name}`} onClick=${() => setTable(!isTable)}>Table</button>
        <${Menu} name=${name}>
          ${requests} ${drawings}
          <${CopyButton} text=${link} label="Copy link" name=${name} />
        <//>
      </span>
    </figcaption>
    ${isTable && tableOfNumbers(rows, name)}
  </figure>`;
}

const MOST_ROWS = 400;

function tableOfNumbers(rows: PictureRows, name: string) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((each) => each !== 'station');
  return html`<div class="table" tabindex="0" role="region" aria-label=${`Numbers of ${name}`}>
    <table>
      <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, MOST_ROWS).map((row) => html`<tr>${columns.map((column) => html`<td>${formatCell(row[column])}</td>`)}</tr>`)}</tbody>
    </table>
    ${rows.length > MOST_ROWS && html`<p class="muted">The CSV has the other ${rows.length - MOST_ROWS} rows.</p>`}
  </div>`;
}

function formatCell(value: unknown) {
  return typeof value === 'number' ? formatNumber(value, Number.isInteger(value) ? 0 : 2) : value;
}

/** Buttons that copy a request as URL, curl and Python. */
export const copyRequest = (ask: Ask, name: string) =>
  Object.entries(snippets(location.origin, ask)).map(
    ([form, text]) => html`<${CopyButton} text=${text} label="Copy ${form}" name=${name} />`,
  );

/** An answer as a file. The key is in a header, so the browser cannot follow a link. */
export const download = async (url: string) => (await send(url)).blob();

type DownloadProps = Texts<'file' | 'label' | 'name'> & { load: () => Promise<Blob | undefined> };

export function DownloadButton({ load, file, label, name }: DownloadProps) {
  const [state, setState] = useState('');
  const start = async () => {
    setState('…');
    try {
      const blob = await load();
      if (blob === undefined) return;
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob);
      link.download = file;
      link.click();
      // Most browsers have opened the file when the click returns; the minute is for slow ones.
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      setState('');
    } catch (error) {
      const { title, detail } = describe(error);
      setState(`${title}: ${detail}`);
    }
  };
  return html`<button type="button" class="link" aria-label=${`${label} of ${name}`} onClick=${start}>${label}</button>${state && html`<span class="muted" role="status"> ${state}</span>`}`;
}

/** Most answers arrive within a second; a page is printed as it is after this long. */
const WAIT_MS = 15_000;

/** Ctrl+P prints once all answers are there. The print menu of a browser does not wait: the paper says what is not loaded yet. */
async function print(event: KeyboardEvent) {
  if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  dispatchEvent(new Event('beforeprint'));
  const deadline = performance.now() + WAIT_MS;
  do await new Promise((resolve) => setTimeout(resolve, 200));
  while (document.querySelector('.skeleton') !== null && performance.now() < deadline);
  window.print();
}

addEventListener('keydown', print);
