import { html, useState } from 'htm/preact/standalone';
import { type EntryChart, legendOf, readingOver, type Shown } from '../charts/chart.ts';
import { cellKey, heatMap } from '../charts/heat-map.ts';
import * as months from '../charts/months.ts';
import { Picture, Section } from '../charts/picture.ts';
import { roses } from '../charts/rose.ts';
import { addDays, addYears, formatShare } from '../format.ts';
import { labelsOf } from '../model/address.ts';
import { type Answer, useAnswers } from '../model/answers.ts';
import * as requests from '../model/requests.ts';
import { directionsOf } from '../model/runways.ts';
import * as statistics from '../model/statistics.ts';
import type { EntryRecord, StationView } from './station.ts';

type Rows = readonly requests.Row[];
type Months = readonly (Shown<ReturnType<typeof months.toMonth>> & Pick<EntryRecord, 'period'>)[];
type ChartProps = { title: string; shown: Months; onPoint: (text: string) => void };

function chartOfEach({ title, shown, onPoint }: ChartProps, chart: (rows: Rows, one: EntryChart) => unknown) {
  const isSmall = shown.length > 1;
  return html`<div class=${isSmall ? 'each' : ''}>${shown.map(({ entry, points }) => {
    const drawn = chart(points, { label: `${title} at ${entry.label}`, isSmall, onPoint });
    return html`<div>${isSmall && html`<h4>${entry.label}</h4>`}${drawn}</div>`;
  })}</div>`;
}

const bars = (kinds: () => readonly months.Bars[]) => ({
  isKnown: (row: requests.Row) => kinds().some(({ value }) => value(row) !== undefined),
  chart: (props: ChartProps) => months.barChart(props, kinds()),
});

/** A heat map of each entry in the same colors. */
function heatMaps(
  cellsOf: (rows: Rows) => readonly statistics.Cell[],
  colorsOf: (values: readonly number[]) => statistics.ColorScale,
) {
  const values = (shown: Months) =>
    shown.flatMap(({ points }) => cellsOf(points).flatMap(({ value }) => value ?? []));
  return {
    isOfHours: true,
    chart: (props: ChartProps) => {
      const colors = colorsOf(values(props.shown));
      return chartOfEach(props, (rows, one) => heatMap(cellsOf(rows), colors, one));
    },
    note: (shown: Months) => cellKey(colorsOf(values(shown)), values(shown).length, shown.length),
  };
}

const runwaysOf = (shown: Months) =>
  shown.map(({ entry, period }) => {
    const names = directionsOf(period?.runways).map(({ name }) => name);
    return `${entry.label} ${names.join(', ')}`;
  });

const SEASONS = Object.keys(statistics.SEASONS) as statistics.Season[];

function windRoses(props: ChartProps) {
  // Compared stations have no roses of seasons.
  const seasons = [undefined, ...(props.shown.length === 1 ? SEASONS : [])];
  const windsOf = (rows: Rows) => seasons.map((season) => statistics.windRose(rows, season));
  const winds = props.shown.flatMap(({ points }) => windsOf(points));
  const most = statistics.endOfShares(winds.flatMap(({ totals }) => totals));
  return chartOfEach(props, (rows, one) => roses(windsOf(rows), most, one));
}

/** `isKnown`: whether a row has the value of the picture. `blank`: why no row has it. `isOfHours`: it is by hours of the day. */
type PictureKind = {
  title: string;
  counts: string;
  ask: (period: requests.Period) => requests.Ask<Rows> | undefined;
  chart: (props: ChartProps) => unknown;
  isKnown?: (row: requests.Row) => boolean;
  blank?: string;
  note?: (shown: Months) => unknown;
  isOfHours?: boolean;
};

const PICTURES: readonly PictureKind[] = [
  {
    title: 'Temperature by month',
    counts: 'By month',
    ask: requests.normals,
    chart: months.temperatureChart,
    isKnown: (row) => row.mean_temp_c !== undefined,
    blank:
      'No month has a mean temperature: at most ten of its days, and four in a row, may lack hours (WMO-No. 1203).',
  },
  {
    title: 'Temperature by hour',
    counts: 'Mean by month and hour',
    ask: requests.temperatures,
    ...heatMaps(statistics.temperatureCells, (values) => statistics.scaleOfColor('temperature', values)),
  },
  {
    title: 'Precipitation',
    counts: 'Mean total of a month',
    ask: requests.normals,
    ...bars(months.precipitation),
    blank: 'No month has a total: it takes a gauge, and amounts of each day of a month.',
  },
  {
    title: 'Days with weather',
    counts: 'Days in a month',
    ask: requests.normals,
    ...bars(months.weatherDays),
    blank: 'No month has a number of days: no day of the month may lack hours (WMO-No. 1203).',
  },
  {
    title: 'Wind rose',
    counts: 'Share of hours by direction and speed, the rest with variable wind',
    ask: requests.windBySeason,
    chart: windRoses,
    note: () => {
      const marks = statistics.speedNames().map((name, at) => [`speed-${at}`, name]);
      return html`<span class="legends">${legendOf(Object.fromEntries(marks))}</span>`;
    },
  },
  {
    title: 'Crosswind',
    counts: 'Share of hours with at most so much wind across the best runway of the hour',
    ask: requests.bestRunways,
    ...bars(months.crosswinds),
    note: (shown) => `${runwaysOf(shown).join('; ')}. The mean wind counts, and a variable one by its speed.`,
  },
  {
    title: 'Flight category',
    counts: 'Share of hours with IFR or LIFR by month and hour',
    ask: requests.flightCategories,
    ...heatMaps(statistics.categoryCells, statistics.colorsOfShares),
  },
];
const PICTURE_HEIGHT = 292;

