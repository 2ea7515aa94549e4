import { html } from '/assets/htm/preact.js';
import { dayLanes } from '../charts/day-lanes.js';
import { isPhone } from '../charts/frame.js';
import { LaneChart } from '../charts/lanes.js';
import { reportLanes } from '../charts/report-lanes.js';
import { Picture, Section } from '../elements/section.js';
import { addDays, addYears, formatNumber, plural } from '../format.js';
import { useAnswer } from '../model/answers.js';
import { FIRST_YEAR } from '../model/coverage.js';
import { months } from '../model/days.js';
import { reports as reportsAsk } from '../model/requests.js';
import { toPieces } from '../model/series.js';
import { nights } from '../model/sun.js';
import { SYMBOLS, symbolOf, valuesOf, weatherWords } from '../model/weather.js';
import { change } from '../navigation.js';

/** @typedef {import('../model/requests.js').Observation} Observation */

const SPANS = /** @type {const} */ (['day', 'week', 'month', 'year', 'all']);
const LENGTHS = { day: 1, week: 7, month: 31, year: 366, all: 0 };
/** Height of the charts, so that nothing moves when they appear. */
const HEIGHT = isPhone() ? 421 : 482;
const FIRST_DAY = `${FIRST_YEAR}-01-01`;

/** The shown days, ending with the chosen day. @param {import('../model/address.js').Span} span @param {string} day @param {string} first of the record */
export function periodOf(span, day, first) {
  const to = addDays(day, 1);
  if (span === 'all') return { from: `${first.slice(0, 4)}-01-01`, to };
  if (span === 'year')
    return { from: `${day.slice(0, 4)}-01-01`, to: `${Number(day.slice(0, 4)) + 1}-01-01` };
  return { from: addDays(to, -LENGTHS[span]), to };
}

/**
 * The period in one chart: from reports up to a month, from days for a year, from months for all years.
 *
 * @param {{
 *   address: import('../model/address.js').Address, station: import('../model/requests.js').Station, day: string,
 *   entries: readonly import('../model/entries.js').Entry[], daily: ReturnType<typeof import('./station.js').useDaily>,
 * }} props
 */
export function Recent({ address, station, day, entries, daily }) {
  const { span } = address;
  const { from, to } = periodOf(span, day, station.firstReport ?? day);
  const isLong = span === 'year' || span === 'all';
  const newest = (station.lastReport ?? '').slice(0, 10);
  const isNewest = day === newest;
  const days = span === 'day' ? day : `${from} to ${addDays(to, -1)}`;
  const newestTitles = { day: 'Last day', week: 'Last seven days', month: 'Last month' };
  const title =
    span === 'all' ? 'All years' : span === 'year' ? day.slice(0, 4) : isNewest ? newestTitles[span] : days;
  const sentence = title === days ? '' : days;
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
  const period = { station: station.station, from, to, timezone: station.timezone };
  return html`<${Section} id="period" title=${title} controls=${controls} sentence=${sentence}>
    ${isLong ? html`<${DailyPeriod} span=${span} period=${period} entries=${entries} daily=${daily} />` : html`<${ReportPeriod} span=${span} period=${period} station=${station} entries=${entries} />`}
  <//>`;
}

/** @param {import('../model/entries.js').Entry} entry @param {import('../model/requests.js').Period} period */
function shifted(entry, period) {
  return {
    ...period,
    station: entry.station,
    from: addYears(period.from, entry.years),
    to: addYears(period.to, entry.years),
  };
}

/** The reports of an entry over the days of the first one. @param {import('../model/entries.js').Entry | undefined} entry @param {import('../model/requests.js').Period} period */
function useReports(entry, period) {
  const moved = entry && shifted(entry, period);
  const ask = moved && reportsAsk(moved);
  /** @type {import('../model/answers.js').Answer<readonly Observation[]>} */
  const answer = useAnswer(ask);
  return {
    entry,
    ask,
    answer,
    shift: moved === undefined ? 0 : Date.parse(period.from) - Date.parse(moved.from),
  };
}

/**
 * @param {{
 *   span: import('../model/address.js').Span, period: import('../model/requests.js').Period,
 *   station: import('../model/requests.js').Station, entries: readonly import('../model/entries.js').Entry[],
 * }} props
 */
