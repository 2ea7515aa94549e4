import { html } from 'htm/preact/standalone';
import type { Observation } from '../../../client/client.d.ts';
import { heightOf, LaneChart, type OnSelect, type Point } from '../charts/chart.ts';
import { dayLanes, nights, reportLanes } from '../charts/lanes.ts';
import { Picture, Section } from '../charts/picture.ts';
import { daysLink, Empty, isPhone, picker } from '../elements.ts';
import { addDays, addYears, DAY, HOUR, plural } from '../format.ts';
import { isDay, LENGTHS, labelsOf, type Span, shifted, type View } from '../model/address.ts';
import type { Answer } from '../model/answers.ts';
import { type Daily, useDaily } from '../model/daily.ts';
import type { Day } from '../model/days.ts';
import * as reports from '../model/reports.ts';
import { dailyValues, monthlyValues, type Range } from '../model/requests.ts';
import { bestDirection, crosswinds, directionsOf, type RunwayDirection } from '../model/runways.ts';
import { numberOf, unitOf, textOf as units } from '../model/units.ts';
import { change } from '../navigation.ts';
import type { StationView } from './station.ts';

const NEWEST = { day: 'Newest day', week: 'Newest seven days', month: 'Newest month' };

type ReportsView = View & { answers: readonly Answer<readonly Observation[]>[] };
/** The period in one chart, which is made of reports (up to a month), of days (a year), or of months (all years). */
export function Recent({ coverage, records, ...view }: ReportsView & StationView) {
  const { address, station, day, span, isLong, period, days, entries } = view;
  const selected = address.days;
  const daily = useDaily(records, isLong, span === 'all' ? monthlyValues : dailyValues);
  const newest = (station.lastReport ?? '').slice(0, 10);
  const isNewest = day === newest;
  const titles = { year: day.slice(0, 4), all: 'All years', ...(isNewest && NEWEST) };
  const title = selected === '' ? (titles[span] ?? days) : days;
  /** For the newest day the address has no day, so that it follows newer reports; a day is needed if it has a year. */
  const goTo = (next: string) => change({ day: next < newest ? next : address.year === '' ? '' : newest });
  const move = (steps: number) => {
    const isYear = selected === '' && span === 'year';
    goTo(isYear ? addYears(day, steps) : addDays(day, steps * (Number(selected) || LENGTHS[span])));
  };
  /** Text, because a browser's date field orders dates by its own language. */
  const pickDay = ({ currentTarget }: Event) => {
    const field = currentTarget as HTMLInputElement;
    if (isDay(field.value)) goTo(field.value);
    else field.value = day;
  };
  const controls = html`<div class="tabs" role="group" aria-label="Period">
      ${Object.keys(LENGTHS).map((name) => html`<button type="button" aria-pressed=${selected === '' && name === address.span} onClick=${() => change({ span: name as Span, days: '' })}>${name}</button>`)}
      ${selected && html`<button type="button" aria-pressed="true" aria-label="Back to the ${address.span}" onClick=${() => change({ days: '' })}>${plural(Number(selected), 'day')} ×</button>`}
    </div>
    ${
      (selected || span !== 'all') &&
      html`<div class="tabs" role="group" aria-label="Earlier and later">
        <button type="button" aria-label="Earlier" onClick=${() => move(-1)}>‹</button>
        <input aria-label="Last day" title="A date, as in 2024-12-25" size="10" maxlength="10" autocomplete="off" value=${day} onChange=${pickDay} />
        <button type="button" aria-label="Later" disabled=${isNewest} onClick=${() => move(1)}>›</button>
      </div>`
    }`;
  const select = (from: string, last: string) =>
    change({ day: last, days: String((Date.parse(last) - Date.parse(from)) / DAY + 1) });
  const onSelect = addDays(period.from, 1) === period.to ? undefined : select;
  const lacking = coverage && daysLink(coverage, period, true);
  return html`${records.map(({ entry, period: known, answer }) => known === undefined && answer?.data !== undefined && html`<p class="error" role="alert">The archive holds no report of ${entry.label}.</p>`)}
  <${Section} id="period" title=${title} controls=${controls} sentence=${[title !== days && `${days}${lacking ? ';' : '.'} `, lacking && [entries.length > 1 && `${entries[0]?.label}: `, lacking]]}>
    ${() => (isLong ? dailyPeriod(view, daily, onSelect) : reportPeriod(view, onSelect))}
  <//>`;
}

const domainOf = ({ from, to }: Range) => [Date.parse(from), Date.parse(to)] as const;

