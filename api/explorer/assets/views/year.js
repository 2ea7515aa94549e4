import { html, useMemo } from '/assets/htm/preact.js';
import { Calendar } from '../charts/calendar.js';
import { isPhone, LaneChart } from '../charts/chart.js';
import { meanYearLane } from '../charts/lanes.js';
import { Picture, Section } from '../elements/section.js';
import { addYears, formatNumber, today, toNumber } from '../format.js';
import { labelsOf } from '../model/address.js';
import { useAnswer } from '../model/answers.js';
import { COLORS, daysOfYear, mean, meanYear, yearsText } from '../model/days.js';
import { lowestCeilings } from '../model/requests.js';
import { whyEmpty } from '../model/stations.js';
import { change } from '../navigation.js';
import { Empty } from './recent.js';

/** @import { Address, Coverage, Daily, Day, Entry, MeanDay, Station } from '../declarations.ts' */

const NOON = 43_200_000;

/**
 * One year: its days colored by a value, and its temperature over the mean year.
 *
 * @param {{
 *   address: Address, station: Station, year: string, coverage: Coverage | undefined, entries: readonly Entry[],
 *   daily: readonly Daily[],
 * }} props
 */
export function Year({ address, station: { station }, year, coverage, entries, daily }) {
  const [main] = daily;
  const color = Object.hasOwn(COLORS, address.color) ? address.color : 'temperature';
  const ceilings = useAnswer(color === 'ceiling' && main?.period ? lowestCeilings(main.period) : undefined);
  const byDate = useMemo(() => {
    const lowest = new Map((ceilings.data ?? []).map((row) => [row.date, toNumber(row.min_ceiling_ft)]));
    return new Map((main?.days ?? []).map((day) => [day.date, { ...day, ceiling: lowest.get(day.date) }]));
  }, [main?.days, ceilings.data]);
  const normals = useMemo(() => meanYear(main?.days ?? [], year), [main?.days, year]);
  const days = daysOfYear(byDate, year);
  const held = days.filter(({ day }) => day?.n).length;
  const isPast = days.filter(({ date }) => date <= today()).length;
  const next = `${Number(year) + 1}-01-01`;
  const picker = html`<label class="inline">colored by
    <select onChange=${(/** @type {Event} */ event) => change({ color: /** @type {HTMLSelectElement} */ (event.currentTarget).value })}>
      ${Object.entries(COLORS).map(([name, { title }]) => html`<option value=${name} selected=${name === color}>${title}</option>`)}
    </select></label>`;
  /** @param {string} date */
  const open = (date) => {
    change({ day: date, span: 'day', year });
    const reports = document.getElementById('reports');
    if (!(reports instanceof HTMLDetailsElement)) return;
    reports.open = true;
    reports.scrollIntoView();
  };
  const points = days.map(({ date, day }) => ({
    time: Date.parse(date) + NOON,
    day,
    normal: normals.days.get(date.slice(5)),
  }));
  const isCompared = entries.length > 1;
  const compared = daily.map(({ entry, days: own }) => {
    const means = smoothed(own, days, entry.years);
    return { entry, points: points.map(({ time }, at) => ({ time, mean: means[at] })) };
  });
  const names = isCompared ? labelsOf(entries) : year;
  const normalMark = { normals: 'mean low to mean high' };
  const items = {
    warmer: 'warmer than the mean',
    colder: 'colder',
    ...normalMark,
    records: 'records',
    record: `a record of ${year}`,
  };
  /** @param {number} time @param {number} entry */
  const textAt = (time, entry) => {
    const at = points.findIndex((each) => each.time === time);
    if (isCompared) return `mean ${formatNumber(compared[entry]?.points[at]?.mean, 1)} °C`;
    return `${dayText(points[at]?.day)}${normalText(points[at]?.normal)}`;
  };
  const of = isCompared ? names : station;
  const lines = isCompared ? 'Lines: mean temperature of eleven days' : 'Bars: lowest to highest of each day';
  const label = `Temperature of ${of} in ${year} over the mean year. ${lines}`;
  const picture = { ask: main?.ask, answer: main?.answer, file: `${station}-days` };
  return html`<${Section} id="year" title="${year}, day by day" isFolded=${true} controls=${picker} sentence=${`${held} of ${isPast} days have reports. A click on a day shows its reports.`}>
    <${Picture} title="" ...${picture} height=${isPhone() ? 208 : 175} rows=${days.flatMap(({ day }) => day ?? [])}>
      ${held === 0 && html`<${Empty} title=${html`<strong>No report of ${station} in ${year}.</strong>`} station=${station} from=${`${year}-01-01`} to=${next} />`}
      <${Calendar} days=${days} color=${color} chosen=${address.day} whyEmpty=${(/** @type {string} */ date) => whyEmpty(coverage, date, today())} onPick=${open} />
    <//>
    <h3 class="over">${names} over the mean year of ${station}${normals.years.length > 0 && `, ${yearsText(normals.years)}`}</h3>
    <${Picture} title="" ...${picture} height=${308} rows=${[...normals.days].map(([date, row]) => ({ day: date, ...row }))}>
      <${LaneChart} label=${label} span="year" domain=${[Date.parse(year), Date.parse(next)]} lanes=${[meanYearLane(points, isCompared ? compared : [])]} times=${points.map(({ time }) => time)} entries=${entries} items=${isCompared ? normalMark : items} textAt=${textAt} />
    <//>
  <//>`;
}

/** @param {Day | undefined} day */
function dayText(day) {
  if (day?.low === undefined || day.high === undefined) return 'no temperature';
  return `${formatNumber(day.low)} to ${formatNumber(day.high)} °C, mean ${formatNumber(day.mean, 1)} °C`;
}

/** @param {MeanDay | undefined} normal */
function normalText(normal) {
  if (normal === undefined) return '';
  const { low, high, recordLow, recordLowYear, recordHigh, recordHighYear } = normal;
  return ` · mean year ${formatNumber(low)} to ${formatNumber(high)} °C · records ${formatNumber(recordLow)} (${recordLowYear}), ${formatNumber(recordHigh)} °C (${recordHighYear})`;
}

/** How many days before and after smoothing includes: lines of single days cannot be told apart. */
const SMOOTHING = 5;

/**
 * @param {readonly Day[]} own
 * @param {readonly { date: string }[]} days of the shown year
 * @param {number} years the offset of the entry's year from it
 */
function smoothed(own, days, years) {
  const means = new Map(own.map((day) => [day.date, day.mean]));
  const values = days.map(({ date }) => means.get(addYears(date, years)));
  return values.map((value, at) => {
    const around = values.slice(Math.max(0, at - SMOOTHING), at + SMOOTHING + 1);
    return value === undefined ? undefined : mean(around.filter((each) => each !== undefined));
  });
}
