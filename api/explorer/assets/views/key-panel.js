import { byId } from '../element.js';
import { sessionKey } from '../requests/session-key.js';

const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * The form for the key, or what is known of the key in use.
 *
 * @param {() => void} onChange after a key was entered or forgotten
 */
export function createKeyPanel(onChange) {
  const entry = byId('key-entry', HTMLDivElement);
  const inUse = byId('key-in-use', HTMLDivElement);
  const input = byId('key', HTMLInputElement);
  const forget = byId('forget-key', HTMLButtonElement);
  input.addEventListener('input', () => input.setCustomValidity(''));
  byId('key-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    const key = input.value.trim();
    // A browser sends no other character in a header, and says only that the service cannot be reached.
    input.setCustomValidity(VISIBLE_ASCII.test(key) ? '' : 'This is no API key: copy it once more.');
    if (!input.reportValidity()) return;
    sessionKey.write(key);
    input.value = '';
    onChange();
  });
  forget.addEventListener('click', () => {
    sessionKey.forget();
    onChange();
    input.focus();
  });
  return {
    /** @param {string | undefined} plan that of a key that was accepted */
    show(plan) {
      const hadFocus = entry.contains(document.activeElement);
      entry.hidden = plan !== undefined;
      inUse.hidden = plan === undefined;
      if (hadFocus && plan !== undefined) forget.focus();
      byId('key-plan', HTMLParagraphElement).textContent = `Your key has the plan ${plan}.`;
    },
  };
}
