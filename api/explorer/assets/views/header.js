import { html, useEffect, useRef, useState } from '/assets/htm/preact.js';
import { countryName } from '../format.js';
import { formatAddress, STATION } from '../model/address.js';
import { useAnswer } from '../model/answers.js';
import { stationList } from '../model/requests.js';
import { findStations } from '../model/stations.js';
import { goTo, openStation } from '../navigation.js';

/** @import { ListedStation } from '../declarations.ts' */

/** The line above every view: search and documents. @param {{ isHome: boolean }} props */
export function Header({ isHome }) {
  return html`<header class="site-header">
    <strong><a href="/">Historical observations</a></strong>
    ${!isHome && html`<${Search} />`}
    <nav aria-label="Site">
      <a href="/docs/first-request">Docs</a>
      <a href="/docs">API</a>
      <button type="button" class="color-switch" aria-label="Switch between light and dark" title="Light or dark"></button>
    </nav>
  </header>`;
}

/** Where a station is and what the archive holds of it. @param {ListedStation & { distance?: number }} station */
export function stationNote({ distance, country, lastReport }) {
  const parts = [
    distance === undefined ? undefined : `${Math.round(distance)} km`,
    countryName(country),
    lastReport === undefined ? 'no report yet' : `to ${lastReport.slice(0, 10)}`,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

const MOST = 8;

/** A field that searches as the user types (the "combobox" pattern of the ARIA Authoring Practices). */
function Search() {
  const [given, setGiven] = useState('');
  const [isUsed, setUsed] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const list = useAnswer(isUsed ? stationList : undefined);
  const text = given.trim();
  const found = text === '' ? [] : findStations(list.data ?? [], text).slice(0, MOST);
  const isOpen = isUsed && text !== '';
  useEffect(() => {
    /** A slash moves the focus to the search, as on many sites. @param {KeyboardEvent} event */
    const focus = (event) => {
      const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea');
      if (event.key !== '/' || isTyping) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  /** @param {string} station */
  const open = (station) => {
    setGiven('');
    setUsed(false);
    input.current?.blur();
    openStation(station);
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') setUsed(false);
    if (event.key === 'Enter' || (step !== undefined && found.length > 0)) event.preventDefault();
    if (step !== undefined && found.length > 0) setActive((active + step + found.length) % found.length);
    if (event.key !== 'Enter' || text === '') return;
    const code = found[active]?.station ?? text.toUpperCase();
    if (STATION.test(code)) open(code);
    else goTo(formatAddress({ q: text }));
  };
  return html`<div class="search" role="search">
    <input ref=${input} type="search" role="combobox" aria-label="Find a station" aria-expanded=${isOpen} aria-controls="found" aria-autocomplete="list" aria-activedescendant=${isOpen && found[active] ? `found-${active}` : undefined}
      placeholder="Station, name, country or position" maxlength="64" autocomplete="off" spellcheck="false" value=${given}
      onFocus=${() => setUsed(true)} onBlur=${() => setUsed(false)} onKeyDown=${press}
      onInput=${(/** @type {Event} */ event) => {
        setGiven(/** @type {HTMLInputElement} */ (event.currentTarget).value);
        setUsed(true);
        setActive(0);
      }} />
    <ul id="found" role="listbox" aria-label="Stations" hidden=${!isOpen}>
      ${found.map(
        (station, at) =>
          html`<li id=${`found-${at}`} role="option" aria-selected=${at === active} onPointerDown=${(
            /** @type {Event} */ event,
          ) => {
            // The field keeps the focus until the click is done.
            event.preventDefault();
            open(station.station);
          }}><b>${station.station}</b> ${station.name} <span class="muted">${stationNote(station)}</span></li>`,
      )}
      ${isOpen && found.length === 0 && html`<li role="option" aria-selected="false" class="muted">${list.data === undefined ? 'Loading' : 'No station of the archive matches.'}</li>`}
    </ul>
  </div>`;
}