function reportPeriod(view: ReportsView, onSelect: OnSelect) {
  const { address, span, period, days, fileDays, station, entries, asks, answers } = view;
  const isCompared = entries.length > 1;
  const shown = entries.map((entry, at) => {
    const shift = Date.parse(period.from) - Date.parse(shifted(entry, period).from);
    const [ask, answer] = [asks[at], answers[at]];
    const data = answer?.data ?? [];
    return { entry, ask, answer, points: reports.toPoints(data, shift), rows: data.map(tableRow) };
  });
  const count = shown.flatMap(({ points }) => points.filter(({ isReport }) => isReport)).length;
  const { firstReport = '', lastReport = '' } = station;
  const isOutside = period.to <= firstReport || period.from > lastReport;
  const dark = span === 'month' ? [] : nights(station, domainOf(period));
  const hasNight = dark.some(({ low }) => low !== undefined);
  const textOf = (report: reports.Values) => readReport(report, isCompared, runway);
  const directions = isCompared ? [] : directionsOf(station.runways);
  const runway =
    directions.find(({ key }) => key === address.runway) ?? bestDirection(directions, shown[0]?.points ?? []);
  const chooseRunway = (key: string) => change({ runway: key });
  const options = directions.map(({ key, name }) => [key, name]);
  const runways = runway && options.length > 1 && picker('runway', options, runway.key, chooseRunway);
  const kinds = new Set(shown[0]?.points.map(({ wx }) => reports.symbolOf(wx)?.kind));
  const used = reports.SYMBOLS.filter(({ kind }) => kinds.has(kind));
  const symbols = html`<span class="symbols">${used.map(({ kind, text, name }) => html`<span><b class="symbol ${kind}">${text}</b> ${name}</span>`)}</span>`;
  const marks = isCompared || count === 0 ? {} : REPORT_MARKS;
  const items = { ...marks, ...(hasNight && { night: isCompared ? `night at ${period.station}` : 'night' }) };
  const content = isCompared ? 'and flight category' : 'weather, ceiling and visibility';
  const lanes = reportLanes(shown, runway);
  const label = `${labelsOf(shown)}: temperature, wind, ${content} of ${days}, from ${plural(count, 'report')}`;
  return html`<${Picture} id="period-chart" shown=${shown} height=${isOutside ? (isPhone() ? 280 : 134) : heightOf(lanes)} file=${fileDays} note=${!isCompared && html`<span class="legends">${symbols}${runways}</span>`}>
    ${
      count === 0 && !answers[0]?.isLoading
        ? html`<${Empty} ...${period}
            title=${html`<strong>No report of ${period.station} in these days.</strong> The archive holds ${firstReport.slice(0, 10)} to ${lastReport.slice(0, 10)}. <a href=${`/?station=${period.station}`}>Show the newest reports</a>`} />`
        : html`<${LaneChart} label=${label} span=${span} domain=${domainOf(period)} lanes=${lanes} zone=${address.time === '' ? undefined : station.timezone} nights=${dark} shown=${shown} items=${items} textOf=${textOf} onSelect=${onSelect} />`
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

function tableRow({ observedAt, type, hidden, decoded: { clouds: _, ...decoded } = {} }: Observation) {
  return { observedAt, type, ...(hidden && { hidden }), ...decoded };
}

function readReport(report: reports.Values, isShort: boolean, runway?: RunwayDirection) {
  if (!report.isReport) return undefined;
  const { temperature, dewPoint, ceiling, visibilityText, category, wx } = report;
  const wind = reports.windText(report);
  const main = [
    `${numberOf('temperature', temperature)} / ${units('temperature', dewPoint)}`,
    wind && (wind === 'calm' ? wind : `${wind} ${unitOf('speed').name}`),
  ];
  const [across] = crosswinds(runway?.heading ?? 0, [report]);
  const details = [
    runway && across?.wind !== undefined && `${units('speed', across.wind)} across ${runway.name}`,
    visibilityText,
    ceiling === undefined ? 'no ceiling reported' : `ceiling ${ceiling} ft`,
    reports.weatherWords(wx),
  ];
  return [...main, ...(isShort ? [] : details), category].filter(Boolean).join(' · ');
}

function dailyPeriod({ span, period, days }: View, daily: readonly Daily[], onSelect: OnSelect) {
  const isAll = span === 'all';
  const isCompared = daily.length > 1;
  const shown = daily.map(({ entry, ask, answer, points: record }) => {
    const { from, to } = shifted(entry, period);
    const own = record.filter(({ date }) => date >= from && date < to);
    const noonOf = ({ date }: Day) => Date.parse(addYears(date, -entry.years)) + 12 * HOUR;
    const points = own.map((day) => ({ ...day, time: noonOf(day) }));
    return { entry, ask, answer, points, rows: own };
  });
  const items = {
    temperature: 'mean temperature',
    range: `lowest to highest${isAll ? ', mean of the days' : ''}`,
    wind: 'mean wind',
    gust: 'strongest gust',
  };
  const textOf = (point: Day & Point) => {
    if (isCompared ? (point.temperature ?? point.wind) === undefined : point.n === 0) return undefined;
    const parts = [
      `mean ${units('temperature', point.temperature, 1)}`,
      `${numberOf('temperature', point.low, 1)} to ${units('temperature', point.high, 1)}`,
      `wind ${units('speed', point.wind, 1)}`,
      point.gust && `gusts ${units('speed', point.gust)}`,
      `${point.n} of ${point.expected} hours`,
    ];
    return parts.filter(Boolean).join(' · ');
  };
  const all = shown.flatMap(({ points }) => points);
  const noMean = isAll
    ? 'No month has a mean: at most ten of its days, and four in a row, may lack hours (WMO-No. 1203).'
    : 'No day has a mean: a gap of more than six hours touches each of them.';
  const isLoading = shown.some(({ answer }) => answer?.isLoading);
  const anyOf = (day: Day) => day.temperature ?? day.low ?? day.wind ?? day.gust ?? day.precipitation;
  const isBlank = !isLoading && all.every((day) => anyOf(day) === undefined);
  const lanes = dayLanes(shown);
  const label = `${labelsOf(shown)}: temperature and wind by ${isAll ? 'month' : 'day'}, ${days}`;
  return html`<${Picture} id="period-chart" shown=${shown} height=${heightOf(lanes)} file=${isAll ? 'months' : 'days'}>
    ${
      isBlank
        ? html`<p class="empty-line">${all.some(({ n }) => n > 0) ? noMean : 'No report in these days.'}</p>`
        : html`<${LaneChart} label=${label} span=${span} domain=${domainOf(period)} lanes=${lanes} shown=${shown} items=${isCompared ? {} : items} absent=${isCompared ? 'no mean' : undefined} textOf=${textOf} onSelect=${onSelect} />`
    }
  <//>`;
}
