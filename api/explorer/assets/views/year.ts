import { mean } from 'd3-array';
import { html, useMemo, useState } from 'htm/preact/standalone';
import { heightOf, LaneChart, readingOver } from '../charts/chart.ts';
import { colorKey, colorOf } from '../charts/heat-map.ts';
import { meanYearLane } from '../charts/lanes.ts';
import { Picture, Section } from '../charts/picture.ts';
import { daysLink, Empty, isPhone, moveFocus, openSection, picker } from '../elements.ts';
import { addYears, formatNumber, HOUR, MONTHS, plural, toNumber } from '../format.ts';
import { labelsOf } from '../model/address.ts';
import { useAnswers } from '../model/answers.ts';
import { type Daily, useDaily } from '../model/daily.ts';
import type { Day } from '../model/days.ts';
import { lowestCeilings, type Period, yearPeriod } from '../model/requests.ts';
import { whyEmpty } from '../model/stations.ts';
import * as statistics from '../model/statistics.ts';
import { numberOf, textOf } from '../model/units.ts';
import { change } from '../navigation.ts';
import type { StationView } from './station.ts';

/** One year: its days colored by a value, and its temperature over the other years. */
export function Year(view: StationView) {
  const { address, year, coverage, records } = view;
  const { station, color } = address;
  const colors = Object.entries(statistics.COLORS).map(([name, { title }]) => [name, title]);
  const choose = (name: string) => change({ color: name as statistics.ColorName });
  const controls = picker('colored by', colors, color, choose);
  const whose = records.length > 1 && `${records[0]?.entry.label}: `;
  const sentence = coverage && [
    whose,
    daysLink(coverage, yearPeriod(station, year)),
    `. Below are days of ${records[0]?.period?.timezone === undefined ? 'UTC' : 'standard time'}; a click shows their reports.`,
  ];
  return html`<${Section} id="year" title="${year}, day by day" isFolded=${true} height=${620} controls=${controls} sentence=${sentence}>
    ${() => html`<${YearPictures} ...${view} />`}
  <//>`;
}

function YearPictures({ address, year, coverage, records }: StationView) {
  const { station, color } = address;
  const daily = useDaily(records);
  const [main] = daily;
  const isOfCeilings = color === 'ceiling';
  const asks = daily.map(({ period }) => (isOfCeilings && period ? lowestCeilings(period) : undefined));
  const ceilings = useAnswers(asks);
  const years = [...new Set(daily.map(({ entry }) => String(Number(year) + entry.years)))];
  const normals = useMemo(() => statistics.meanYear(main?.points ?? [], years), [main?.points, years.join()]);
  const shown = daily.map((each, at) => {
    const lowest = new Map((ceilings[at]?.data ?? []).map((row) => [row.date, toNumber(row.min_ceiling_ft)]));
    const withCeiling = (day: Day) => ({ ...day, ceiling: lowest.get(day.date) });
    const points = isOfCeilings ? each.points.map(withCeiling) : each.points;
    const days = statistics.daysOfYear(points, String(Number(year) + each.entry.years));
    const asked = asks[at] && { ask: asks[at], answer: ceilings[at] };
    return { ...each, ...asked, points, days, rows: days.flatMap(({ day }) => day ?? []) };
  });
  const isEmpty = !shown[0]?.rows.some(({ n }) => n);
  const values = shown.flatMap(({ points }) => points.flatMap((day: Day) => day[color] ?? []));
  const scale = statistics.scaleOfColor(color, values);
  const calendarOf = ({ entry, days }: (typeof shown)[number], at: number) => {
    const open = (date: string) => {
      const other = at > 0 && entry.years === 0 && { station: entry.station, with: [] };
      change({ day: date, span: 'day', days: '', year: date.slice(0, 4), ...other });
      openSection('reports');
    };
    const describe = ({ date, day }: YearDays[number]) =>
      day?.n ? statistics.describeDay(color, day) : whyEmpty(at === 0 ? coverage : undefined, date);
    return html`${daily.length > 1 && html`<h3>${entry.label}</h3>`}
      <${Calendar} days=${days} color=${color} scale=${scale} chosen=${address.day} describe=${describe} onPick=${open} />`;
  };
  return html`<${Picture} id="year-days" file="days" shown=${shown} height=${isPhone() ? 203 : 175}>
      ${isEmpty && html`<${Empty} title=${html`<strong>No report of ${station} in ${year}.</strong>`} ...${yearPeriod(station, year)} />`}
      ${shown.map(calendarOf)}
    <//>
    ${overOtherYears(yearPeriod(station, year), daily, shown[0]?.days ?? [], normals)}`;
}