function ReportPeriod({ span, period, station, entries }) {
  // The number of hooks stays the same, however many entries are compared.
  const given = [
    useReports(entries[0], period),
    useReports(entries[1], period),
    useReports(entries[2], period),
    useReports(entries[3], period),
  ];
  const main = given[0];
  if (main?.ask === undefined) return null;
  const shown = given.flatMap(({ entry, answer, shift }) =>
    entry === undefined ? [] : [{ entry, pieces: toPieces(answer.data ?? [], shift) }],
  );
  const values = shown.map(({ pieces }) => pieces.flat());
  const times = [...new Set(values.flat().map(({ time }) => time))].sort((a, b) => a - b);
  /** @type {[number, number]} */
  const domain = [Date.parse(period.from), Date.parse(period.to)];
  const dark =
    station.latitude === undefined || station.longitude === undefined || span === 'month'
      ? []
      : nights(station.latitude, station.longitude, ...domain);
  /** @param {number | undefined} time */
  const readout = (time) =>
    time === undefined
      ? legend(entries, times.length > 0)
      : values.map((each, at) => readReport(each, time, entries.length > 1 ? entries[at]?.label : undefined));
  const used = SYMBOLS.filter(({ kind }) => values[0]?.some(({ wx }) => symbolOf(wx)?.kind === kind));
  const rows = (main.answer.data ?? []).map((report) => ({
    observedAt: report.observedAt,
    type: report.type,
    ...tableFields(report),
  }));
  const isEmpty = times.length === 0 && !main.answer.isLoading;
  return html`<${Picture} ask=${main.ask} answer=${main.answer} height=${HEIGHT} file=${`${period.station}-${period.from}-${addDays(period.to, -1)}`} rows=${rows} note=${entries.length === 1 && used.length > 0 && html`<span class="symbols">${used.map(({ kind, text, name }) => html`<span><b class="symbol ${kind}">${text}</b> ${name}</span>`)}</span>`}>
    ${
      isEmpty
        ? html`<${NoReports} station=${period.station} from=${period.from} to=${period.to} record=${station} />`
        : html`<${LaneChart} label=${`${shown.map(({ entry }) => entry.label).join(', ')}: temperature, wind, ${entries.length > 1 ? 'and flight category' : 'weather, ceiling and visibility'} of ${period.from} to ${addDays(period.to, -1)}, from ${plural(times.length, 'report')}`} span=${span} domain=${domain} lanes=${reportLanes(shown, innerWidth < 600)} nights=${dark} times=${times} readout=${readout} />`
    }
  <//>`;
}

/** @param {Observation} report */
function tableFields(report) {
  const { temperature, dewPoint, direction, wind, gust, visibility, ceiling, pressure, category, wx } =
    valuesOf(report);
  return {
    temp_c: temperature,
    dewp_c: dewPoint,
    wdir: direction,
    wspd_kt: wind,
    wgst_kt: gust,
    visib_m: visibility,
    ceiling_ft: ceiling,
    altim_hpa: pressure,
    wx,
    fltcat: category,
  };
}

/** @param {readonly import('../model/entries.js').Entry[]} entries @param {boolean} hasData */
function legend(entries, hasData) {
  if (!hasData) return '';
  if (entries.length > 1)
    return entries.map(
      ({ letter, label }) => html`<span class="legend ${`entry-${letter}`}"><i></i>${label}</span>`,
    );
  return html`<span class="legend temperature"><i></i>temperature</span><span class="legend dew-point"><i></i>dew point</span><span class="legend wind"><i></i>wind</span><span class="legend gust"><i></i>gusts</span><span class="legend cloud"><i></i>above the ceiling</span><span class="legend night"><i></i>night</span>`;
}

/** @param {readonly import('../model/weather.js').Values[]} values @param {number} time @param {string | undefined} label */
function readReport(values, time, label) {
  const report = values.findLast((each) => each.time <= time);
  const name = label === undefined ? '' : html`<b>${label}</b> `;
  if (report === undefined || time - report.time > 3 * 3_600_000) return html`<span>${name}no report</span> `;
  const { temperature, dewPoint, direction, wind, gust, ceiling, visibility, category, wx } = report;
  const parts = [
    `${formatNumber(temperature)} / ${formatNumber(dewPoint)} °C`,
    wind === undefined
      ? undefined
      : wind === 0
        ? 'calm'
        : `${direction === undefined ? 'variable' : `${String(direction).padStart(3, '0')}°`} ${wind}${gust === undefined ? '' : ` G ${gust}`} kt`,
    visibility === undefined
      ? undefined
      : visibility >= 10_000
        ? '10 km+'
        : `${formatNumber(visibility / 1000, 1)} km`,
    ceiling === undefined ? 'no ceiling' : `ceiling ${ceiling} ft`,
    weatherWords(wx) || undefined,
    category,
  ];
  return html`<span>${name}${(label === undefined ? parts : [parts[0], parts[1], category]).filter((part) => part !== undefined).join(' · ')}</span> `;
}

