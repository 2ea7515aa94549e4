import { html, useEffect, useRef } from 'htm/preact/standalone';
import { heightOf, LaneChart } from '../charts/chart.js';
import { dayLanes, nights, reportLanes } from '../charts/lanes.js';
import { CopyRequest, DownloadButton, Picture, Section } from '../charts/picture.js';
import { AnswerState, CopyButton, DaysText, Empty, isPhone, LongList } from '../elements.js';
import { addDays, addYears, formatNumber, formatTime, HOUR, plural } from '../format.js';
import { isDay, labelsOf, reportAddress } from '../model/address.js';
import { useAnswer, useAnswers } from '../model/answers.js';
import { SYMBOLS, symbolOf, toPoints, valuesOf } from '../model/report-values.js';
import { reportInWords, weatherWords, windText } from '../model/report-words.js';
import { pathOf, reportsOf, yearPeriod } from '../model/requests.js';
import { months } from '../model/statistics.js';
import { change } from '../navigation.js';

/**
 * @import { Address, Ask, Coverage, Daily, Day, Decoded, Entry, Observation, Period, Span, Station, Values }
 *   from '../declarations.ts'
 */

// The shown period: its chart, and its reports as they were sent.

/** Days of each span. */
const LENGTHS = { day: 1, week: 7, month: 31, year: 366, all: 0 };
const NEWEST = { day: 'Newest day', week: 'Newest seven days', month: 'Newest month' };

/**
 * The shown days: up to a month they end with the chosen day.
 * @param {Span} span
 * @param {string} day
 * @param {Station} station
 * @returns {Period}
 */
export function periodOf(span, day, { station, firstReport = '', lastReport = '' }) {
  if (span === 'year') return yearPeriod(station, day.slice(0, 4));
  if (span === 'all')
    return { station, from: `${firstReport.slice(0, 4)}-01-01`, to: addDays(lastReport.slice(0, 10), 1) };
  return { station, from: addDays(day, 1 - LENGTHS[span]), to: addDays(day, 1) };
}

/** @param {Span} span */
const isLong = (span) => span === 'year' || span === 'all';

/** @param {Period} period */
const daysText = ({ from, to }) => (addDays(from, 1) === to ? from : `${from} to ${addDays(to, -1)}`);

/** The name of a file, without its extension. @param {Period} period */
const fileOf = ({ station, from, to }) => `${station}-${from}-${addDays(to, -1)}`;

/**
 * The period in one chart: from reports up to a month, from days for a year, from months for all years.
 * @param {{
 *   address: Address, station: Station, day: string, period: Period, daily: readonly Daily[], coverage: Coverage | undefined,
 * }} props
 */
export function Recent({ address: { span }, station, day, period, daily, coverage }) {
  const newest = (station.lastReport ?? '').slice(0, 10);
  const isNewest = day === newest;
  const days = daysText(period);
  const title = { year: day.slice(0, 4), all: 'All years', ...(isNewest && NEWEST) }[span] ?? days;
  /** @param {number} steps */
  const move = (steps) => {
    const next = span === 'year' ? addYears(day, steps) : addDays(day, steps * LENGTHS[span]);
    change({ day: next >= newest ? '' : next });
  };
  /** Text, because a browser's date field orders dates by its own language. @param {Event} event */
  const pickDay = ({ currentTarget }) => {
    const field = /** @type {HTMLInputElement} */ (currentTarget);
    if (isDay(field.value)) change({ day: field.value === newest ? '' : field.value });
    else field.value = day;
  };
  const controls = html`<div class="tabs" role="group" aria-label="Period">
      ${Object.keys(LENGTHS).map((name) => html`<button type="button" aria-pressed=${name === span} onClick=${() => change({ span: /** @type {Span} */ (name) })}>${name}</button>`)}
    </div>
    ${
      span !== 'all' &&
      html`<div class="tabs" role="group" aria-label="Earlier and later">
        <button type="button" aria-label="Earlier" onClick=${() => move(-1)}>‹</button>
        <input aria-label="Last day" title="A date, as in 2024-12-25" size="10" maxlength="10" autocomplete="off" value=${day} onChange=${pickDay} />
        <button type="button" aria-label="Later" disabled=${isNewest} onClick=${() => move(1)}>›</button>
      </div>`
    }`;
  return html`<${Section} id="period" title=${title} controls=${controls} sentence=${[title !== days && `${days}. `, coverage && html`<${DaysText} coverage=${coverage} period=${period} isBrief=${true} />`]}>
    ${isLong(span) ? html`<${DailyPeriod} span=${span} period=${period} daily=${daily} />` : html`<${ReportPeriod} span=${span} period=${period} station=${station} entries=${daily.map(({ entry }) => entry)} />`}
  <//>`;
}

/** The days of an entry that are compared with a period. @param {Entry} entry @param {Period} period */
const shifted = ({ station, years }, { from, to }) => ({
  station,
  from: addYears(from, years),
  to: addYears(to, years),
});

