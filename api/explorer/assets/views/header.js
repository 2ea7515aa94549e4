import { html, useEffect, useRef, useState } from '/assets/htm/preact.js';
import { countryName } from '../format.js';
import { formatAddress } from '../model/address.js';
import { useAnswer } from '../model/answers.js';
import { findStations } from '../model/finding.js';
import { stationList } from '../model/requests.js';
import { goTo } from '../navigation.js';

/** The line above every view: search and documents. @param {{ isHome: boolean }} props */
export function Header({ isHome }) {
  return html`<header class="site-header">
    <strong><a href="/">Historical observations</a></strong>
    ${!isHome && html`<${Search} />`}
    <nav aria-label="Site">
      <a href="/docs/first-request">Docs</a>
      <a href="/docs">API</a>
    </nav>
  </header>`;
}

const MOST = 8;

/** A field that searches as the user types (the "combobox" pattern of the ARIA Authoring Practices). */
function Search() {
  const [text, setText] = useState('');
  const [isUsed, setUsed] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  /** @type {import('../model/answers.js').Answer<readonly import('../model/requests.js').ListedStation[]>} */
  const list = useAnswer(isUsed ? stationList : undefined);
  const found = text.trim() === '' ? [] : findStations(list.data ?? [], text).slice(0, MOST);
  const isOpen = isUsed && text.trim() !== '';
  useEffect(() => {
    /** A slash moves the focus to the search, as on many sites. @param {KeyboardEvent} event */
    const focus = (event) => {
      if (
        event.key !== '/' ||
        (event.target instanceof Element && event.target.matches('input, select, textarea'))
      )
        return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  /** @param {string} station */
  const open = (station) => {
    setText('');
    setUsed(false);
    input.current?.blur();
    goTo(formatAddress({ station }));
    scrollTo(0, 0);
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setActive((active + step + found.length) % found.length);
    } else if (event.key === 'Escape') setUsed(false);
    else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = found[active];
      if (chosen !== undefined) open(chosen.station);
      else if (/^[A-Za-z][A-Za-z0-9]{3}$/.test(text.trim())) open(text.trim().toUpperCase());
      else if (text.trim() !== '') goTo(formatAddress({ q: text.trim() }));
    }
  };
  return html`<div class="search" role="search">
    <input ref=${input} type="search" role="combobox" aria-label="Find a station" aria-expanded=${isOpen} aria-controls="found" aria-autocomplete="list" aria-activedescendant=${isOpen && found[active] ? `found-${active}` : undefined}
      placeholder="Station, name, country or position" maxlength="64" autocomplete="off" spellcheck="false" value=${text}
      onFocus=${() => setUsed(true)} onBlur=${() => setUsed(false)} onKeyDown=${press}
      onInput=${(/** @type {Event} */ event) => {
        setText(/** @type {HTMLInputElement} */ (event.currentTarget).value);
        setUsed(true);
        setActive(0);
      }} />
    <ul id="found" role="listbox" aria-label="Stations" hidden=${!isOpen}>
      ${found.map(
        ({ station, name, country, lastReport }, at) =>
          html`<li id=${`found-${at}`} role="option" aria-selected=${at === active} onPointerDown=${(
            /** @type {Event} */ event,
          ) => {
            // The field keeps the focus until the click is done.
            event.preventDefault();
            open(station);
          }}><b>${station}</b> ${name} <span class="muted">${[countryName(country), lastReport === undefined ? 'no report yet' : undefined].filter((part) => part !== undefined).join(' · ')}</span></li>`,
      )}
      ${isOpen && found.length === 0 && html`<li role="option" aria-selected="false" class="muted">${list.data === undefined ? 'Loading' : 'No station of the archive matches.'}</li>`}
    </ul>
  </div>`;
}
