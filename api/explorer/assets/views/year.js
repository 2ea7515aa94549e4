import * as d3 from 'd3';
import { html, useMemo, useState } from 'htm/preact/standalone';
import { heightOf, LaneChart, Reading } from '../charts/chart.js';
import { meanYearLane } from '../charts/lanes.js';
import { Picture, Section } from '../charts/picture.js';
import { DaysText, Empty, isPhone, moveFocus, openSection } from '../elements.js';
import { addYears, formatNumber, HOUR, MONTHS, toNumber } from '../format.js';
import { labelsOf } from '../model/address.js';
import { useAnswer } from '../model/answers.js';
import { lowestCeilings, yearPeriod } from '../model/requests.js';
import { whyEmpty } from '../model/stations.js';
import * as statistics from '../model/statistics.js';
import { change } from '../navigation.js';

/** @import { Address, ColorName, Coverage, Daily, Day, MeanDay, YearDay } from '../declarations.ts' */

/**
 * One year: its days colored by a value, and its temperature over the other years.
 * @param {{ address: Address, year: string, coverage: Coverage | undefined, daily: readonly Daily[] }} props
 */
export function Year({ address, year, coverage, daily }) {
  const { station, color } = address;
  const [main] = daily;
  const ask = color === 'ceiling' && main?.period ? lowestCeilings(main.period) : undefined;
  const ceilings = useAnswer(ask);
  const colored = ask === undefined ? main : { ...main, ask, answer: ceilings };
  const byDate = useMemo(() => {
    const lowest = new Map((ceilings.data ?? []).map((row) => [row.date, toNumber(row.min_ceiling_ft)]));
    return new Map((main?.points ?? []).map((day) => [day.date, { ...day, ceiling: lowest.get(day.date) }]));
  }, [main?.points, ceilings.data]);
  const years = [...new Set(daily.map(({ entry }) => String(Number(year) + entry.years)))];
  const normals = useMemo(() => statistics.meanYear(main?.points ?? [], years), [main?.points, years.join()]);
  const days = statistics.daysOfYear(byDate, year);
  const isEmpty = !days.some(({ day }) => day?.n);
  const picker = html`<label class="inline">colored by
    <select onChange=${(/** @type {Event} */ event) => change({ color: /** @type {ColorName} */ (/** @type {HTMLSelectElement} */ (event.currentTarget).value) })}>
      ${Object.entries(statistics.COLORS).map(([name, { title }]) => html`<option value=${name} selected=${name === color}>${title}</option>`)}
    </select></label>`;
  /** @param {string} date */
  const open = (date) => {
    change({ day: date, span: 'day', year });
    openSection('reports');
  };
  return html`<${Section} id="year" title="${year}, day by day" isFolded=${true} controls=${picker} sentence=${coverage && html`<${DaysText} coverage=${coverage} period=${yearPeriod(station, year)} />. A click on a day shows its reports.`}>
    <${Picture} id="year-days" ask=${colored?.ask} file=${`${station}-days`} shown=${[colored]} height=${isPhone() ? 203 : 175} rows=${days.flatMap(({ day }) => day ?? [])}>
      ${isEmpty && html`<${Empty} title=${html`<strong>No report of ${station} in ${year}.</strong>`} ...${yearPeriod(station, year)} />`}
      <${Calendar} days=${days} color=${color} chosen=${address.day} whyEmpty=${(/** @type {string} */ date) => whyEmpty(coverage, date)} onPick=${open} />
    <//>
    <${OverOtherYears} station=${station} year=${year} daily=${daily} days=${days} normals=${normals} />
  <//>`;
}

/**
 * The temperature of a year over that of the other years.
 * @param {{
 *   station: string, year: string, daily: readonly Daily[], days: ReturnType<typeof statistics.daysOfYear>,
 *   normals: ReturnType<typeof statistics.meanYear>,
 * }} props
 */
function OverOtherYears({ station, year, daily, days, normals }) {
  const others = statistics.describeNormals(normals, year);
  const shown = daily.map(({ entry, answer, points: own }) => {
    const means = smoothed(own, days, entry.years);
    const points = days.map(({ date, day }, at) => ({
      time: Date.parse(date) + 12 * HOUR,
      mean: means[at],
      day,
      normal: normals.days.get(date.slice(5)),
    }));
    return { entry, answer, points };
  });
  const isCompared = shown.length > 1;
  const names = isCompared ? labelsOf(shown) : year;
  const hasOthers = normals.days.size > 0;
  const shared = hasOthers ? { normals: 'mean low to mean high' } : {};
  const items = {
    ...(hasOthers && {
      records: others.range,
      warmer: 'warmer than the mean',
      colder: 'colder',
      record: others.beyond,
    }),
    ...(normals.days.size < 365 && { 'no-mean': 'no mean of other years' }),
  };
  /** @param {YearDay} point */
  const textOf = ({ mean, day, normal }) => {
    if (!isCompared) return `${dayText(day)}${normalText(normal, others)}`;
    return mean === undefined ? undefined : `mean ${formatNumber(mean, 1)} °C`;
  };
  const of = isCompared ? names : station;
  const lines = isCompared ? 'Lines: mean temperature of eleven days' : 'Bars: lowest to highest of each day';
  const over = hasOthers ? ` over ${others.name}` : '';
  const label = `Temperature of ${of} in ${year}${over}. ${lines}`;
  const lanes = [meanYearLane(shown)];
  const { from, to } = yearPeriod(station, year);
  return html`<h3 class="over">Temperature of ${station}, ${names}${over}</h3>
    <${Picture} id="year-temperature" ask=${daily[0]?.ask} file=${`${station}-days`} shown=${shown} height=${heightOf(lanes)} rows=${[...normals.days].map(([date, row]) => ({ day: date, ...row }))}>
      <${LaneChart} label=${label} span="year" domain=${[Date.parse(from), Date.parse(to)]} lanes=${lanes} shown=${shown} items=${items} shared=${shared} textOf=${textOf} />
    <//>`;
}

