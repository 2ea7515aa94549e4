import { html, useState } from '/assets/htm/preact.js';
import { Legend, Reading } from '../charts/chart.js';
import {
  CategoryCharts,
  TemperatureChart,
  toMonth,
  WeatherDaysChart,
  WindRoses,
} from '../charts/climate-charts.js';
import { Picture, Section, WhenNear } from '../elements.js';
import { addDays, formatShare } from '../format.js';
import { labelsOf } from '../model/address.js';
import { useAnswers } from '../model/answers.js';
import { flightCategories, normals, windBySeason, yearPeriod } from '../model/requests.js';
import { ENOUGH_HOURS, SPEEDS, shareOfHours } from '../model/statistics.js';

/** @import { Answer, Ask, Daily, Period, Row } from '../declarations.ts' */

const SPEED_MARKS = Object.fromEntries(SPEEDS.map((name, at) => [`speed-${at}`, name]));

const PICTURES = [
  { title: 'Temperature by month', counts: 'By month', ask: normals, chart: TemperatureChart },
  { title: 'Days with weather', counts: 'Days in a month', ask: normals, chart: WeatherDaysChart },
  {
    title: 'Wind rose',
    counts: 'Share of hours by direction and speed',
    ask: windBySeason,
    chart: WindRoses,
    note: html`<span class="legends"><${Legend} items=${SPEED_MARKS} /></span>`,
  },
  {
    title: 'Flight category',
    counts: 'Share of hours with IFR or LIFR by month and hour',
    ask: flightCategories,
    chart: CategoryCharts,
    note: html`<span class="scale low">0<i></i>40 % and more</span>`,
  },
];
const HEIGHT = 268;

/**
 * The climate: of each station's whole record, or of each year if years are compared.
 * @param {{ daily: readonly Daily[], year: string }} props
 */
export function Climate({ daily, year }) {
  const record = daily[0]?.period;
  if (record === undefined) return null;
  const isOfYears = daily.some(({ entry }) => entry.years !== 0);
  const periods = daily.map(({ entry, period }) =>
    isOfYears ? { ...record, ...yearPeriod(record.station, String(Number(year) + entry.years)) } : period,
  );
  const of = isOfYears
    ? `${labelsOf(daily)} at ${record.station}`
    : `${record.from} to ${addDays(record.to, -1)}`;
  const zone = record.timezone === undefined ? 'UTC' : 'local standard time';
  return html`<${Section} id="climate" title="Climate" isFolded=${true} sentence=${`${of}. Hours and days are those of ${zone}.`}>
    <${WhenNear} height=${760}>${() => html`<${Pictures} daily=${daily} periods=${periods} />`}<//>
  <//>`;
}

/** @param {{ daily: readonly Daily[], periods: readonly (Period | undefined)[] }} props */
function Pictures({ daily, periods }) {
  const asks = PICTURES.map(({ ask }) => periods.map((period) => period && ask(period)));
  const answers = useAnswers(asks.flat());
  return html`<div class="climate">${PICTURES.map((picture, at) => {
    const own = answers.slice(at * periods.length, (at + 1) * periods.length);
    return html`<${ClimatePicture} picture=${picture} daily=${daily} ask=${asks[at]?.[0]} answers=${own} />`;
  })}</div>`;
}

/**
 * A picture with what it counts, which is replaced by what is pointed at, and from how much of the hours. Entries with
 * too few hours say so instead.
 * @param {{
 *   picture: typeof PICTURES[number], daily: readonly Daily[], ask: Ask, answers: readonly Answer<readonly Row[]>[],
 * }} props
 */
function ClimatePicture({ picture: { title, counts, chart, note }, daily, ask, answers }) {
  const [pointed, setPointed] = useState('');
  const all = daily.map(({ entry }, at) => {
    const answer = answers[at];
    // The normals have a row for the whole year.
    const rows = (answer?.data ?? []).filter(
      ({ month, season }) => month !== undefined || season !== undefined,
    );
    return { entry, answer, points: rows.map(toMonth), share: shareOfHours(rows) };
  });
  const shown = all.filter(({ answer }) => answer?.data !== undefined);
  const enough = shown.filter(({ share }) => share >= ENOUGH_HOURS);
  const few = shown.filter(({ share }) => share < ENOUGH_HOURS);
  const shares = enough.map(
    ({ entry, share }) => `${shown.length > 1 ? `${entry.label} ` : ''}${formatShare(share)}`,
  );
  const from = shares.length > 0 && `, from ${shares.join(', ')} of the hours`;
  const file = `${ask.parameters.stations}-${title.toLowerCase().replaceAll(' ', '-')}`;
  return html`<${Picture} title=${title} ask=${ask} shown=${all} height=${HEIGHT + 24} file=${file} rows=${answers[0]?.data ?? []} note=${note}>
    <${Reading} style="counts" legend=${[counts, from]} reading=${pointed} />
    ${few.map(({ entry, share }) => html`<p class="empty-line">${share === 0 ? `No report of ${entry.label}.` : `Only ${formatShare(share)} of the hours of ${entry.label} have a report: too few for numbers of its climate.`}</p>`)}
    ${enough.length > 0 ? html`<${chart} shown=${enough} onPoint=${setPointed} />` : html`<div style=${{ height: `${HEIGHT}px` }}></div>`}
  <//>`;
}
