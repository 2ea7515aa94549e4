import { html, useState } from '/assets/htm/preact.js';
import { Legend } from '../charts/chart.js';
import { CategoryCharts, TemperatureChart, WeatherDaysChart, WindRoses } from '../charts/climate-charts.js';
import { Picture, Section, WhenNear } from '../elements/section.js';
import { formatShare } from '../format.js';
import { labelsOf } from '../model/address.js';
import { useAnswers } from '../model/answers.js';
import { ENOUGH_HOURS, SPEEDS, shareOfHours } from '../model/climate.js';
import { flightCategories, normals, wholeRecord, windBySeason } from '../model/requests.js';

/** @import { Answer, Ask, Entry, Period, Row, Station } from '../declarations.ts' */

const SPEED_MARKS = Object.fromEntries(SPEEDS.map((name, at) => [`speed-${at}`, name]));

/** `by` are the calendar groups of the answer. */
const PICTURES = [
  { title: 'Temperature by month', counts: 'By month', ask: normals, by: ['month'], chart: TemperatureChart },
  {
    title: 'Days with weather',
    counts: 'Days in a month',
    ask: normals,
    by: ['month'],
    chart: WeatherDaysChart,
  },
  {
    title: 'Wind rose',
    counts: 'Share of hours by direction and speed',
    ask: windBySeason,
    by: ['season'],
    chart: WindRoses,
    note: html`<span class="legends"><${Legend} items=${SPEED_MARKS} /></span>`,
  },
  {
    title: 'Flight category',
    counts: 'Share of hours with IFR or LIFR by month and hour',
    ask: flightCategories,
    by: ['month', 'hour'],
    chart: CategoryCharts,
    note: html`<span class="scale low">0<i></i>40 % and more</span>`,
  },
];
const HEIGHT = 268;

/**
 * The climate: of each station's whole record, or of each year if years are compared.
 *
 * @param {{ stations: readonly (Station | undefined)[], entries: readonly Entry[], year: string }} props
 */
export function Climate({ stations, entries, year }) {
  const record = wholeRecord(stations[0]);
  if (record === undefined) return null;
  const isOfYears = entries.some(({ years }) => years !== 0);
  const periods = entries.map((entry, at) => {
    const own = Number(year) + entry.years;
    if (isOfYears) return { ...record, from: `${own}-01-01`, to: `${own + 1}-01-01` };
    return wholeRecord(stations[at]);
  });
  const of = isOfYears
    ? `${labelsOf(entries)} at ${record.station}`
    : `${record.from.slice(0, 4)} to ${(stations[0]?.lastReport ?? '').slice(0, 10)}`;
  const zone = record.timezone === undefined ? 'UTC' : 'local standard time';
  return html`<${Section} id="climate" title="Climate" isFolded=${true} sentence=${`${of}. Hours and days are those of ${zone}.`}>
    <${WhenNear} height=${760}>${() => html`<${Pictures} entries=${entries} periods=${periods} />`}<//>
  <//>`;
}

/** @param {{ entries: readonly Entry[], periods: readonly (Period | undefined)[] }} props */
function Pictures({ entries, periods }) {
  const asks = PICTURES.map(({ ask }) => periods.map((period) => period && ask(period)));
  const answers = useAnswers(asks.flat());
  return html`<div class="climate">${PICTURES.map((picture, at) => {
    const own = answers.slice(at * periods.length, (at + 1) * periods.length);
    return html`<${ClimatePicture} picture=${picture} entries=${entries} ask=${asks[at]?.[0]} answers=${own} />`;
  })}</div>`;
}

/**
 * A picture with what it counts, which is replaced by what is pointed at, and from how much of the hours. Entries with
 * too few hours say so instead.
 *
 * @param {{
 *   picture: typeof PICTURES[number], entries: readonly Entry[], ask: Ask, answers: readonly Answer<readonly Row[]>[],
 * }} props
 */
function ClimatePicture({ picture: { title, counts, chart, by, note }, entries, ask, answers }) {
  const [pointed, setPointed] = useState('');
  const shown = entries.flatMap((entry, at) => {
    // The normals have a row for the whole year.
    const rows = answers[at]?.data?.filter((row) => by.every((name) => row[name] !== undefined));
    return rows === undefined ? [] : [{ entry, rows, share: shareOfHours(rows, by) }];
  });
  const enough = shown.filter(({ share }) => share >= ENOUGH_HOURS);
  const few = shown.filter(({ share }) => share < ENOUGH_HOURS);
  const shares = shown.map(({ entry, share }) => [shown.length > 1 && entry.label, formatShare(share)]);
  const text = shares.map((parts) => parts.filter(Boolean).join(' ')).join(', ');
  const file = `${ask.parameters.stations}-${title.toLowerCase().replaceAll(' ', '-')}`;
  return html`<${Picture} title=${title} ask=${ask} answer=${answers[0]} height=${HEIGHT + 24} file=${file} rows=${answers[0]?.data ?? []} note=${note}>
    <p class="counts">${pointed || counts}, from ${text} of the hours</p>
    ${few.map(({ entry, share }) => html`<p class="too-few">Only ${formatShare(share)} of the hours of ${entry.label} have a report: too few for numbers of its climate.</p>`)}
    ${enough.length > 0 ? html`<${chart} shown=${enough} onPoint=${setPointed} />` : html`<div style=${{ height: `${HEIGHT}px` }}></div>`}
  <//>`;
}
