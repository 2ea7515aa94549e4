import { html, useState } from 'htm/preact/standalone';
import type { Observation } from '../../../client/client.d.ts';
import { ProblemError } from '../../../client/observations.js';
import * as elements from '../elements.ts';
import { DAY, formatAge, formatLocalTime, formatNumber, formatTime, today } from '../format.ts';
import { type Address, type Entry, MOST_ENTRIES, type View, viewOf, YEAR } from '../model/address.ts';
import { useAnswer, useAnswers, useModule } from '../model/answers.ts';
import * as reports from '../model/reports.ts';
import * as requests from '../model/requests.ts';
import { factsOf, reportsText } from '../model/stations.ts';
import { numberOf, UNITS, unitOf } from '../model/units.ts';
import { change, linkTo } from '../navigation.ts';

type StationPageProps = { address: Address; keyForm: (problem: string) => unknown };

/** One station, from now to all its years. Asks for another key if this one is invalid. */
export function StationPage({ address, keyForm }: StationPageProps) {
  const described = useAnswer(requests.stationDescription(address.station));
  const { data, error } = described;
  if (error instanceof ProblemError && error.status === 401) return keyForm(error.detail);
  const station = data?.[0];
  return html`${error !== undefined && data === undefined && html`<h1 class="unknown-station">${address.station}</h1>`}
  <${elements.AnswerState} answer=${described} height=${innerHeight}>
    ${station?.lastReport === undefined ? unknown(address.station, station) : html`<${KnownStation} key=${address.station} address=${address} station=${station} />`}
  <//>`;
}

function unknown(code: string, station: requests.Station | undefined) {
  const period = requests.yearPeriod(code, today().slice(0, 4));
  const title = html`<strong>The archive holds no report of ${code}.</strong> ${station === undefined && 'No source that was read lists this code, either.'}`;
  return html`<h1 class="unknown-station">${code} ${station?.name}</h1>
    <${elements.Empty} isUnknown=${station === undefined} title=${title} ...${period} />`;
}

/** A view with the coverage of its station, and the record of each of its entries. */
export type StationView = View & {
  readonly coverage: requests.Coverage | undefined;
  readonly records: readonly EntryRecord[];
};
export type EntryRecord = ReturnType<typeof useRecords>[number];

/** The period of each entry's whole record. If it is undefined, `answer` tells whether it is loading, failed or has no reports. */
function useRecords({ entries, station: main }: View) {
  const described = useAnswers(
    entries.map(({ station }) =>
      station === main.station ? undefined : requests.stationDescription(station),
    ),
  );
  return entries.map((entry, at) => {
    const station = entry.station === main.station ? main : described[at]?.data?.[0];
    return { entry, period: requests.wholeRecord(station), answer: described[at] };
  });
}

function KnownStation({ address, station }: Pick<View, 'address' | 'station'>) {
  const view = viewOf(address, station);
  const answers = useAnswers(view.asks);
  const alone = useAnswer(view.newest);
  const newest = view.newest === undefined ? answers[0] : alone;
  const covered = useAnswer(requests.coverageOf(station.station));
  const coverage = covered.data?.[0];
  const parts = { ...view, coverage, records: useRecords(view) };
  const record = requests.wholeRecord(station);
  const sentence =
    coverage && record && html`${reportsText(coverage, record)}: ${elements.daysLink(coverage, record)}.`;
  const report = newest?.data?.findLast(({ hidden }) => hidden === undefined);
  const week = useModule('period', () => import('./period.ts'));
  // The description in the page, which needs no key, lacks the first report.
  const isDescribed = record !== undefined;
  const isDrawn = week.data !== undefined && !answers.some(({ isLoading }) => isLoading);
  const loaded = useModule('parts', () => import('../parts.ts'), isDrawn && isDescribed);
  return html`
    ${stationHead(view)}
    <${elements.AnswerState} answer=${newest} height=${elements.isPhone() ? 190 : 147}>
      ${report && newestReport(report, sentence)}
    <//>
    <${elements.AnswerState} answer=${week} height=${innerHeight / 2}>
      ${week.data && (isDescribed || !view.isLong) && html`<${week.data.Recent} ...${parts} answers=${answers} />`}
    <//>
    <${elements.AnswerState} answer=${loaded} height=${innerHeight}>
      ${loaded.data && html`<${loaded.data.StationParts} ...${parts} covered=${covered} />`}
    <//>`;
}

function stationHead(view: View) {
  const { address, station } = view;
  const { name, latitude, longitude, timezone } = station;
  const facts = factsOf(station).map((fact) =>
    fact.includes('°') ? html`<a href=${`/?q=${latitude},${longitude}`}>${fact}</a>` : fact,
  );
  const time = timezone && html`<time title=${timezone}>${formatLocalTime(timezone, Date.now())}</time>`;
  return html`<header class="station-head">
    <div>
      <h1>${station.station} ${name}</h1>
      <p class="facts">${[...facts, time].map((fact) => fact && html`<span>${fact}</span>`)}</p>
    </div>
    <div class="controls">
      <${Compare} ...${view} />
      ${unitsMenu(address)}
      <${elements.CopyButton} text=${linkTo(address, station)} label="Copy link" />
    </div>
  </header>`;
}

