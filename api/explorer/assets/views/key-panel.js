import { byId } from '../element.js';
import { sessionKey } from '../requests/session-key.js';

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
  byId('key-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    sessionKey.write(input.value.trim());
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
