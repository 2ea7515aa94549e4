import { html } from 'htm/preact/standalone';
import { formatNumber, MONTHS, type Texts, toNumber } from '../format.ts';
import { labelsOf } from '../model/address.ts';
import { CROSSWINDS, type Row } from '../model/requests.ts';
import { describeExtremes } from '../model/statistics.ts';
import { convert, numberOf, textOf, unitOf } from '../model/units.ts';
import { type Scale, scale, scaleOf } from './axes.ts';
import { type Chart, LaneChart, LEFT, lane, type Shown, shapeOf, verticalLine } from './chart.ts';

const HEIGHT = 220;

/** The mean year is drawn as a year without a leap day; and the middle of each of its months. */
const MEAN_YEAR = [Date.UTC(2001, 0), Date.UTC(2002, 0)];
const MONTH_TIMES = MONTHS.map((_, at) => (Date.UTC(2001, at) + Date.UTC(2001, at + 1)) / 2);

type Month = Row & { readonly time: number };
type ChartProps = { title: string; shown: readonly Shown<Month>[] };

/** A row at the middle of its month. */
export const toMonth = (row: Row): Month => ({ ...row, time: MONTH_TIMES[Number(row.month) - 1] ?? 0 });

type MonthChartProps = ChartProps & Pick<Chart<Month>, 'lanes' | 'items' | 'absent' | 'textOf'>;

function monthChart({ title, ...props }: MonthChartProps) {
  return html`<${LaneChart} ...${props} label=${`${title} at ${labelsOf(props.shown)}`} span="year" domain=${MEAN_YEAR} read=${(time: number) => MONTHS[new Date(time).getUTCMonth()]} />`;
}

const widthOf = (x: Scale) => 0.7 * (x(MONTH_TIMES[1] ?? 0) - x(MONTH_TIMES[0] ?? 0));

function temperaturesOf(row: Month) {
  const of = (column: string) => convert('temperature', toNumber(row[column]));
  const [mean, low, high] = [of('mean_temp_c'), of('mean_min_temp_c'), of('mean_max_temp_c')];
  return { time: row.time, mean, low, high, recordLow: of('min_temp_c'), recordHigh: of('max_temp_c') };
}

/** Bars from the mean low to the mean high, and extremes. Compared entries are bands. */
export function temperatureChart(props: ChartProps) {
  const shown = props.shown.map(({ points, ...entry }) => ({ ...entry, points: points.map(temperaturesOf) }));
  const isOne = shown.length === 1;
  const extremes = describeExtremes(props.shown[0]?.points ?? []);
  const items = { 'month-range': 'mean low to mean high', 'month-mean': 'mean', whisker: extremes };
  const t = 'temperature';
  const read = (row: Month) => {
    const { mean, low, high, recordLow, recordHigh } = temperaturesOf(row);
    if (mean === undefined) return undefined;
    return `mean ${textOf(t, mean, 1)}, ${numberOf(t, low, 1)} to ${textOf(t, high, 1)}, ${extremes} ${numberOf(t, recordLow)} and ${textOf(t, recordHigh)}`;
  };
  const values = shown.flatMap(({ points }) =>
    points.flatMap(({ low, high, recordLow, recordHigh }) => (isOne ? [recordLow, recordHigh] : [low, high])),
  );
  const all = lane('', unitOf(t).name, scaleOf(values, HEIGHT, 2), HEIGHT, (x, y) => {
    if (isOne) return shown[0]?.points.map((month) => monthRange(month, x(month.time), widthOf(x), y));
    return shown.map(({ entry, points }) => [
      shapeOf(points, { x, y }, ['low', 'high'], entry.style),
      shapeOf(points, { x, y }, ['mean'], entry.style),
    ]);
  });
  return monthChart({ ...props, lanes: [all], items: isOne ? items : {}, absent: 'no mean', textOf: read });
}

