import { html } from '/assets/htm/preact.js';
import {
  CategoryChart,
  DaysChart,
  TemperatureChart,
  usePointed,
  WEATHER_DAYS,
  WindRoses,
} from '../charts/climate-charts.js';
import { Picture, Section, WhenNear } from '../elements/section.js';
import { formatShare } from '../format.js';
import { useAnswer } from '../model/answers.js';
import { ENOUGH_HOURS, SPEEDS, shareOfHours } from '../model/climate.js';
import {
  flightCategories,
  normals,
  stationDescription,
  wholeRecord,
  windBySeason,
} from '../model/requests.js';

/**
 * @typedef {import('../model/requests.js').Row} Row
 * @typedef {import('../model/requests.js').Period} Period
 * @typedef {import('../model/requests.js').Station} Station
 * @typedef {import('../model/entries.js').Entry} Entry
 * @typedef {{ entry: Entry, rows: readonly Row[] }} EntryRows
 */

/** The climate: of a station's whole record, or of each year if years are compared. @param {{ station: Station, entries: readonly Entry[], year: string }} props */
export function Climate({ station, entries, year }) {
  const record = wholeRecord(station);
  if (record === undefined) return null;
  const isOfYears = entries.some(({ years }) => years !== 0);
  const sentence = isOfYears
    ? `${entries.map(({ label }) => label).join(', ')} at ${station.station}. Hours and days are those of ${station.timezone === undefined ? 'UTC' : 'local standard time'}.`
    : `${record.from.slice(0, 4)} to ${(station.lastReport ?? '').slice(0, 10)}. Hours and days are those of ${station.timezone === undefined ? 'UTC' : 'local standard time'}.`;
  return html`<${Section} id="climate" title="Climate" isFolded=${true} sentence=${sentence}>
    <${WhenNear} height=${760}>${() => html`<${Charts} record=${record} entries=${entries} year=${year} />`}<//>
  <//>`;
}

/** @param {{ record: Period, entries: readonly Entry[], year: string }} props */
function Charts({ record, entries, year }) {
  const isOfYears = entries.some(({ years }) => years !== 0);
  // The number of hooks stays the same, however many entries are compared.
  const periods = [
    usePeriod(entries[0], record, year, isOfYears),
    usePeriod(entries[1], record, year, isOfYears),
    usePeriod(entries[2], record, year, isOfYears),
    usePeriod(entries[3], record, year, isOfYears),
  ];
  return html`<div class="climate">
    <${MeanMonths} periods=${periods} />
    <${Wind} periods=${periods} />
    <${Categories} periods=${periods} />
  </div>`;
}

/** @typedef {{ entry: Entry | undefined, period: Period | undefined }} EntryPeriod */

/** @param {Entry | undefined} entry @param {Period} record @param {string} year @param {boolean} isOfYears @returns {EntryPeriod} */
function usePeriod(entry, record, year, isOfYears) {
  const isOther = entry !== undefined && entry.station !== record.station;
  /** @type {import('../model/answers.js').Answer<readonly Station[]>} */
  const described = useAnswer(isOther ? stationDescription(entry.station) : undefined);
  if (entry === undefined) return { entry, period: undefined };
  if (isOther) return { entry, period: described.data?.[0] && wholeRecord(described.data[0]) };
  const own = String(Number(year) + entry.years);
  return {
    entry,
    period: isOfYears ? { ...record, from: `${own}-01-01`, to: `${Number(own) + 1}-01-01` } : record,
  };
}

/**
 * The answer to one question about each entry.
 *
 * @param {readonly EntryPeriod[]} periods
 * @param {(period: Period) => import('../model/requests.js').Ask} askOf
 */
function useEach(periods, askOf) {
  /** @param {number} at */
  const useOne = (at) => {
    const period = periods[at]?.period;
    const ask = period && askOf(period);
    /** @type {import('../model/answers.js').Answer<readonly Row[]>} */
    const answer = useAnswer(ask);
    return { entry: periods[at]?.entry, ask, answer };
  };
  const each = [useOne(0), useOne(1), useOne(2), useOne(3)];
  const shown = each.flatMap(({ entry, answer }) =>
    entry === undefined || answer.data === undefined ? [] : [{ entry, rows: answer.data }],
  );
  return { main: each[0], shown };
}

/**
 * A picture, or why it is missing: too few hours have reports.
 *
 * @param {{
 *   title: string, counts: string, each: ReturnType<typeof useEach>, groups: readonly string[], note?: unknown,
 *   height?: number, draw: (shown: readonly EntryRows[]) => unknown,
 * }} props
 */