/** @param {Day | undefined} day */
function dayText(day) {
  if (day?.low === undefined || day.high === undefined) return 'no temperature of a complete day';
  return `${formatNumber(day.low)} to ${formatNumber(day.high)} °C, mean ${formatNumber(day.temperature, 1)} °C`;
}

/** @param {MeanDay | undefined} normal @param {ReturnType<typeof statistics.describeNormals>} others */
function normalText(normal, { short, range }) {
  if (normal === undefined) return '';
  const { low, high, recordLow, recordLowYear, recordHigh, recordHighYear } = normal;
  return ` · ${short} ${formatNumber(low)} to ${formatNumber(high)} °C · ${range} ${formatNumber(recordLow)} (${recordLowYear}), ${formatNumber(recordHigh)} °C (${recordHighYear})`;
}

/** How many days before and after smoothing includes: lines of single days cannot be told apart. */
const SMOOTHING = 5;

/**
 * @param {readonly Day[]} own
 * @param {readonly { date: string }[]} days of the shown year
 * @param {number} years the offset of the entry's year from it
 */
function smoothed(own, days, years) {
  const means = new Map(own.map((day) => [day.date, day.temperature]));
  const values = days.map(({ date }) => means.get(addYears(date, years)));
  return values.map((value, at) => {
    const around = values.slice(Math.max(0, at - SMOOTHING), at + SMOOTHING + 1);
    return value === undefined ? undefined : d3.mean(around);
  });
}

/**
 * A year as a calendar: a button for each day, in the color of its value. A column is a week on a wide screen, and a
 * row is a month on a narrow one: the style sheet decides.
 * @param {{
 *   days: readonly { date: string, day: Day | undefined }[], color: ColorName, chosen: string,
 *   whyEmpty: (date: string) => string, onPick: (date: string) => void,
 * }} props
 */
function Calendar({ days, color, chosen, whyEmpty, onPick }) {
  const [pointed, setPointed] = useState('');
  const firstDate = days[0]?.date ?? '';
  /** Days since the Monday of the first week. @param {number} at */
  const since = (at) => at + ((new Date(firstDate).getUTCDay() + 6) % 7);
  const stop = days.some(({ date }) => date === chosen) ? chosen : firstDate;
  /** @param {{ date: string, day: Day | undefined }} day */
  const textOf = ({ date, day }) => (day?.n ? statistics.describeDay(color, day) : whyEmpty(date));
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const [x, y] = isPhone() ? [1, 30] : [7, 1];
    moveFocus(event, { ArrowLeft: -x, ArrowRight: x, ArrowUp: -y, ArrowDown: y });
  };
  const shown = days.find(({ date }) => date === pointed);
  const isAbsent = days.some(({ day }) => day?.n && day[color] === undefined);
  return html`<div class="calendar">
    <${Reading} legend=${calendarKey(statistics.COLORS[color], isAbsent)} reading=${shown && html`<time>${shown.date}</time> ${textOf(shown)}`} />
    <div class=${`days ${color}`} role="group" aria-label="Days of ${firstDate.slice(0, 4)}" onKeyDown=${press} onPointerLeave=${() => setPointed('')}>
      ${MONTHS.map((month, at) => {
        const begin = days.findIndex(({ date }) => Number(date.slice(5, 7)) === at + 1);
        // The first whole week.
        return html`<span class="month" aria-hidden="true" style=${{ '--week': Math.ceil(since(begin) / 7) + 1, '--month': at + 1 }}>${month}</span>`;
      })}
      ${days.map(({ date, day }, at) => {
        const share = day?.n ? statistics.shareOfColor(color, day) : undefined;
        const place = {
          '--week': Math.floor(since(at) / 7) + 1,
          '--weekday': (since(at) % 7) + 1,
          '--month': Number(date.slice(5, 7)),
          '--day': Number(date.slice(8)),
          '--share': `${Math.round(Math.min(1, Math.abs(share ?? 0)) * 100)}%`,
        };
        const text = textOf({ date, day });
        return html`<button key=${date} type="button" data-day=${date} style=${place}
          class=${`day ${!day?.n ? 'missing' : share === undefined ? 'unreported' : share < 0 ? 'cold' : 'warm'}`}
          aria-label=${`${date}: ${text}`} aria-pressed=${date === chosen} tabindex=${date === stop ? 0 : -1} disabled=${text === 'in the future'}
          onClick=${() => onPick(date)} onFocus=${() => setPointed(date)} onPointerEnter=${() => setPointed(date)}></button>`;
      })}
    </div>
  </div>`;
}

/** @param {typeof statistics.COLORS[ColorName]} color @param {boolean} isAbsent whether a day has no value */
function calendarKey({ ends: [from, to], unit, absent = 'not reported' }, isAbsent) {
  return html`<span class="key">
    <span class="scale ${from < 0 ? 'both' : ''}">${formatNumber(from)}<i></i>${formatNumber(to)} ${unit}</span>
    <span><i class="day missing"></i> no report</span>
    ${isAbsent && html`<span><i class="day unreported"></i> ${absent}</span>`}
  </span>`;
}