function monthRange(month: ReturnType<typeof temperaturesOf>, middle: number, width: number, y: Scale) {
  const { low, high, mean, recordLow, recordHigh } = month;
  if (low === undefined || high === undefined || mean === undefined) return null;
  const [left, right] = [middle - width / 2, middle + width / 2];
  return html`${verticalLine('whisker', middle, y(recordLow ?? low), y(recordHigh ?? high))}
    <rect class="month-range" x=${left} width=${width} y=${y(high)} height=${y(low) - y(high)} rx="2" />
    <line class="month-mean" x1=${left} x2=${right} y1=${y(mean)} y2=${y(mean)} />`;
}

/** Bars of months: their lane, class and values, the text over a bar, and the text at the cursor. */
export type Bars = Texts<'name' | 'style'> & {
  readonly most?: number;
  readonly value: (row: Row) => number | undefined;
  readonly format: (value: number) => string;
  readonly read: (value: number | undefined) => string;
};

export function barChart(props: ChartProps, kinds: readonly Bars[]) {
  const height = Math.floor((HEIGHT + 14) / kinds.length) - 14;
  const read = (row: Month) =>
    kinds.some(({ value }) => value(row) !== undefined)
      ? kinds.map(({ value, read: text }) => text(value(row))).join(', ')
      : undefined;
  const lanes = kinds.map((kind) => barLane(kind, height, props.shown));
  return monthChart({ ...props, lanes, items: {}, absent: 'no value', textOf: read });
}

function barLane(kind: Bars, height: number, shown: ChartProps['shown']) {
  const { name, style, most = 1, value: amountOf, format } = kind;
  const isOne = shown.length === 1;
  const bars = shown.flatMap(({ entry, points }, index) =>
    points.map((row) => ({ entry, index, time: row.time, value: amountOf(row) })),
  );
  const y = scale([0, Math.max(most, ...bars.map(({ value = 0 }) => value))], [height, 12]);
  return lane('', name, isOne && height < HEIGHT / 2 ? undefined : y, height, (x, _, right) => {
    const width = widthOf(x) / shown.length;
    return html`<line class="base" x1=${LEFT} x2=${right} y1=${height} y2=${height} />
      ${bars.map(({ entry, index, time, value }) => {
        const left = x(time) - widthOf(x) / 2 + index * width;
        const top = y(value ?? 0);
        return html`<rect class="bar ${isOne ? style : entry.style}" x=${left} width=${Math.max(1, width - 1)} y=${top} height=${height - top} />
          ${isOne && (value ?? 1) >= 0.05 && html`<text class="bar-text" x=${left + width / 2} y=${top - 3}>${value === undefined ? '–' : format(value)}</text>`}`;
      })}`;
  });
}

export const weatherDays = (): Bars[] =>
  ['thunder', 'fog', 'snow', 'frost'].map((kind) => ({
    name: kind,
    style: kind,
    value: (row) => toNumber(row[`${kind}_days`]),
    format: (days) => formatNumber(days, days < 0.95 ? 1 : 0),
    read: (days) => `${formatNumber(days, 1)} days with ${kind}`,
  }));

export const crosswinds = (): Bars[] =>
  CROSSWINDS.map((limit) => {
    const name = textOf('speed', convert('speed', limit));
    return {
      name,
      style: 'wind',
      most: 100,
      value: (row) => {
        const share = toNumber(row[`within_${limit}`]);
        return share && 100 * share;
      },
      // 99.9 % are not all hours.
      format: (share) => String(Math.floor(share)),
      read: (share) =>
        `${formatNumber(share === 100 ? 100 : Math.min(99.9, share ?? NaN), 1)} % within ${name}`,
    };
  });

export const precipitation = (): Bars[] => [
  {
    name: unitOf('amount').name,
    style: 'rain',
    value: (row) => convert('amount', toNumber(row.precip_mm)),
    format: (amount) => numberOf('amount', amount),
    read: (amount) => textOf('amount', amount),
  },
];
