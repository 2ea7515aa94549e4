import { html } from '/assets/htm/preact.js';
import { isPhone, LaneChart } from '../charts/chart.js';
import { dayLanes, reportLanes } from '../charts/lanes.js';
import { Picture, Section } from '../elements/section.js';
import { addDays, addYears, formatNumber, plural } from '../format.js';
import { labelsOf } from '../model/address.js';
import { useAnswers } from '../model/answers.js';
import { months } from '../model/days.js';
import { nights, SYMBOLS, symbolOf, toPoints, valuesOf } from '../model/report-values.js';
import { weatherWords, windText } from '../model/report-words.js';
import { reportsOf } from '../model/requests.js';
import { FIRST_YEAR } from '../model/stations.js';
import { change } from '../navigation.js';

/** @import { Address, Daily, Decoded, Entry, Observation, Period, Span, Station, Values } from '../declarations.ts' */

const SPANS = /** @type {const} */ (['day', 'week', 'month', 'year', 'all']);
const LENGTHS = { day: 1, week: 7, month: 31, year: 366, all: 0 };
const NEWEST = { day: 'Newest day', week: 'Newest seven days', month: 'Newest month' };
/** Height of the charts, so that nothing moves when they appear. */
const HEIGHT = isPhone() ? 421 : 482;
const FIRST_DAY = `${FIRST_YEAR}-01-01`;
const HOUR = 3_600_000;

/**
 * The shown days, ending with the chosen day.
 * @param {Span} span
 * @param {string} day
 * @param {string} first of the record
 */
export function periodOf(span, day, first) {
  const year = Number(day.slice(0, 4));
  const to = addDays(day, 1);
  if (span === 'all') return { from: `${first.slice(0, 4)}-01-01`, to };
  if (span === 'year') return { from: `${year}-01-01`, to: `${year + 1}-01-01` };
  return { from: addDays(to, -LENGTHS[span]), to };
}

/** @param {Period} period */
const daysText = ({ from, to }) => (addDays(from, 1) === to ? from : `${from} to ${addDays(to, -1)}`);

/**
 * The period in one chart: from reports up to a month, from days for a year, from months for all years.
 *
 * @param {{
 *   address: Address, station: Station, day: string, period: Period, entries: readonly Entry[],
 *   daily: readonly Daily[],
 * }} props
 */
export function Recent({ address: { span }, station, day, period, entries, daily }) {
  const newest = (station.lastReport ?? '').slice(0, 10);
  const isNewest = day === newest;
  const days = daysText(period);
  const isLong = span === 'year' || span === 'all';
  const title = isLong ? (span === 'all' ? 'All years' : day.slice(0, 4)) : isNewest ? NEWEST[span] : days;
  /** @param {number} steps */
  const move = (steps) => {
    const next = span === 'year' ? addYears(day, steps) : addDays(day, steps * LENGTHS[span]);
    change({ day: next >= newest ? '' : next });
  };
  /** Text, because a browser's date field orders dates by its own language. @param {Event} event */
  const pickDay = ({ currentTarget }) => {
    const field = /** @type {HTMLInputElement} */ (currentTarget);
    const isDay = /^(19|20)\d\d-\d\d-\d\d$/.test(field.value) && !Number.isNaN(Date.parse(field.value));
    if (isDay) change({ day: field.value === newest ? '' : field.value });
    else field.value = day;
  };
  const controls = html`<div class="tabs" role="group" aria-label="Period">
      ${SPANS.map((name) => html`<button type="button" aria-pressed=${name === span} onClick=${() => change({ span: name })}>${name}</button>`)}
    </div>
    ${
      span !== 'all' &&
      html`<div class="tabs" role="group" aria-label="Earlier and later">
        <button type="button" aria-label="Earlier" onClick=${() => move(-1)}>‹</button>
        <input aria-label="Last day" title="A date, as in 2024-12-25" size="10" maxlength="10" autocomplete="off" value=${day} onChange=${pickDay} />
        <button type="button" aria-label="Later" disabled=${isNewest} onClick=${() => move(1)}>›</button>
      </div>`
    }`;
  return html`<${Section} id="period" title=${title} controls=${controls} sentence=${title === days ? '' : days}>
    ${isLong ? html`<${DailyPeriod} span=${span} period=${period} entries=${entries} daily=${daily} />` : html`<${ReportPeriod} span=${span} period=${period} station=${station} entries=${entries} />`}
  <//>`;
}