type YearDays = ReturnType<typeof statistics.daysOfYear>;

function overOtherYears(
  period: Period,
  daily: readonly Daily[],
  days: YearDays,
  normals: statistics.Normals,
) {
  const { station, from, to } = period;
  const year = from.slice(0, 4);
  const others = statistics.describeNormals(normals, year);
  const isCompared = daily.length > 1;
  const shown = daily.map(({ entry, ask, answer, points: own }, index) => {
    const means = isCompared ? smoothed(own, days, entry.years) : days.map(({ day }) => day?.temperature);
    const points = days.map(({ date, day }, at) => {
      const time = Date.parse(date) + 12 * HOUR;
      const normal = normals.days.get(date.slice(5));
      return { date, time, low: day?.low, high: day?.high, temperature: means[at], normal };
    });
    const rows = points.map(({ date, temperature, normal }) => {
      return { date, temperature, ...(index === 0 && normal) };
    });
    return { entry, ask, answer, points, rows };
  });
  const hasOthers = normals.days.size > 0;
  const band = 'mean low to mean high';
  const items = {
    ...(hasOthers && { normals: isCompared ? `${band} of ${station}` : band }),
    ...(!isCompared && { temperature: 'mean of the day', range: 'lowest to highest' }),
    ...(!isCompared && hasOthers && { records: others.range, record: others.beyond }),
  };
  const read = ({ normal, ...day }: (typeof shown)[number]['points'][number]) => {
    const { temperature } = day;
    if (!isCompared) return `${dayText(day)}${normalText(normal, others)}`;
    return temperature === undefined ? undefined : `mean ${textOf('temperature', temperature, 1)}`;
  };
  const isOfYears = daily.some(({ entry }) => entry.years !== 0);
  const over = hasOthers ? ` over ${others.name}` : '';
  const label = `Temperature of ${labelsOf(shown)} ${isOfYears ? `at ${station}` : `in ${year}`}${over}`;
  const lines = isCompared ? 'Lines: means of eleven days' : 'Line: mean of each day';
  const lanes = [meanYearLane(shown)];
  const known = shown.map(({ points }) => points.filter((each) => each.temperature !== undefined).length);
  const reported = days.filter(({ day }) => day?.n).length;
  const few = `${known[0]} of ${plural(reported, 'day')} with a report in ${year} had a mean temperature: a day that a gap of more than six hours touches has none.`;
  const isBlank = Math.max(...known) < Math.max(1, statistics.ENOUGH_HOURS * reported);
  return html`<h3 class="over">${label}</h3>
    <${Picture} id="year-temperature" file="days" shown=${shown} height=${heightOf(lanes)}>
      ${
        isBlank
          ? html`<p class="empty-line">${reported > 0 ? few : `No report in ${year}.`}</p>`
          : html`<${LaneChart} label=${`${label}. ${lines}`} span="year" domain=${[Date.parse(from), Date.parse(to)]} lanes=${lanes} shown=${shown} items=${items} absent="no mean" textOf=${read} />`
      }
    <//>`;
}

function dayText({ low, high, temperature }: Pick<Day, 'low' | 'high' | 'temperature'>) {
  if (low === undefined || high === undefined) return 'no temperature';
  const t = 'temperature';
  return `${numberOf(t, low)} to ${textOf(t, high)}, mean ${textOf(t, temperature, 1)}`;
}

type Others = ReturnType<typeof statistics.describeNormals>;