/** @param {Period} period @returns {[number, number]} */
const domainOf = ({ from, to }) => [Date.parse(from), Date.parse(to)];

/** @param {{ span: Span, period: Period, station: Station, entries: readonly Entry[] }} props */
function ReportPeriod({ span, period, station, entries }) {
  const asks = entries.map((entry) => reportsOf(shifted(entry, period)));
  const answers = useAnswers(asks);
  const [answer] = answers;
  const isCompared = entries.length > 1;
  const shown = entries.map((entry, at) => {
    const shift = Date.parse(period.from) - Date.parse(shifted(entry, period).from);
    return { entry, answer: answers[at], points: toPoints(answers[at]?.data ?? [], shift) };
  });
  const count = shown.flatMap(({ points }) => points.filter(({ isReport }) => isReport)).length;
  const { latitude, longitude, firstReport = '', lastReport = '' } = station;
  const isOutside = period.to <= firstReport || period.from > lastReport;
  const dark =
    latitude === undefined || longitude === undefined || span === 'month'
      ? []
      : nights({ latitude, longitude }, domainOf(period));
  const hasNight = dark.some(({ low }) => low !== undefined);
  /** @param {Values} report */
  const textOf = (report) => readReport(report, isCompared);
  const used = SYMBOLS.filter(({ kind }) => shown[0]?.points.some(({ wx }) => symbolOf(wx)?.kind === kind));
  const symbols = html`<span class="symbols">${used.map(({ kind, text, name }) => html`<span><b class="symbol ${kind}">${text}</b> ${name}</span>`)}</span>`;
  const shared = isCompared && hasNight ? { night: `night at ${period.station}` } : {};
  const marks = { ...REPORT_MARKS, ...(hasNight && { night: 'night' }) };
  const content = isCompared ? 'and flight category' : 'weather, ceiling and visibility';
  const lanes = reportLanes(shown);
  const label = `${labelsOf(shown)}: temperature, wind, ${content} of ${daysText(period)}, from ${plural(count, 'report')}`;
  return html`<${Picture} id="period-chart" ask=${asks[0]} shown=${shown} height=${isOutside ? (isPhone() ? 280 : 134) : heightOf(lanes)} file=${fileOf(period)} rows=${(answer?.data ?? []).map(tableRow)} note=${!isCompared && used.length > 0 && symbols}>
    ${
      count === 0 && !answer?.isLoading
        ? html`<${Empty} ...${period}
            title=${html`<strong>No report of ${period.station} in these days.</strong> The archive holds ${firstReport.slice(0, 10)} to ${lastReport.slice(0, 10)}. <a href=${`/?station=${period.station}`}>Show the newest reports</a>`} />`
        : html`<${LaneChart} label=${label} span=${span} domain=${domainOf(period)} lanes=${lanes} nights=${dark} shown=${shown} items=${count === 0 ? {} : marks} shared=${shared} textOf=${textOf} />`
    }
  <//>`;
}

const REPORT_MARKS = {
  temperature: 'temperature',
  'dew-point': 'dew point',
  wind: 'wind',
  gust: 'gusts',
  cloud: 'above the ceiling',
};
/** @type {readonly (keyof Decoded)[]} */
const COLUMNS = ['temp_c', 'dewp_c', 'wdir', 'wspd_kt', 'wgst_kt', 'altim_hpa', 'wx', 'fltcat'];

/** @param {Observation} report */
function tableRow(report) {
  const { observedAt, type, decoded = {} } = report;
  const values = COLUMNS.map((name) => [name, decoded[name]]);
  const { ceiling, visibilityText } = valuesOf(report);
  return { observedAt, type, ...Object.fromEntries(values), visibility: visibilityText, ceiling_ft: ceiling };
}

/** @param {Values} report @param {boolean} isShort */
function readReport(report, isShort) {
  if (!report.isReport) return undefined;
  const { temperature, dewPoint, ceiling, visibilityText, category, wx } = report;
  const wind = windText(report);
  const main = [
    `${formatNumber(temperature)} / ${formatNumber(dewPoint)} °C`,
    wind && (wind === 'calm' ? wind : `${wind} kt`),
  ];
  const details = [
    visibilityText,
    ceiling === undefined ? 'no ceiling' : `ceiling ${ceiling} ft`,
    weatherWords(wx),
  ];
  return [...main, ...(isShort ? [] : details), category].filter(Boolean).join(' · ');
}

