import { ProblemError, TransportError } from '/assets/client/observations.js';
import { byId, element } from './element.js';

const error = byId('error', HTMLParagraphElement);
const status = byId('status', HTMLParagraphElement);

/** @param {string} text */
export function showStatus(text) {
  status.textContent = text;
}

export function clearError() {
  error.hidden = true;
  error.replaceChildren();
}

/** @param {unknown} thrown */
export function showError(thrown) {
  const { title, detail } = describe(thrown);
  error.replaceChildren(element('strong', {}, title), ` ${detail}`);
  error.hidden = false;
  showStatus('');
}

/** @param {unknown} thrown */
function describe(thrown) {
  if (thrown instanceof ProblemError) {
    const reasons = thrown.errors.map(({ parameter, detail }) => `${parameter}: ${detail}`);
    return { title: thrown.title, detail: [thrown.detail, ...reasons].join(' ') };
  }
  if (thrown instanceof TransportError) return { title: 'No response', detail: thrown.message };
  return { title: 'The page failed', detail: String(thrown) };
}
