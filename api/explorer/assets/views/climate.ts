import { sum } from 'd3-array';
import { html, useState } from 'htm/preact/standalone';
import { Legend, Reading } from '../charts/chart.ts';
import { cellKey, HeatMap } from '../charts/heat-map.ts';
import {
  BarChart,
  crosswinds,
  precipitation,
  TemperatureChart,
  toMonth,
  weatherDays,
} from '../charts/months.ts';
import { Picture, Section, WhenNear } from '../charts/picture.ts';
import { Roses } from '../charts/rose.ts';
import type {
  Answer,
  Ask,
  Bars,
  Cell,
  ColorScale,
  EntryRecord,
  Period,
  Row,
  Shown,
} from '../declarations.ts';
import { addDays, addYears, formatShare } from '../format.ts';
import { labelsOf } from '../model/address.ts';
import { useAnswers } from '../model/answers.ts';
import * as requests from '../model/requests.ts';
import { directionsOf } from '../model/runways.ts';
import * as statistics from '../model/statistics.ts';

type Months = readonly (Shown<ReturnType<typeof toMonth>> & { readonly period: Period | undefined })[];
type ChartProps = { title: string; shown: Months; onPoint: (text: string) => void };

/**
 * The same chart of each entry, small if there are several.
 *
 * @param own its further properties
 */
function chartOfEach(
  { title, shown, onPoint }: ChartProps,
  chart: unknown,
  own: (rows: readonly Row[]) => object,
) {
  const isSmall = shown.length > 1;
  return html`<div class=${isSmall ? 'each' : ''}>${shown.map(({ entry, points }) => html`<div>${isSmall && html`<h4>${entry.label}</h4>`}<${chart} isSmall=${isSmall} label=${`${title} at ${entry.label}`} onPoint=${onPoint} ...${own(points)} /></div>`)}</div>`;
}

const bars = (kinds: () => readonly Bars[]) => ({
  isKnown: (row: Row) => kinds().some(({ value }) => value(row) !== undefined),
  chart: (props: ChartProps) => html`<${BarChart} ...${props} kinds=${kinds()} />`,
});

/** A heat map of each entry in the same colors. */
function heatMap(
  cellsOf: (rows: readonly Row[]) => readonly Cell[],
  colorsOf: (values: readonly number[]) => ColorScale,
) {
  const values = (shown: Months) =>
    shown.flatMap(({ points }) => cellsOf(points).flatMap(({ value }) => value ?? []));
  return {
    isOfHours: true,
    chart: (props: ChartProps) => {
      const colors = colorsOf(values(props.shown));
      return chartOfEach(props, HeatMap, (rows) => ({ cells: cellsOf(rows), colors }));
    },
    note: (shown: Months) => cellKey(colorsOf(values(shown)), values(shown).length, shown.length),
  };
}

const speedMarks = () => Object.fromEntries(statistics.speedNames().map((name, at) => [`speed-${at}`, name]));

const runwaysOf = (shown: Months) =>
  shown
    .map(({ entry, period }) => {
      const names = directionsOf(period?.runways).map(({ name }) => name);
      return `${entry.label} ${names.join(', ')}`;
    })
    .join('; ');

function windRoses(props: ChartProps) {
  const shares = props.shown.flatMap(({ points }) =>
    [undefined, ...Object.keys(statistics.SEASONS)].flatMap((season) =>
      statistics.windRose(points, season).sectors.map((classes) => sum(classes)),
    ),
  );
  const most = statistics.endOfShares(shares);
  return chartOfEach(props, Roses, (rows) => ({ rows, most }));
}

/** `isKnown`: whether a row has what the picture shows; `blank` says why no row has; `isOfHours`: by hours of the day. */
const PICTURES: readonly {
  title: string;
  counts: string;
  ask: (period: Period) => Ask<readonly Row[]> | undefined;
  chart: unknown;
  isKnown?: (row: Row) => boolean;
  blank?: string;
  note?: (shown: Months) => unknown;
  isOfHours?: boolean;
}[] = [
  {
    title: 'Temperature by month',
    counts: 'By month',
    ask: requests.normals,
    chart: TemperatureChart,
    isKnown: (row) => row.mean_temp_c !== undefined,
    blank:
      'No month has a mean temperature: it takes months in which at most ten days, and four in a row, lack hours (WMO-No. 1203).',
  },
  {
    title: 'Temperature by hour',
    counts: 'Mean by month and hour',
    ask: requests.temperatures,
    ...heatMap(statistics.temperatureCells, statistics.colorsOfTemperatures),
  },
  {
    title: 'Precipitation',
    counts: 'Mean total of a month',
    ask: requests.normals,
    ...bars(precipitation),
    blank: 'No month has a total: it takes a gauge, and amounts of each day of a month.',
  },
  {
    title: 'Days with weather',
    counts: 'Days in a month',
    ask: requests.normals,
    ...bars(weatherDays),
    blank: 'No month has a number of days: it takes months whose every day has its hours (WMO-No. 1203).',
  },
  {
    title: 'Wind rose',
    counts: 'Share of hours by direction and speed',
    ask: requests.windBySeason,
    chart: windRoses,
    note: () => html`<span class="legends"><${Legend} items=${speedMarks()} /></span>`,
  },
  {
    title: 'Crosswind',
    counts: 'Share of hours with at most so much wind across the best runway of the hour',
    ask: requests.bestRunways,
    ...bars(crosswinds),
    note: (shown) => `${runwaysOf(shown)}. The mean wind counts, and a variable one by its speed.`,
  },
  {
    title: 'Flight category',
    counts: 'Share of hours with IFR or LIFR by month and hour',
    ask: requests.flightCategories,
    ...heatMap(statistics.categoryCells, statistics.colorsOfShares),
  },
];
const PICTURE_HEIGHT = 292;

