import { ProblemError, TransportError } from '/assets/client/observations.js';
import { html, useRef, useState } from '/assets/htm/preact.js';
import { isInParts, send } from '../model/answers.js';
import { pathOf, snippets } from '../model/requests.js';

/** @import { Ask } from '../declarations.ts' */

/** A button that copies a text and confirms it. @param {{ text: string, label: string, name?: string }} props */
export function CopyButton({ text, label, name }) {
  const [state, setState] = useState('');
  const copy = async () => {
    // A page that is not from a secure origin has no clipboard.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    if (!isCopied) prompt('Copy this text:', text);
    setState(isCopied ? 'Copied' : '');
    setTimeout(() => setState(''), 2000);
  };
  return html`<button type="button" class="link" aria-label=${state || name || undefined} onClick=${copy}>${state || label}</button>`;
}

/** A picture's request as URL, curl and Python. @param {{ ask: Ask, name: string }} props */
export function CopyRequest({ ask, name }) {
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  const texts = snippets(location.origin, ask, isInParts());
  return html`<button type="button" class="link" aria-label=${`Copy the request of ${name}`} onClick=${() => panel.current?.showPopover()}>Request</button>
    <div class="request" popover="auto" role="dialog" aria-label=${`Request of ${name}`} ref=${panel}>
      <code tabindex="0">${location.origin}${pathOf(ask)}</code>
      <span><${CopyButton} text=${texts.url} label="Copy URL" /><${CopyButton} text=${texts.curl} label="Copy curl" /><${CopyButton} text=${texts.python} label="Copy Python" /></span>
    </div>`;
}

/**
 * Downloads an answer as a file. The key is in a header, so the browser cannot follow a link: the file is built from
 * `fetch` responses, in parts if the plan allows no larger request.
 *
 * @param {{ url: string, file: string, label: string, name: string }} props
 */
export function DownloadButton({ url, file, label, name }) {
  const [state, setState] = useState('');
  const start = async () => {
    setState('…');
    try {
      save(new Blob(await readParts(url, (megabytes) => setState(`${megabytes.toFixed(1)} MB`))), file);
      setState('');
    } catch (error) {
      const { title, detail } = describe(error);
      setState(`${title}: ${detail}`);
    }
  };
  return html`<button type="button" class="link" aria-label=${`${label} of ${name}`} onClick=${start}>${label}</button>${state && html`<span class="muted" role="status"> ${state}</span>`}`;
}

const MB = 1_000_000;

/** @param {string} url @param {(megabytes: number) => void} onProgress @returns {Promise<Blob[]>} */
async function readParts(url, onProgress) {
  /** @type {Blob[]} */
  const parts = [];
  for (let cursor = '', hasMore = true; hasMore; ) {
    const next = new URL(url, location.origin);
    if (cursor !== '') next.searchParams.set('cursor', cursor);
    const response = await send(next.href, new AbortController().signal);
    const part = await response.blob();
    parts.push(cursor === '' || !url.includes('.csv') ? part : await withoutHeader(part));
    onProgress(parts.reduce((sum, { size }) => sum + size, 0) / MB);
    hasMore = response.headers.get('X-Has-More') === 'true';
    cursor = response.headers.get('X-Next-Cursor') ?? '';
  }
  return parts;
}

/** @param {Blob} csv */
async function withoutHeader(csv) {
  // The header row is ASCII, without line breaks in its values.
  const start = await csv.slice(0, 65_536).text();
  return csv.slice(start.indexOf('\n') + 1);
}

/** @param {Blob} file @param {string} name */
function save(file, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Most browsers have opened the file when the click returns; the minute is for slow ones.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** What went wrong. @param {unknown} error */
export function describe(error) {
  if (error instanceof TransportError) return { title: 'No response', detail: error.message };
  if (!(error instanceof ProblemError)) return { title: 'The page failed', detail: String(error) };
  // If only one parameter is wrong, the detail of the problem describes it.
  const reasons = error.errors.length > 1 ? error.errors : [];
  const list = reasons.map(({ parameter, detail }) => ` ${parameter} ${detail}.`).join('');
  return { title: error.title, detail: `${error.detail}${list}` };
}
