import { html, useState } from '/assets/htm/preact.js';
import { entryClass } from '../charts/chart.js';
import { WindArrow } from '../charts/lanes.js';
import { CopyButton } from '../elements/request-links.js';
import {
  countryName,
  formatAge,
  formatLocalTime,
  formatNumber,
  formatPosition,
  formatTime,
} from '../format.js';
import { MOST_ENTRIES, STATION, YEAR } from '../model/address.js';
import { CATEGORIES, valuesOf } from '../model/report-values.js';
import {
  groupsOf,
  reportInWords,
  skyText,
  visibilityText,
  weatherWords,
  windText,
} from '../model/report-words.js';
import { change } from '../navigation.js';

/** @import { Address, Decoded, Entry, Observation, Station } from '../declarations.ts' */

/**
 * Name, location and comparison.
 * @param {{ address: Address, station: Station, entries: readonly Entry[], year: string }} props
 */
export function StationHead({ address, station, entries, year }) {
  const { name, country, latitude, longitude, elevation_m, timezone } = station;
  const facts = [
    countryName(country),
    latitude !== undefined &&
      longitude !== undefined &&
      html`<a href=${`/?q=${latitude},${longitude}`}>${formatPosition(latitude, longitude)}</a>`,
    elevation_m !== undefined && `${formatNumber(elevation_m)} m`,
    timezone && html`<time title=${timezone}>${formatLocalTime(timezone, Date.now())}</time>`,
  ];
  return html`<header class="station-head">
    <div>
      <h1>${station.station} ${name}</h1>
      <p class="facts">${facts.map((fact) => fact && html`<span>${fact}</span>`)}</p>
    </div>
    <div class="controls">
      <${Compare} address=${address} entries=${entries} year=${year} />
      <${CopyButton} text=${location.href} label="Copy link" />
    </div>
  </header>`;
}

/**
 * The compared entries by letter, and a field that adds a station or a year.
 * @param {{ address: Address, entries: readonly Entry[], year: string }} props
 */
function Compare({ address, entries, year }) {
  const [isOpen, setOpen] = useState(false);
  const [problem, setProblem] = useState('');
  /** @param {SubmitEvent} event */
  const add = (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const text = String(new FormData(form).get('other')).trim().toUpperCase();
    if (!YEAR.test(text) && !STATION.test(text))
      return setProblem('Write the code of a station, as in EGLL, or a year.');
    setProblem('');
    form.reset();
    // A comparison is of stations or of years, not both.
    if (YEAR.test(text)) return change({ years: [...new Set([...address.years, text])], with: [], year });
    return change({ with: [...new Set([...address.with, text])], years: [] });
  };
  /** @param {Entry} entry */
  const remove = ({ label }) =>
    change({
      with: address.with.filter((each) => each !== label),
      years: address.years.filter((each) => each !== label),
    });
  return html`<div class="compare">
    ${entries.length > 1 && entries.map((entry, at) => html`<span class="chip ${entryClass(entry)}"><i></i>${entry.label}${at > 0 && html`<button type="button" aria-label=${`Without ${entry.label}`} onClick=${() => remove(entry)}>×</button>`}</span>`)}
    ${entries.length < MOST_ENTRIES && html`<button type="button" class="link" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>Compare</button>`}
    ${
      isOpen &&
      entries.length < MOST_ENTRIES &&
      html`<form onSubmit=${add}>
        <input name="other" aria-label="Station or year to compare" placeholder="EGLL or 2012" maxlength="4" size="10" autocomplete="off" spellcheck="false" ref=${(/** @type {HTMLElement | null} */ field) => field?.focus()} />
        <button type="submit">Add</button>
        ${problem && html`<p role="alert">${problem}</p>`}
      </form>`
    }
  </div>`;
}

/** The newest report: as sent, in figures and in words. @param {{ report: Observation, coverage: string }} props */
export function Now({ report, coverage }) {
  const { observedAt, decoded, raw = '', type } = report;
  const fields = /** @type {Decoded} */ (decoded ?? {});
  const values = valuesOf(report);
  const { wind, direction, temperature, dewPoint, pressure, category } = values;
  const age = Date.now() - values.time;
  const arrow =
    wind !== undefined &&
    direction !== undefined &&
    html`<svg class="wind-arrow" width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true"><${WindArrow} values=${values} /></svg>`;
  const figures = [
    ['Wind', windText(values), 'kt', arrow],
    ['Visibility', visibilityText(fields)],
    ['Weather', weatherWords(values.wx)],
    ['Sky', skyText(fields)],
    [
      'Temperature',
      temperature !== undefined && `${formatNumber(temperature)} / ${formatNumber(dewPoint)}`,
      '°C',
    ],
    ['Pressure', pressure !== undefined && formatNumber(pressure), 'hPa'],
  ];
  return html`<section class="now" aria-label="Newest report">
    <p class="badge ${(category ?? 'unknown').toLowerCase()}" title=${category === undefined ? 'The flight category is unknown' : CATEGORIES[category]}>${category ?? '–'}</p>
    <dl class="figures">${figures.map(([name, text, unit, mark]) => text && html`<div><dt>${name}</dt><dd>${mark}<span>${text}</span> ${unit && text !== 'calm' && html`<small>${unit}</small>`}</dd></div>`)}</dl>
    <p class="raw"><code>${raw.startsWith(type) ? '' : `${type} `}${groupsOf(raw).map(({ text, meaning }) => html`<span title=${meaning}>${text}</span> `)}</code></p>
    <p class="words">${reportInWords(fields)}</p>
    <p class="muted age">Observed <time datetime=${observedAt} title="${formatTime(observedAt)} UTC">${age < 172_800_000 ? formatAge(age) : `${formatTime(observedAt)} UTC, ${formatAge(age)}`}</time>. <span>${coverage}</span></p>
  </section>`;
}
