import { ProblemError, TransportError } from '/assets/client/observations.js';
import { byId, element } from './element.js';

const error = byId('error', HTMLDivElement);
const status = byId('status', HTMLParagraphElement);

/** The same request can succeed a little later. */
const TEMPORARY = [429, 502, 503, 504];

/** @param {string} text */
export function showStatus(text) {
  status.textContent = text;
}

export function clearError() {
  error.hidden = true;
  error.replaceChildren();
}

/**
 * @param {unknown} thrown
 * @param {() => void} again what *Try again* does
 */
export function showError(thrown, again) {
  const { title, detail } = describe(thrown);
  error.replaceChildren(element('p', {}, element('strong', {}, title), ` ${detail}`));
  if (isTemporary(thrown)) {
    const button = element('button', { type: 'button' }, 'Try again');
    button.addEventListener('click', () => {
      clearError();
      again();
    });
    error.append(button);
  }
  error.hidden = false;
  showStatus('');
}

/** @param {unknown} thrown */
function isTemporary(thrown) {
  if (thrown instanceof ProblemError) return TEMPORARY.includes(thrown.status);
  return thrown instanceof TransportError;
}

/** @param {unknown} thrown */
function describe(thrown) {
  if (thrown instanceof ProblemError) {
    // The detail of a problem says what is wrong where that is one parameter alone.
    const reasons = thrown.errors.length > 1 ? thrown.errors : [];
    const lines = reasons.map(({ parameter, detail }) => ` ${parameter} ${detail}.`);
    return { title: thrown.title, detail: `${thrown.detail}${lines.join('')}` };
  }
  if (thrown instanceof TransportError) return { title: 'No response', detail: thrown.message };
  return { title: 'The page failed', detail: String(thrown) };
}