function ClimatePicture({ title, counts, each: { main, shown }, groups, note, height = 244, draw }) {
  if (main?.ask === undefined) return null;
  const shares = shown.map(({ entry, rows }) => ({ entry, rows, share: shareOfHours(rows, groups) }));
  const enough = shares.filter(({ share }) => share >= ENOUGH_HOURS);
  const few = shares.filter(({ share }) => share < ENOUGH_HOURS);
  const texts = shares.map(
    ({ entry, share }) => `${shares.length > 1 ? `${entry.label} ` : ''}${formatShare(share)}`,
  );
  return html`<${Picture} title=${title} ask=${main.ask} answer=${main.answer} height=${height + 48} file=${`${main.entry?.station}-${title.toLowerCase().replaceAll(' ', '-')}`} rows=${main.answer.data ?? []} note=${note}>
    <p class="counts">${counts}, from ${texts.join(', ')} of the hours</p>
    ${few.map(({ entry, share }) => html`<p class="too-few">Only ${formatShare(share)} of the hours of ${entry.label} have a report: too few for numbers of its climate.</p>`)}
    ${enough.length > 0 ? draw(enough) : html`<div style=${{ height: `${height}px` }}></div>`}
  <//>`;
}

/** Temperature and days with weather, from one answer. @param {{ periods: readonly EntryPeriod[] }} props */
function MeanMonths({ periods }) {
  const { main, shown } = useEach(periods, normals);
  // The row without a month is for the whole year.
  const each = {
    main,
    shown: shown.map(({ entry, rows }) => ({ entry, rows: rows.filter(({ month }) => month !== undefined) })),
  };
  const [text, point] = usePointed();
  const legend = html`<${EntryLegend} shown=${shown} />`;
  return html`<${ClimatePicture} title="Temperature by month" counts="Bars: mean low to mean high, line: mean, whiskers: records" each=${each} groups=${['month']} note=${legend}
      draw=${(/** @type {readonly EntryRows[]} */ given) => html`<${TemperatureChart} shown=${given} label="Temperature by month at ${labels(given)}" />`} />
    <${ClimatePicture} title="Days with weather" counts=${text || `Mean days a month with ${WEATHER_DAYS.join(', ')}`} each=${each} groups=${['month']} note=${legend}
      draw=${(/** @type {readonly EntryRows[]} */ given) => html`<${DaysChart} shown=${given} label="Days with weather by month at ${labels(given)}" onPoint=${point} />`} />`;
}

/** @param {{ periods: readonly EntryPeriod[] }} props */
function Wind({ periods }) {
  const each = useEach(periods, windBySeason);
  const [text, point] = usePointed();
  const legend = html`<span class="legends">${SPEEDS.map((name, at) => html`<span class="legend speed-${at}"><i></i>${name}</span>`)}</span>`;
  return html`<${ClimatePicture} title="Wind rose" counts=${text || 'Share of hours by direction and speed'} each=${each} groups=${['season']} note=${legend} height=${268}
    draw=${(/** @type {readonly EntryRows[]} */ shown) => html`<div class=${shown.length > 1 ? 'each' : ''}>${shown.map(({ entry, rows }) => html`<div>${shown.length > 1 && html`<h4>${entry.label}</h4>`}<${WindRoses} isSmall=${shown.length > 1} rows=${rows} label="Wind rose of ${entry.label}" onPoint=${point} /></div>`)}</div>`} />`;
}

/** @param {{ periods: readonly EntryPeriod[] }} props */
function Categories({ periods }) {
  const each = useEach(periods, flightCategories);
  const [text, point] = usePointed();
  return html`<${ClimatePicture} title="Flight category" counts=${text || 'Share of hours with IFR or LIFR by month and hour'} each=${each} groups=${['month', 'hour']} note=${html`<span class="scale low">0<i></i>40 % and more</span>`}
    draw=${(/** @type {readonly EntryRows[]} */ shown) => html`<div class=${shown.length > 1 ? 'each' : ''}>${shown.map(({ entry, rows }) => html`<div>${shown.length > 1 && html`<h4>${entry.label}</h4>`}<${CategoryChart} isSmall=${shown.length > 1} rows=${rows} label="IFR or LIFR by month and hour at ${entry.label}" onPoint=${point} /></div>`)}</div>`} />`;
}

/** @param {{ shown: readonly EntryRows[] }} props */
function EntryLegend({ shown }) {
  return shown.length < 2
    ? null
    : html`<span class="legends">${shown.map(({ entry }) => html`<span class="legend ${`entry-${entry.letter}`}"><i></i>${entry.label}</span>`)}</span>`;
}

/** @param {readonly EntryRows[]} shown */
const labels = (shown) => shown.map(({ entry }) => entry.label).join(', ');