function normalText(normal: statistics.MeanDay | undefined, { short, range }: Others) {
  if (normal === undefined) return '';
  const { low, high, recordLow, recordLowYear, recordHigh, recordHighYear } = normal;
  return ` · ${short} ${formatNumber(low)} to ${textOf('temperature', high)} · ${range} ${formatNumber(recordLow)} (${recordLowYear}), ${textOf('temperature', recordHigh)} (${recordHighYear})`;
}

/** Days before and after that a smoothed value includes, because lines of single days cannot be told apart. */
const SMOOTHING = 5;

/** Smoothed means of the days of an entry, whose year is `years` after the shown one, for each day of the shown year. */
function smoothed(own: readonly Day[], days: YearDays, years: number) {
  const means = new Map(own.map((day) => [day.date, day.temperature]));
  const values = days.map(({ date }) => means.get(addYears(date, years)));
  return values.map((value, at) => {
    const around = values.slice(Math.max(0, at - SMOOTHING), at + SMOOTHING + 1);
    return value === undefined ? undefined : mean(around);
  });
}

type CalendarProps = {
  days: YearDays;
  color: statistics.ColorName;
  scale: statistics.ColorScale;
  chosen: string;
  describe: (day: YearDays[number]) => string;
  onPick: (date: string) => void;
};

/** A column is a week on a wide screen, and a row is a month on a narrow one: the style sheet decides. */
function Calendar({ days, color, scale, chosen, describe, onPick }: CalendarProps) {
  const [pointed, setPointed] = useState('');
  const firstDate = days[0]?.date ?? '';
  /** Days since the Monday of the first week. */
  const since = (at: number) => at + ((new Date(firstDate).getUTCDay() + 6) % 7);
  const stop = days.some(({ date }) => date === chosen) ? chosen : firstDate;
  const press = (event: KeyboardEvent) => {
    const [x, y] = isPhone() ? [1, 30] : [7, 1];
    moveFocus(event, { ArrowLeft: -x, ArrowRight: x, ArrowUp: -y, ArrowDown: y });
  };
  const shown = days.find(({ date }) => date === pointed);
  const { absent = 'not reported' } = statistics.COLORS[color];
  const reported = days.flatMap(({ day }) => (day?.n ? day : []));
  const isColored = reported.some((day) => day[color] !== undefined);
  const isAbsent = reported.some((day) => day[color] === undefined);
  const others = { missing: reported.length < days.length && 'no report', unreported: isAbsent && absent };
  return html`<div class="calendar">
    ${readingOver(colorKey(isColored ? scale : undefined, others), shown && html`<time>${shown.date}</time> ${describe(shown)}`)}
    <div class=${`days ${color}`} role="group" aria-label="Days of ${firstDate.slice(0, 4)}" onKeyDown=${press} onPointerLeave=${() => setPointed('')}>
      ${MONTHS.map((month, at) => {
        const begin = days.findIndex(({ date }) => Number(date.slice(5, 7)) === at + 1);
        // The first week that begins in this month.
        return html`<span class="month" aria-hidden="true" style=${{ '--week': Math.ceil(since(begin) / 7) + 1, '--month': at + 1 }}>${month}</span>`;
      })}
      ${days.map(({ date, day }, at) => {
        const shown = colorOf(day?.n ? scale.shareOf(day[color]) : undefined);
        const place = {
          '--week': Math.floor(since(at) / 7) + 1,
          '--weekday': (since(at) % 7) + 1,
          '--month': Number(date.slice(5, 7)),
          '--day': Number(date.slice(8)),
          ...shown.style,
        };
        const text = describe({ date, day });
        return html`<button key=${date} type="button" data-day=${date} style=${place}
          class=${`day ${day?.n ? shown.class : 'missing'}`}
          aria-label=${`${date}: ${text}`} aria-pressed=${date === chosen} tabindex=${date === stop ? 0 : -1} disabled=${text === 'in the future'}
          onClick=${() => onPick(date)} onFocus=${() => setPointed(date)} onPointerEnter=${() => setPointed(date)}></button>`;
      })}
    </div>
  </div>`;
}