/**
 * @param {{
 *   span: import('../model/address.js').Span, period: import('../model/requests.js').Period,
 *   entries: readonly import('../model/entries.js').Entry[], daily: ReturnType<typeof import('./station.js').useDaily>,
 * }} props
 */
function DailyPeriod({ span, period, entries, daily }) {
  const main = daily[0];
  if (main?.ask === undefined) return null;
  const shown = daily.flatMap(({ entry, days }) => {
    if (entry === undefined) return [];
    const { from, to } = shifted(entry, period);
    const own = days.filter(({ date }) => date >= from && date < to);
    const points = (span === 'all' ? months(own) : own).map((day) => ({
      ...day,
      time: Date.parse(addYears(day.date, -entry.years)) + 43_200_000,
    }));
    return [{ entry, points }];
  });
  const times = [...new Set(shown.flatMap(({ points }) => points.map(({ time }) => time)))].sort(
    (a, b) => a - b,
  );
  /** @param {number | undefined} time */
  const readout = (time) => {
    if (time === undefined && entries.length > 1) return legend(entries, true);
    if (time === undefined)
      return html`<span class="legend temperature"><i></i>mean temperature</span><span class="legend range"><i></i>lowest to highest${span === 'all' ? ', mean of the days' : ''}</span><span class="legend wind"><i></i>mean wind</span><span class="legend gust"><i></i>strongest gust</span>`;
    return shown.map(({ entry, points }) => {
      const point = points.find((each) => each.time === time);
      const name = entries.length > 1 ? html`<b>${entry.label}</b> ` : '';
      if (point === undefined || point.n === 0) return html`<span>${name}no report</span> `;
      return html`<span>${name}${[`mean ${formatNumber(point.mean, 1)} °C`, `${formatNumber(point.low, 1)} to ${formatNumber(point.high, 1)} °C`, `wind ${formatNumber(point.wind, 1)} kt`, ...(point.gust === undefined ? [] : [`gusts ${point.gust} kt`]), `${point.n} of ${point.expected} hours`].join(' · ')}</span> `;
    });
  };
  const label = `${shown.map(({ entry }) => entry.label).join(', ')}: temperature and wind by ${span === 'all' ? 'month' : 'day'}, ${period.from} to ${addDays(period.to, -1)}`;
  return html`<${Picture} ask=${main.ask} answer=${main.answer} height=${HEIGHT} file=${`${period.station}-days`} rows=${shown[0]?.points.map(({ time: _, ...point }) => point) ?? []}>
    <${LaneChart} label=${label} span=${span} domain=${[Date.parse(period.from), Date.parse(period.to)]} lanes=${dayLanes(shown)} nights=${[]} times=${times} readout=${readout} />
  <//>`;
}

/** What the archive holds instead and how to load more. @param {{ station: string, from: string, to: string, record: import('../model/requests.js').Station }} props */
function NoReports({ station, from, to, record: { firstReport, lastReport } }) {
  const held =
    firstReport === undefined
      ? 'The archive holds no report of this station.'
      : `The archive holds ${firstReport.slice(0, 10)} to ${(lastReport ?? '').slice(0, 10)}.`;
  return html`<div class="empty">
    <p><strong>No report of ${station} from ${from} to ${addDays(to, -1)}.</strong> ${held}</p>
    <${HowToLoad} station=${station} from=${from} to=${to} />
    ${firstReport !== undefined && html`<p><a href=${`/?station=${station}`}>Show the newest reports</a></p>`}
  </div>`;
}

/** The command that loads days the archive lacks. @param {{ station: string, from: string, to: string }} props */
export function HowToLoad({ station, from, to }) {
  if (to <= FIRST_DAY) return html`<p>The archive begins on ${FIRST_DAY}.</p>`;
  return html`<p>This command of the operator loads it:</p>
    <pre tabindex="0"><code>npm run load -- --source iem --stations ${station} --from ${from < FIRST_DAY ? FIRST_DAY : from} --to ${to}</code></pre>`;
}
