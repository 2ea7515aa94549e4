import { html, useMemo } from '/assets/htm/preact.js';
import { Calendar } from '../charts/calendar.js';
import { isPhone } from '../charts/frame.js';
import { MeanYearChart } from '../charts/mean-year.js';
import { Picture, Section } from '../elements/section.js';
import { addYears, today, toNumber } from '../format.js';
import { useAnswer } from '../model/answers.js';
import { whyEmpty } from '../model/coverage.js';
import { COLOURS, daysOfYear, meanYear, yearsText } from '../model/days.js';
import { lowestCeilings } from '../model/requests.js';
import { change } from '../navigation.js';
import { HowToLoad } from './recent.js';

/**
 * One year: its days colored by a value, and its temperature over the mean year.
 *
 * @param {{
 *   address: import('../model/address.js').Address, station: import('../model/requests.js').Station, year: string,
 *   coverage: import('../model/coverage.js').Coverage | undefined, entries: readonly import('../model/entries.js').Entry[],
 *   daily: ReturnType<typeof import('./station.js').useDaily>,
 * }} props
 */
export function Year({ address, station, year, coverage, entries, daily }) {
  const main = daily[0];
  const colour = Object.hasOwn(COLOURS, address.colour) ? address.colour : 'temperature';
  /** @type {import('../model/answers.js').Answer<readonly import('../model/requests.js').Row[]>} */
  const ceilings = useAnswer(colour === 'ceiling' ? main?.period && lowestCeilings(main.period) : undefined);
  const byDate = useMemo(() => {
    const lowest = new Map((ceilings.data ?? []).map((row) => [row.date, toNumber(row.min_ceiling_ft)]));
    return new Map((main?.days ?? []).map((day) => [day.date, { ...day, ceiling: lowest.get(day.date) }]));
  }, [main?.days, ceilings.data]);
  const mean = useMemo(() => meanYear(main?.days ?? [], [year]), [main?.days, year]);
  if (main?.ask === undefined) return null;
  const days = daysOfYear(byDate, year);
  const held = days.filter(({ day }) => (day?.n ?? 0) > 0).length;
  const isPast = days.filter(({ date }) => date <= today()).length;
  const others =
    entries.length < 2
      ? []
      : daily.flatMap(({ entry, days: own }) =>
          entry === undefined ? [] : [{ entry, days: smoothed(own, days, entry.years) }],
        );
  const file = `${station.station}-days`;
  const rows = days.flatMap(({ day }) => (day === undefined ? [] : [day]));
  const picker = html`<label class="inline">coloured by
    <select onChange=${(/** @type {Event} */ event) => change({ colour: /** @type {HTMLSelectElement} */ (event.currentTarget).value })}>
      ${Object.entries(COLOURS).map(([name, { title }]) => html`<option value=${name} selected=${name === colour}>${title}</option>`)}
    </select></label>`;
  const lines =
    entries.length > 1
      ? 'Lines: mean temperature of eleven days'
      : `Bars: lowest to highest temperature of each day of ${year}`;
  const legend =
    entries.length > 1
      ? html`${entries.map(({ letter, label }) => html`<span class="legend ${`entry-${letter}`}"><i></i>${label}</span>`)}<span class="legend normals"><i></i>mean low to mean high</span>`
      : html`<span class="legend day-range"><i></i>${year}, warmer or colder than the mean</span><span class="legend normals"><i></i>mean low to mean high</span><span class="legend records"><i></i>records</span><span class="legend record"><i></i>a record of ${year}</span>`;
  return html`<${Section} id="year" title="${year}, day by day" isFolded=${true} controls=${picker} sentence=${`${held} of ${isPast} days have reports. A click on a day shows its reports.`}>
    <${Picture} title="" ask=${main.ask} answer=${main.answer} height=${isPhone() ? 208 : 175} file=${file} rows=${rows}>
      ${held === 0 && html`<div class="empty"><p><strong>No report of ${station.station} in ${year}.</strong></p><${HowToLoad} station=${station.station} from=${`${year}-01-01`} to=${`${Number(year) + 1}-01-01`} /></div>`}
      <${Calendar} days=${days} colour=${colour} chosen=${address.day} whyEmpty=${(/** @type {string} */ date) => whyEmpty(coverage, date, today())} onPick=${(
        /** @type {string} */ date,
      ) => {
        change({ day: date, span: 'day', year });
        const reports = document.getElementById('reports');
        if (!(reports instanceof HTMLDetailsElement)) return;
        reports.open = true;
        reports.scrollIntoView();
      }} />
    <//>
    <h3 class="over">${entries.length > 1 ? entries.map(({ label }) => label).join(', ') : year} over the mean year of ${station.station}${mean.years.length > 0 ? `, ${yearsText(mean.years)}` : ''}</h3>
    <${Picture} title="" ask=${main.ask} answer=${main.answer} height=${308} file=${file} rows=${[...mean.days].map(([date, row]) => ({ day: date, ...row }))}>
      <${MeanYearChart} label="Temperature of ${entries.map(({ label }) => label).join(', ')} in ${year} over the mean year. ${lines}" year=${year} days=${days} mean=${mean.days} legend=${legend} others=${others} />
    <//>
  <//>`;
}

/** How many days before and after smoothing includes: lines of single days cannot be told apart. */
const SMOOTHING = 5;

/**
 * @param {readonly import('../model/days.js').Day[]} own
 * @param {readonly { date: string }[]} days of the shown year
 * @param {number} years the offset of the entry's year from it
 */
function smoothed(own, days, years) {
  const means = new Map(own.map(({ date, mean }) => [date, mean]));
  const values = days.map(({ date }) => means.get(addYears(date, years)));
  return values.map((value, at) => {
    const around = values
      .slice(Math.max(0, at - SMOOTHING), at + SMOOTHING + 1)
      .filter((each) => each !== undefined);
    return value === undefined ? undefined : around.reduce((sum, each) => sum + each, 0) / around.length;
  });
}