/**
 * The climate: of each station's whole record, or of each year if years are compared.
 *
 * @param props `isLocal`: hours are in standard time
 */
export function Climate({
  records,
  year,
  isLocal,
}: {
  records: readonly EntryRecord[];
  year: string;
  isLocal: boolean;
}) {
  const record = records[0]?.period;
  if (record === undefined) return null;
  const isOfYears = records.some(({ entry }) => entry.years !== 0);
  const periods = records.map(({ entry, period }) => {
    const own = requests.yearPeriod(record.station, String(Number(year) + entry.years));
    return isOfYears ? { ...record, ...own } : period;
  });
  const of = isOfYears
    ? `${labelsOf(records)} at ${record.station}`
    : periods
        .flatMap((period) => period ?? [])
        .map(
          ({ station, from, to }) =>
            `${records.length > 1 ? `${station} ` : ''}${from} to ${addDays(to, -1)}`,
        )
        .join(', ');
  const zone = record.timezone === undefined ? 'UTC' : 'the standard time of each station';
  const isShort = isOfYears || addYears(record.from, statistics.CLIMATE_YEARS) > record.to;
  const years = isShort ? ' Fewer than ten years are no climate yet.' : '';
  return html`<${Section} id="climate" title="Climate" isFolded=${true} sentence=${`${of}. Days are those of ${zone}.${years}`}>
    <${WhenNear} height=${1100}>${() => html`<${Pictures} records=${records} periods=${periods} isLocal=${isLocal && record.timezone !== undefined} />`}<//>
  <//>`;
}

function Pictures({
  records,
  periods,
  isLocal,
}: {
  records: readonly EntryRecord[];
  periods: readonly (Period | undefined)[];
  isLocal: boolean;
}) {
  const zone = isLocal ? 'standard time' : 'UTC';
  const asks = PICTURES.map(({ ask, isOfHours }) =>
    periods.map(
      (period) => period && ask(isOfHours && !isLocal ? { ...period, timezone: undefined } : period),
    ),
  );
  const all = useAnswers(asks.flat());
  const answers = PICTURES.map((_, at) => all.slice(at * periods.length, (at + 1) * periods.length));
  const hours = answers.at(-1)?.map(({ data = [] }) => statistics.usualHours(data, zone));
  return html`<div class="climate">${PICTURES.map((picture, at) => html`<${ClimatePicture} picture=${picture} zone=${zone} records=${records} asks=${asks[at]} answers=${answers[at]} hours=${hours} />`)}</div>`;
}

/**
 * A picture with what it counts, which is replaced by what is pointed at, and from how much of the hours, and which. Entries
 * with too few hours say so instead.
 */
function ClimatePicture({
  picture,
  zone,
  records,
  asks,
  answers,
  hours,
}: {
  picture: (typeof PICTURES)[number];
  zone: string;
  records: readonly EntryRecord[];
  asks: readonly (Ask | undefined)[];
  answers: readonly Answer<readonly Row[]>[];
  hours: readonly string[];
}) {
  const { title, counts, chart, isKnown = () => true, blank, note, isOfHours } = picture;
  const [pointed, setPointed] = useState('');
  const ask = asks.find((each) => each);
  // A station without runways has no crosswind.
  if (ask === undefined) return null;
  const all = records.map(({ entry, period }, at) => {
    const answer = answers[at];
    // The normals have a row for the whole year.
    const rows = (answer?.data ?? []).filter(
      ({ month, season }) => month !== undefined || season !== undefined,
    );
    const share = statistics.shareOfHours(rows, asks[at]?.parameters ?? {});
    return { entry, period, answer, points: rows.map(toMonth), share, hours: hours[at] ?? '' };
  });
  const shown = all.filter(({ answer }) => answer?.data !== undefined);
  const enough = shown.filter(({ share }) => share >= statistics.ENOUGH_HOURS);
  const few = shown.filter(({ share }) => share < statistics.ENOUGH_HOURS);
  const shares = enough.map(
    ({ entry, share, hours: which }) =>
      `${records.length > 1 ? `${entry.label} ` : ''}${formatShare(share)} of the hours${which}`,
  );
  const isDrawn = enough.some(({ points }) => points.some(isKnown));
  const slug = title.toLowerCase().replaceAll(' ', '-');
  const file = `${ask.parameters.stations}-${slug}`;
  return html`<${Picture} id=${`climate-${slug}`} title=${title} ask=${ask} shown=${all} height=${PICTURE_HEIGHT} file=${file} rows=${answers[0]?.data ?? []} note=${isDrawn && note?.(enough)}>
    <${Reading} style="counts" legend=${[counts, isOfHours && ` (${zone})`, shares.length > 0 && `, from ${shares.join(', ')}`]} reading=${pointed} />
    ${few.map(({ entry, share }) => html`<p class="empty-line">${share === 0 ? `No report of ${entry.label}.` : `Only ${formatShare(share)} of the hours of ${entry.label} have a report: too few for numbers of its climate.`}</p>`)}
    ${enough.length > 0 && !isDrawn && html`<p class="empty-line">${blank}</p>`}
    ${isDrawn && html`<${chart} title=${title} shown=${enough} onPoint=${setPointed} />`}
  <//>`;
}