function unitsMenu({ units, time }: Address) {
  const quantities = (Object.keys(UNITS) as (keyof typeof UNITS)[]).map((quantity) => {
    const options = UNITS[quantity].map(({ key, name }) => [key, name]);
    if (options.length === 1) return null;
    const others = units.filter((key) => !options.some(([own]) => own === key));
    const choose = (key: string) => change({ units: [...others, key].filter(Boolean) });
    return elements.picker(quantity, options, unitOf(quantity).key, choose);
  });
  const times = Object.entries({ '': 'UTC', local: 'local' });
  return html`<${elements.Menu} text="Units" name="Units and time">
    ${quantities}
    ${elements.picker('time', times, time, (key) => change({ time: key }))}
  <//>`;
}

function Compare({ address, entries, year }: View) {
  const [isOpen, setOpen] = useState(false);
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const text = String(new FormData(form).get('other')).trim().toUpperCase();
    form.reset();
    // A comparison is of stations or of years, not both.
    if (YEAR.test(text)) change({ years: [...new Set([...address.years, text])], with: [], year });
    else change({ with: [...new Set([...address.with, text])], years: [] });
  };
  const remove = ({ label }: Entry) => {
    const without = (list: readonly string[]) => list.filter((each) => each !== label);
    change({ with: without(address.with), years: without(address.years) });
  };
  const close = ({ key, currentTarget }: KeyboardEvent) => {
    if (key !== 'Escape') return;
    setOpen(false);
    (currentTarget as Element).querySelector<HTMLElement>('[aria-expanded]')?.focus();
  };
  return html`<div class="compare" onKeyDown=${close}>
    ${entries.length > 1 && entries.map((entry, at) => html`<span class="chip ${entry.style}"><i></i>${entry.label}${at > 0 && html`<button type="button" aria-label=${`Without ${entry.label}`} onClick=${() => remove(entry)}>×</button>`}</span>`)}
    ${entries.length < MOST_ENTRIES && html`<button type="button" class="link" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>Compare</button>`}
    ${
      isOpen &&
      entries.length < MOST_ENTRIES &&
      html`<form onSubmit=${add}>
        <input name="other" aria-label="Station or year to compare" placeholder="EGLL or 2012" size="10" autocomplete="off" spellcheck=${false} ref=${elements.takeFocus}
          required maxlength="4" pattern="[A-Za-z][A-Za-z0-9]{3}|(19|20)[0-9]{2}" title="The code of a station, as in EGLL, or a year" />
        <button type="submit">Add</button>
      </form>`
    }
  </div>`;
}

function newestReport(report: Observation, coverage: unknown) {
  const { observedAt, raw = '', type } = report;
  const decoded = reports.decodedOf(report);
  const values = reports.reportValues(report);
  const { direction, temperature, dewPoint, pressure, category } = values;
  const temperatures =
    temperature !== undefined && `${formatNumber(temperature)} / ${formatNumber(dewPoint)}`;
  const age = Date.now() - values.time;
  const arrow =
    direction !== undefined &&
    html`<svg class="wind-arrow" width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true">${elements.windArrow(values)}</svg>`;
  const figures = [
    ['Wind', reports.windText(values), unitOf('speed').name, arrow],
    ['Visibility', values.visibilityText],
    ['Weather', reports.weatherWords(values.wx)],
    ['Sky', reports.skyText(decoded)],
    ['Temperature', temperatures, unitOf('temperature').name],
    ['Pressure', pressure !== undefined && numberOf('pressure', pressure), unitOf('pressure').name],
  ];
  return html`<section class="now" aria-label="Newest report">
    <p class="badge ${(category ?? 'unknown').toLowerCase()}" title=${category === undefined ? 'The flight category is unknown' : reports.CATEGORIES[category]}>${category ?? '–'}</p>
    <dl class="figures">${figures.map(([name, text, unit, mark]) => text && html`<div><dt>${name}</dt><dd>${mark}<span>${text}</span> ${unit && text !== 'calm' && html`<small>${unit}</small>`}</dd></div>`)}</dl>
    <p class="raw"><code>${raw.startsWith(type) ? '' : `${type} `}${reports.groupsOf(raw).map(({ text, meaning }) => html`<span title=${meaning}>${text}</span> `)}</code></p>
    <p class="words">${reports.reportInWords(decoded)}</p>
    <p class="muted age">Observed <time datetime=${observedAt} title="${formatTime(observedAt)} UTC">${age < 2 * DAY ? formatAge(age) : `${formatTime(observedAt)} UTC, ${formatAge(age)}`}</time>. <span>${coverage}</span></p>
  </section>`;
}
