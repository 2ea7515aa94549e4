import { html, render, useLayoutEffect, useState } from 'htm/preact/standalone';
import { onKeyChange, readKey, writeKey } from './key.ts';
import type { Address } from './model/address.ts';
import { setAnswer } from './model/answers.ts';
import { type Station, stationDescription } from './model/requests.ts';
import { titleOf } from './model/stations.ts';
import { chooseUnits } from './model/units.ts';
import { followLink, useAddress } from './navigation.ts';
import { Home } from './views/find.ts';
import { StationPage } from './views/station.ts';

// The address defines what is shown. A control changes the address; each view requests its part and draws the answer.
// No other state exists that a link would lose.

const root = document.getElementById('content') as HTMLElement;
const { guests = '', station: description } = root.dataset;
/** The station of the address, as the service knows it without a key. */
const described: Station | undefined = description === undefined ? undefined : JSON.parse(description);
if (described !== undefined) setAnswer(stationDescription(described.station), [described]);
const keyHint = document.getElementById('key-hint')?.innerHTML;

function App() {
  const address = useAddress();
  const [key, setKey] = useState(readKey());
  useLayoutEffect(() => onKeyChange(() => setKey(readKey())), []);
  chooseUnits(address.units);
  const isHome = address.station === '';
  document.title = titleOf(address, described?.station === address.station ? described.name : undefined);
  const mayRead = key !== undefined || guests !== '';
  const what = isHome ? 'The reports need an API key.' : shownBy(address);
  const keyForm = (problem?: string) => html`<${KeyForm} what=${what} problem=${problem} />`;
  return html`${!mayRead && !isHome && keyForm()}
    ${
      mayRead && !isHome
        ? html`<${StationPage} key=${key} address=${address} keyForm=${keyForm} />`
        : html`<${Home} key=${key} text=${isHome ? address.q : ''} isFocused=${isHome} keyForm=${!mayRead && isHome && keyForm()} />`
    }
    ${key !== undefined && html`<p class="muted key-note">This browser keeps your key. <button type="button" class="link" onClick=${() => writeKey(undefined)}>Forget the key</button></p>`}`;
}

function shownBy({ station, day, year }: Address) {
  const time = day === '' ? year && ` in ${year}` : ` of ${day}`;
  return `This link shows ${station}${time}. Its reports need an API key.`;
}

/** Where a key is entered, to see what the address shows; with the problem of the last one. */
function KeyForm({ what, problem }: { what: string; problem?: string }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get('key');
    writeKey(String(given).trim());
  };
  // A browser sends only visible ASCII characters in a header, and of others reports that the service cannot be reached.
  return html`<form class="key-form" onSubmit=${submit}>
    <p><strong>${what}</strong></p>
    <label for="key">API key</label>
    <div class="row">
      <input id="key" name="key" type="password" autocomplete="off" spellcheck=${false} required
        pattern=" *[!-~]+ *" title="Copy the key as it was given to you" aria-describedby="hint" />
      <button type="submit" class="primary">Use key</button>
    </div>
    ${problem && html`<p class="error" role="alert">${problem}</p>`}
    <p id="hint" class="muted"><span dangerouslySetInnerHTML=${{ __html: keyHint }}></span> This browser keeps the key until you forget it, and sends it to this service alone.</p>
  </form>`;
}

addEventListener('click', followLink);
render(html`<${App} />`, root);
