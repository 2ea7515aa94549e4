import { byId, element } from './element.js';
import { ApiError } from './requests/api-client.js';

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
  const { title, detail } =
    thrown instanceof ApiError ? thrown : { title: 'The page failed', detail: String(thrown) };
  error.replaceChildren(element('strong', {}, title), ` ${detail}`);
  error.hidden = false;
  showStatus('');
}