/** The days of an entry that are compared with a period. @param {Entry} entry @param {Period} period */
const shifted = ({ station, years }, { from, to }) => ({
  station,
  from: addYears(from, years),
  to: addYears(to, years),
});

/** @param {readonly { readonly time: number }[]} points */
const timesOf = (points) => [...new Set(points.map(({ time }) => time))].sort((a, b) => a - b);

/** @param {Period} period @returns {[number, number]} */
const domainOf = ({ from, to }) => [Date.parse(from), Date.parse(to)];

/** @param {{ span: Span, period: Period, station: Station, entries: readonly Entry[] }} props */
function ReportPeriod({ span, period, station, entries }) {
  const asks = entries.map((entry) => reportsOf(shifted(entry, period)));
  const answers = useAnswers(asks);
  const [ask, answer] = [asks[0], answers[0]];
  const isCompared = entries.length > 1;
  const shown = entries.map((entry, at) => {
    const shift = Date.parse(period.from) - Date.parse(shifted(entry, period).from);
    return { entry, points: toPoints(answers[at]?.data ?? [], shift) };
  });
  const values = shown.map(({ points }) => points);
  const times = timesOf(values.flat().filter(({ isReport }) => isReport));
  const { latitude, longitude, firstReport = '', lastReport = '' } = station;
  const dark =
    latitude === undefined || longitude === undefined || span === 'month'
      ? []
      : nights(latitude, longitude, ...domainOf(period));
  /** @param {number} time @param {number} entry */
  const textAt = (time, entry) => readReport(values[entry] ?? [], time, isCompared);
  const used = SYMBOLS.filter(({ kind }) => values[0]?.some(({ wx }) => symbolOf(wx)?.kind === kind));
  const symbols = html`<span class="symbols">${used.map(({ kind, text, name }) => html`<span><b class="symbol ${kind}">${text}</b> ${name}</span>`)}</span>`;
  const content = isCompared ? 'and flight category' : 'weather, ceiling and visibility';
  const label = `${labelsOf(entries)}: temperature, wind, ${content} of ${period.from} to ${addDays(period.to, -1)}, from ${plural(times.length, 'report')}`;
  return html`<${Picture} ask=${ask} answer=${answer} height=${HEIGHT} file=${`${period.station}-${period.from}-${addDays(period.to, -1)}`} rows=${(answer?.data ?? []).map(tableRow)} note=${!isCompared && used.length > 0 && symbols}>
    ${
      times.length === 0 && !answer?.isLoading
        ? html`<${Empty} ...${period} title=${html`<strong>No report of ${period.station} from ${period.from} to ${addDays(period.to, -1)}.</strong> The archive holds ${firstReport.slice(0, 10)} to ${lastReport.slice(0, 10)}.`}>
            <p><a href=${`/?station=${period.station}`}>Show the newest reports</a></p>
          <//>`
        : html`<${LaneChart} label=${label} span=${span} domain=${domainOf(period)} lanes=${reportLanes(shown, innerWidth < 600)} nights=${dark} times=${times} entries=${entries} items=${times.length === 0 || isCompared ? {} : REPORT_MARKS} textAt=${textAt} />`
    }
  <//>`;
}

const REPORT_MARKS = {
  temperature: 'temperature',
  'dew-point': 'dew point',
  wind: 'wind',
  gust: 'gusts',
  cloud: 'above the ceiling',
  night: 'night',
};
const COLUMNS = ['temp_c', 'dewp_c', 'wdir', 'wspd_kt', 'wgst_kt', 'visib_m', 'altim_hpa', 'wx', 'fltcat'];

