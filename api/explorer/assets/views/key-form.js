import { html, useState } from '/assets/htm/preact.js';
import { writeKey } from '../key.js';

const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * Where a key is entered.
 *
 * @param {{ what: string, problem: string | undefined, hint: string }} props `what` is what the address shows; `hint` is
 *   markup from the service
 */
export function KeyForm({ what, problem, hint }) {
  const [wrong, setWrong] = useState('');
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (
      /** @type {HTMLFormElement} */ (event.currentTarget).elements.namedItem('key')
    );
    const key = input.value.trim();
    // A browser sends no other characters in a header and reports only that the service cannot be reached.
    if (!VISIBLE_ASCII.test(key)) return setWrong('This is no API key: copy it once more.');
    return writeKey(key);
  };
  return html`<form class="key-form" onSubmit=${submit}>
    ${what && html`<p><strong>${what}</strong></p>`}
    <label for="key">API key</label>
    <div class="row">
      <input id="key" name="key" type="password" autocomplete="off" spellcheck="false" required aria-describedby="key-hint" onInput=${() => setWrong('')} />
      <button type="submit" class="primary">Use key</button>
    </div>
    ${(wrong || problem) && html`<p class="error" role="alert">${wrong || problem}</p>`}
    <p id="key-hint" class="muted"><span dangerouslySetInnerHTML=${{ __html: hint }}></span> This browser keeps the key until you forget it, and sends it to this service alone.</p>
  </form>`;
}
