import { html, render, useEffect, useState } from '/assets/htm/preact.js';
import { onKeyChange, readKey, writeKey } from './key.js';
import { followLink, useAddress } from './navigation.js';
import { Header, Home } from './views/find.js';
import { StationPage } from './views/station.js';

/** @import { Address } from './declarations.ts' */

// The address defines what is shown. A control changes the address; each view requests its part and draws the answer.
// No other state exists that a link would lose.

const root = /** @type {HTMLElement} */ (document.getElementById('main'));
const { guests = '', keyHint = '' } = root.dataset;

function App() {
  const address = useAddress();
  const [key, setKey] = useState(readKey());
  useEffect(() => onKeyChange(() => setKey(readKey())), []);
  const isHome = address.station === '';
  useEffect(() => {
    document.title = isHome ? 'Historical observations' : `${address.station} – Historical observations`;
  }, [address.station]);
  const mayRead = key !== undefined || guests !== '';
  /** @param {string} [problem] of the key */
  const keyForm = (problem) =>
    html`<${KeyForm} what=${isHome ? 'The reports need an API key.' : shownBy(address)} problem=${problem} />`;
  return html`<${Header} isHome=${isHome} />
    <main id="content" tabindex="-1" onClick=${followLink}>
      ${!mayRead && !isHome && keyForm()}
      ${
        mayRead && !isHome
          ? html`<${StationPage} key=${key} address=${address} keyForm=${keyForm} />`
          : html`<${Home} text=${isHome ? address.q : ''} keyForm=${!mayRead && isHome && keyForm()} />`
      }
      ${key !== undefined && html`<p class="muted key-note">This browser keeps your key. <button type="button" class="link" onClick=${() => writeKey(undefined)}>Forget the key</button></p>`}
    </main>`;
}

/** @param {Address} address */
function shownBy({ station, day, year }) {
  const time = day === '' ? year && ` in ${year}` : ` of ${day}`;
  return `This link shows ${station}${time}. Its reports need an API key.`;
}

const VISIBLE_ASCII = /^[!-~]+$/;

/** Where a key is entered. @param {{ what: string, problem?: string }} props `what` is what the address shows */
function KeyForm({ what, problem }) {
  const [wrong, setWrong] = useState('');
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.currentTarget)).get('key');
    const key = String(given).trim();
    // A browser sends no other characters in a header and reports only that the service cannot be reached.
    if (VISIBLE_ASCII.test(key)) writeKey(key);
    else setWrong('This is no API key: copy it once more.');
  };
  return html`<form class="key-form" onSubmit=${submit}>
    <p><strong>${what}</strong></p>
    <label for="key">API key</label>
    <div class="row">
      <input id="key" name="key" type="password" autocomplete="off" spellcheck=${false} required aria-describedby="key-hint" onInput=${() => setWrong('')} />
      <button type="submit" class="primary">Use key</button>
    </div>
    ${(wrong || problem) && html`<p class="error" role="alert">${wrong || problem}</p>`}
    <p id="key-hint" class="muted"><span dangerouslySetInnerHTML=${{ __html: keyHint }}></span> This browser keeps the key until you forget it, and sends it to this service alone.</p>
  </form>`;
}

render(html`<${App} />`, root);