/** The climate: of each station's whole record, or of each year if years are compared; by hours in UTC or standard time. */
export function Climate({ address, records, year, coverage }: StationView) {
  const record = records[0]?.period;
  if (record === undefined) return null;
  const isOfYears = records.some(({ entry }) => entry.years !== 0);
  const shown = records.map(({ entry, period }) => {
    const own = requests.yearRange(Number(year) + entry.years);
    return { entry, period: isOfYears ? { ...record, ...own } : period };
  });
  const ranges = shown.flatMap(({ entry, period }) => {
    const name = records.length > 1 ? `${entry.label} ` : '';
    return period ? `${name}${period.from} to ${addDays(period.to, -1)}` : [];
  });
  const of = isOfYears ? `${labelsOf(records)} at ${record.station}` : ranges.join(', ');
  const zone = record.timezone === undefined ? 'UTC' : 'the standard time of each station';
  const reported = coverage?.years.filter(({ reports = 0 }) => reports > 0);
  const isLong = addYears(record.from, statistics.CLIMATE_YEARS) <= record.to;
  const isShort = isOfYears || !isLong || (reported?.length ?? Infinity) < statistics.CLIMATE_YEARS;
  const years = isShort ? ' Fewer than ten years are no climate yet.' : '';
  return html`<${Section} id="climate" title="Climate" isFolded=${true} height=${1100} sentence=${`${of}. Days are those of ${zone}.${years}`}>
    ${() => html`<${Pictures} shown=${shown} isLocal=${address.time !== '' && record.timezone !== undefined} />`}
  <//>`;
}

type Entries = readonly Pick<EntryRecord, 'entry' | 'period'>[];

function Pictures({ shown, isLocal }: { shown: Entries; isLocal: boolean }) {
  const zone = isLocal ? 'standard time' : 'UTC';
  const asks = PICTURES.map(({ ask, isOfHours }) =>
    shown.map(
      ({ period }) => period && ask(isOfHours && !isLocal ? { ...period, timezone: undefined } : period),
    ),
  );
  const answers = useAnswers(asks.flat());
  // The last picture counts the hours of each category.
  const hours = answers.slice(-shown.length).map(({ data = [] }) => statistics.usualHours(data, zone));
  const pictures = PICTURES.map((picture, row) => {
    const entries = shown.map((each, at) => {
      const answer = answers[row * shown.length + at];
      return { ...each, ask: asks[row]?.[at], answer, hours: hours[at] };
    });
    return html`<${ClimatePicture} picture=${picture} zone=${zone} entries=${entries} />`;
  });
  return html`<div class="climate">${pictures}</div>`;
}

type Asked = Entries[number] & { ask: requests.Ask | undefined; answer: Answer<Rows>; hours: string };
type ClimatePictureProps = { picture: PictureKind; zone: string; entries: readonly Asked[] };

/** The text of what is pointed at replaces the text of what the picture counts. Entries with too few hours have a text instead. */
function ClimatePicture({ picture, zone, entries }: ClimatePictureProps) {
  const { title, counts, chart, isKnown = () => true, blank, note, isOfHours } = picture;
  const [pointed, setPointed] = useState('');
  // A station without runways has no crosswind.
  if (!entries.some(({ ask }) => ask)) return null;
  const all = entries.map((each) => {
    const rows = each.answer.data ?? [];
    // The normals have a row for the whole year.
    const points = rows.filter((row) => (row.month ?? row.season) !== undefined).map(months.toMonth);
    return { ...each, rows, points, share: each.period ? statistics.shareOfHours(points, each.period) : 0 };
  });
  const shown = all.filter(({ answer }) => answer.data !== undefined);
  const enough = shown.filter(({ share }) => share >= statistics.ENOUGH_HOURS);
  const few = shown.filter(({ share }) => share < statistics.ENOUGH_HOURS);
  const shares = enough.map(({ entry, share, hours }) => {
    const name = entries.length > 1 ? `${entry.label} ` : '';
    return `${name}${formatShare(share)} of the hours${hours}`;
  });
  const counted = `${counts}${isOfHours ? ` (${zone})` : ''}${shares.length > 0 ? `, from ${shares.join(', ')}` : ''}`;
  const isDrawn = enough.some(({ points }) => points.some(isKnown));
  const slug = title.toLowerCase().replaceAll(' ', '-');
  return html`<${Picture} id=${`climate-${slug}`} title=${title} shown=${all} height=${PICTURE_HEIGHT} file=${slug} note=${isDrawn && note?.(enough)}>
    ${readingOver(counted, pointed, false, 'counts')}
    ${few.map(({ entry, share }) => html`<p class="empty-line">${share === 0 ? `No report of ${entry.label}.` : `Only ${formatShare(share)} of the hours of ${entry.label} have a report: too few for numbers of its climate.`}</p>`)}
    ${enough.length > 0 && !isDrawn && html`<p class="empty-line">${blank}</p>`}
    ${isDrawn && chart({ title, shown: enough, onPoint: setPointed })}
  <//>`;
}