/** @param {Observation} report */
function tableRow(report) {
  const fields = /** @type {Decoded} */ (report.decoded ?? {});
  return {
    observedAt: report.observedAt,
    type: report.type,
    ...Object.fromEntries(COLUMNS.map((name) => [name, fields[name]])),
    ceiling_ft: valuesOf(report).ceiling,
  };
}

/** The last report before a time. @param {readonly Values[]} values @param {number} time @param {boolean} isShort */
function readReport(values, time, isShort) {
  const report = values.findLast((each) => each.time <= time);
  if (!report?.isReport) return 'no report';
  const { temperature, dewPoint, ceiling, visibility, category, wx } = report;
  const wind = windText(report);
  const main = [
    `${formatNumber(temperature)} / ${formatNumber(dewPoint)} °C`,
    wind && (wind === 'calm' ? wind : `${wind} kt`),
  ];
  const details = [
    visibility && (visibility >= 10_000 ? '10 km+' : `${formatNumber(visibility / 1000, 1)} km`),
    ceiling === undefined ? 'no ceiling' : `ceiling ${ceiling} ft`,
    weatherWords(wx),
  ];
  return [...main, ...(isShort ? [] : details), category].filter(Boolean).join(' · ');
}

/** @param {{ span: 'year' | 'all', period: Period, entries: readonly Entry[], daily: readonly Daily[] }} props */
function DailyPeriod({ span, period, entries, daily }) {
  const [main] = daily;
  const isAll = span === 'all';
  const shown = daily.map(({ entry, days }) => {
    const { from, to } = shifted(entry, period);
    const own = days.filter(({ date }) => date >= from && date < to);
    const points = (isAll ? months(own) : own).map((day) => ({
      ...day,
      time: Date.parse(addYears(day.date, -entry.years)) + 12 * HOUR,
    }));
    return { entry, points };
  });
  const items = {
    temperature: 'mean temperature',
    range: `lowest to highest${isAll ? ', mean of the days' : ''}`,
    wind: 'mean wind',
    gust: 'strongest gust',
  };
  /** @param {number} time @param {number} entry */
  const textAt = (time, entry) => {
    const point = shown[entry]?.points.find((each) => each.time === time);
    if (!point?.n) return 'no report';
    const parts = [
      `mean ${formatNumber(point.mean, 1)} °C`,
      `${formatNumber(point.low, 1)} to ${formatNumber(point.high, 1)} °C`,
      `wind ${formatNumber(point.wind, 1)} kt`,
      point.gust && `gusts ${point.gust} kt`,
      `${point.n} of ${point.expected} hours`,
    ];
    return parts.filter(Boolean).join(' · ');
  };
  const label = `${labelsOf(entries)}: temperature and wind by ${isAll ? 'month' : 'day'}, ${daysText(period)}`;
  return html`<${Picture} ask=${main?.ask} answer=${main?.answer} height=${HEIGHT} file=${`${period.station}-days`} rows=${shown[0]?.points.map(({ time: _, ...point }) => point) ?? []}>
    <${LaneChart} label=${label} span=${span} domain=${domainOf(period)} lanes=${dayLanes(shown)} times=${timesOf(shown.flatMap(({ points }) => points))} entries=${entries} items=${entries.length > 1 ? {} : items} textAt=${textAt} />
  <//>`;
}

/**
 * What to do where the archive has no report: the command of the operator that loads the days.
 *
 * @param {Period & { title: unknown, children?: unknown }} props
 */
export function Empty({ title, station, from, to, children }) {
  const begin = from < FIRST_DAY ? FIRST_DAY : from;
  return html`<div class="empty">
    <p>${title}</p>
    ${
      to <= FIRST_DAY
        ? html`<p>The archive begins on ${FIRST_DAY}.</p>`
        : html`<p>This command of the operator loads it:</p>
          <pre tabindex="0"><code>npm run load -- --source iem --stations ${station} --from ${begin} --to ${to}</code></pre>`
    }
    ${children}
  </div>`;
}
