import { ProblemError } from '/assets/client/observations.js';
import { html, render, useEffect, useState } from '/assets/htm/preact.js';
import { onKeyChange, readKey, writeKey } from './key.js';
import { parseAddress } from './model/address.js';
import { useAnswer } from './model/answers.js';
import { stationDescription } from './model/requests.js';
import { followLink, useAddress } from './navigation.js';
import { Header } from './views/header.js';
import { Home } from './views/home.js';
import { KeyForm } from './views/key-form.js';
import { StationPage } from './views/station.js';

// The address defines what is shown. A control changes the address; each view requests its part and draws the answer.
// No other state exists that a link would lose.

const NOWHERE = parseAddress('');
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
  const keyForm = mayRead
    ? undefined
    : html`<${KeyForm} what=${isHome ? 'The reports need an API key.' : shownBy(address)} problem=${undefined} hint=${keyHint} />`;
  return html`<${Header} isHome=${isHome} />
    <main id="content" tabindex="-1" onClick=${followLink}>
      ${
        mayRead && !isHome
          ? html`<${Checked} key=${key} address=${address} />`
          : html`${keyForm !== undefined && !isHome && keyForm}<${Home} address=${isHome ? address : NOWHERE} keyForm=${isHome && keyForm} />`
      }
      ${key !== undefined && html`<p class="muted key-note">This browser keeps your key. <button type="button" class="link" onClick=${() => writeKey(undefined)}>Forget the key</button></p>`}
    </main>`;
}

/** Asks again if the key is invalid. @param {{ address: import('./model/address.js').Address }} props */
function Checked({ address }) {
  const { error } = useAnswer(stationDescription(address.station));
  const isRefused = error instanceof ProblemError && error.status === 401;
  return isRefused
    ? html`<${KeyForm} what=${shownBy(address)} problem=${error.detail} hint=${keyHint} />`
    : html`<${StationPage} address=${address} />`;
}

/** @param {import('./model/address.js').Address} address */
function shownBy({ station, day, year }) {
  return `This link shows ${station}${day === '' ? (year === '' ? '' : ` in ${year}`) : ` of ${day}`}. Its reports need an API key.`;
}

render(html`<${App} />`, root);
