import { html } from '/assets/htm/preact.js';
import { WindArrow } from '../charts/report-lanes.js';
import {
  countryName,
  formatAge,
  formatLocalTime,
  formatNumber,
  formatPosition,
  formatTime,
} from '../format.js';
import {
  CATEGORY_MEANINGS,
  groupsOf,
  reportInWords,
  skyText,
  valuesOf,
  visibilityText,
  weatherWords,
} from '../model/weather.js';

/** Name and location. @param {{ station: import('../model/requests.js').Station }} props */
export function StationTitle({
  station: { station, name, country, latitude, longitude, elevation_m, timezone },
}) {
  const facts = [
    countryName(country),
    latitude === undefined || longitude === undefined
      ? undefined
      : html`<a href=${`/?near=${latitude},${longitude}`}>${formatPosition(latitude, longitude)}</a>`,
    elevation_m === undefined ? undefined : `${formatNumber(elevation_m)} m`,
    timezone === undefined
      ? undefined
      : html`<time title=${timezone}>${formatLocalTime(timezone, Date.now())}</time>`,
  ].filter((fact) => fact !== undefined);
  return html`<div class="station-title">
    <h1><span class="code">${station}</span> ${name}</h1>
    <p class="facts">${facts.map((fact) => html`<span>${fact}</span>`)}</p>
  </div>`;
}

/** The newest report: as sent, in figures and in words. @param {{ report: import('../model/requests.js').Observation, coverage: string }} props */
export function Now({ report, coverage }) {
  const { observedAt, decoded, raw = '', type } = report;
  const fields = /** @type {import('../model/weather.js').Decoded} */ (decoded ?? {});
  const values = valuesOf(report);
  const age = Date.now() - values.time;
  const figures = [
    ['Wind', windFigure(values)],
    ['Visibility', visibilityText(fields)],
    ['Weather', weatherWords(values.wx)],
    ['Sky', skyText(fields)],
    [
      'Temperature',
      values.temperature === undefined
        ? undefined
        : html`${formatNumber(values.temperature)} / ${formatNumber(values.dewPoint)} <small>°C</small>`,
    ],
    [
      'Pressure',
      values.pressure === undefined ? undefined : html`${formatNumber(values.pressure)} <small>hPa</small>`,
    ],
  ].filter(([, figure]) => figure !== undefined && figure !== '');
  return html`<section class="now" aria-label="Newest report">
    <p class="badge ${(values.category ?? 'unknown').toLowerCase()}" title=${values.category === undefined ? 'The flight category is unknown' : CATEGORY_MEANINGS[values.category]}>${values.category ?? '–'}</p>
    <dl class="figures">${figures.map(([name, figure]) => html`<div><dt>${name}</dt><dd>${figure}</dd></div>`)}</dl>
    <p class="raw"><code>${raw.startsWith(type) ? '' : `${type} `}${groupsOf(raw).map(({ text, meaning }) => html`<span title=${meaning}>${text}</span> `)}</code></p>
    <p class="words">${reportInWords(fields)}</p>
    <p class="muted age">Observed <time datetime=${observedAt} title="${formatTime(observedAt)} UTC">${age < 172_800_000 ? formatAge(age) : `${formatTime(observedAt)} UTC, ${formatAge(age)}`}</time>. ${coverage}</p>
  </section>`;
}

/** @param {import('../model/weather.js').Values} values */
function windFigure(values) {
  const { wind, direction, gust } = values;
  if (wind === undefined) return undefined;
  if (wind === 0) return 'calm';
  return html`<svg class="wind-arrow" width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true"><${WindArrow} values=${values} /></svg>${direction === undefined ? 'variable' : `${String(direction).padStart(3, '0')}°`} ${wind}${gust === undefined ? '' : ` G ${gust}`} <small>kt</small>`;
}