/** @param {{ span: 'year' | 'all', period: Period, daily: readonly Daily[] }} props */
function DailyPeriod({ span, period, daily }) {
  const isAll = span === 'all';
  const shown = daily.map(({ entry, answer, points: days }) => {
    const { from, to } = shifted(entry, period);
    const own = days.filter(({ date }) => date >= from && date < to);
    const points = (isAll ? months(own) : own).map((day) => ({
      ...day,
      time: Date.parse(addYears(day.date, -entry.years)) + 12 * HOUR,
    }));
    return { entry, answer, points };
  });
  const items = {
    temperature: 'mean temperature',
    range: `lowest to highest${isAll ? ', mean of the days' : ''}`,
    wind: 'mean wind',
    gust: 'strongest gust',
  };
  /** @param {Day & { readonly time: number }} point @param {number} time */
  const textOf = (point, time) => {
    if (point.time !== time || point.n === 0) return undefined;
    const parts = [
      `mean ${formatNumber(point.temperature, 1)} °C`,
      `${formatNumber(point.low, 1)} to ${formatNumber(point.high, 1)} °C`,
      `wind ${formatNumber(point.wind, 1)} kt`,
      point.gust && `gusts ${point.gust} kt`,
      `${point.n} of ${point.expected} hours`,
    ];
    return parts.filter(Boolean).join(' · ');
  };
  const lanes = dayLanes(shown);
  const label = `${labelsOf(shown)}: temperature and wind by ${isAll ? 'month' : 'day'}, ${daysText(period)}`;
  return html`<${Picture} id="period-chart" ask=${daily[0]?.ask} shown=${shown} height=${heightOf(lanes)} file=${`${period.station}-days`} rows=${shown[0]?.points.map(({ time: _, ...point }) => point) ?? []}>
    <${LaneChart} label=${label} span=${span} domain=${domainOf(period)} lanes=${lanes} shown=${shown} items=${items} textOf=${textOf} />
  <//>`;
}

const FORMATS = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet', arrow: 'Arrow' };

/**
 * The reports of the shown period as sent, each with its meaning on demand.
 * @param {{ address: Address, period: Period }} props
 */
export function Reports({ address: { span, report }, period }) {
  const ask = reportsOf(period);
  const whole = { ...ask, parameters: { ...ask.parameters, limit: undefined } };
  const file = fileOf(period);
  const name = 'the reports';
  return html`<${Section} key=${report} id="reports" title="Reports" isFolded=${report === ''} sentence=${`${daysText(period)}, as they were sent. A click on a report explains it.`} controls=${html`<span class="links" role="group" aria-label="Download">
      ${Object.entries(FORMATS).map(([format, label]) => html`<${DownloadButton} url=${pathOf(whole, `.${format}`)} file=${`${file}.${format}`} label=${label} name=${name} />`)}
      <${CopyRequest} ask=${ask} name=${name} />
    </span>`}>
    ${isLong(span) ? html`<p class="empty-line">These are too many to list: choose a day of the year above, a week or a month. The download has all of them.</p>` : html`<${ReportList} key=${file} ask=${ask} chosen=${report} />`}
  <//>`;
}

/** @param {{ ask: Ask<readonly Observation[]>, chosen: string }} props `chosen` is the id of the linked report */
function ReportList({ ask, chosen }) {
  const answer = useAnswer(ask);
  // Newest first, as people read them.
  const reports = [...(answer.data ?? [])].reverse();
  const at = reports.findIndex(({ id }) => id === chosen);
  /** @param {Observation} report */
  const row = (report) =>
    html`<${ReportRow} key=${report.id} report=${report} isChosen=${report.id === chosen} />`;
  return html`<${AnswerState} answer=${answer} height=${446}>
    ${reports.length === 0 && html`<p class="empty-line">No report in these days.</p>`}
    ${chosen !== '' && at < 0 && html`<p class="error" role="alert">The linked report is not in the archive: a correction may have replaced it.</p>`}
    <${LongList} key=${chosen} style="report-list" items=${reports} least=${at + 1} noun="report" row=${row} />
  <//>`;
}

/** @param {{ report: Observation, isChosen: boolean }} props */
function ReportRow({ report, isChosen }) {
  const { observedAt, type, raw, decoded, parseStatus } = report;
  const row = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'center' });
  }, [isChosen]);
  const address = reportAddress(report);
  return html`<li ref=${row}>
    <details open=${isChosen}>
      <summary><time class="muted" datetime=${observedAt}>${formatTime(observedAt)}</time><span class="muted ${type.toLowerCase()}">${type}</span><code>${raw}</code></summary>
      ${
        decoded === undefined
          ? html`<p class="muted">${parseStatus === 'failed' ? 'A group could not be explained, so no field is given.' : 'Not decoded yet.'}</p>`
          : html`<p>${reportInWords(decoded)}</p>
              <dl class="fields">${Object.entries(decoded).map(([field, value]) => html`<div><dt>${field}</dt><dd>${formatValue(value)}</dd></div>`)}</dl>`
      }
      <p class="links"><a href=${address}>This report alone</a> <${CopyButton} text=${location.origin + address} label="Copy link" /></p>
    </details>
  </li>`;
}

/** A list of objects as `BKN 1200; OVC 3000`. @param {unknown} value */
function formatValue(value) {
  if (!Array.isArray(value)) return String(value);
  return value.map((item) => Object.values(item).join(' ')).join('; ');
}
