import * as d3 from 'd3-array';
import { html, useState } from 'htm/preact/standalone';
import {
  AXIS,
  bandPath,
  LaneChart,
  LEFT,
  Legend,
  linePath,
  Reading,
  RIGHT,
  useWidth,
  verticalLine,
} from '../charts/chart.js';
import { Picture, Section, WhenNear } from '../charts/picture.js';
import { scale, scaleOf } from '../charts/scale.js';
import { isPhone } from '../elements.js';
import { addDays, addYears, formatNumber, formatShare, MONTHS, toNumber } from '../format.js';
import { labelsOf } from '../model/address.js';
import { useAnswers } from '../model/answers.js';
import { flightCategories, normals, windBySeason, yearPeriod } from '../model/requests.js';
import * as statistics from '../model/statistics.js';
import { convert, numberOf, unitOf, textOf as units } from '../model/units.js';

/** @import { Answer, Ask, EntryRecord, Lane, Period, Point, Row, Scale, Shown } from '../declarations.ts' */

const HEIGHT = 220;

/** The mean year as a year without a leap day, and the middle of each of its months. */
const MEAN_YEAR = [Date.UTC(2001, 0), Date.UTC(2002, 0)];
const MONTH_TIMES = MONTHS.map((_, at) => (Date.UTC(2001, at) + Date.UTC(2001, at + 1)) / 2);

/** A row of the climate, at the middle of its month. @param {Row} row @returns {Month} */
const toMonth = (row) => ({
  ...row,
  time: MONTH_TIMES[Number(row.month) - 1] ?? 0,
  mean: convert('temperature', toNumber(row.mean_temp_c)),
  low: convert('temperature', toNumber(row.mean_min_temp_c)),
  high: convert('temperature', toNumber(row.mean_max_temp_c)),
  recordLow: convert('temperature', toNumber(row.min_temp_c)),
  recordHigh: convert('temperature', toNumber(row.max_temp_c)),
});

/** @typedef {Row & Point<'mean' | 'low' | 'high' | 'recordLow' | 'recordHigh'>} Month */
/** @typedef {readonly Shown<Month>[]} Months */

/** @param {number} time */
const monthName = (time) => MONTHS[new Date(time).getUTCMonth()] ?? '';

/**
 * The months of the mean year on one axis.
 * @param {{
 *   title: string, shown: Months, lanes: readonly Lane[], items: Record<string, string>,
 *   textOf: (row: Month) => string,
 * }} props
 */
function MonthChart({ title, shown, lanes, items, textOf }) {
  /** @param {Month} row @param {number} time */
  const textAt = (row, time) => (row.time === time ? textOf(row) : undefined);
  return html`<${LaneChart} label=${`${title} at ${labelsOf(shown)}`} span="year" domain=${MEAN_YEAR} lanes=${lanes} shown=${shown} items=${items} textOf=${textAt} read=${monthName} />`;
}

/**
 * Bars from the mean low to the mean high, and extremes. Compared entries are bands.
 * @param {{ shown: Months }} props
 */
function TemperatureChart({ shown }) {
  const isOne = shown.length === 1;
  const extremes = statistics.describeExtremes(shown[0]?.points ?? []);
  const items = { 'month-range': 'mean low to mean high', 'month-mean': 'mean', whisker: extremes };
  /** @param {Month} month */
  const textOf = ({ mean, low, high, recordLow, recordHigh }) =>
    `mean ${units('temperature', mean, 1)}, ${numberOf('temperature', low, 1)} to ${units('temperature', high, 1)}, ${extremes} ${formatNumber(recordLow)} and ${units('temperature', recordHigh)}`;
  const values = shown.flatMap(({ points }) =>
    points.flatMap(({ low, high, recordLow, recordHigh }) => (isOne ? [recordLow, recordHigh] : [low, high])),
  );
  /** @type {Lane} */
  const lane = {
    height: HEIGHT,
    unit: unitOf('temperature').name,
    y: scaleOf(values, HEIGHT, 2),
    draw: (x, y) => {
      if (isOne) return shown[0]?.points.map((month) => monthRange(month, x(month.time), widthOf(x), y));
      return shown.map(({ entry, points }) => [
        bandPath(points, { x, y }, ['low', 'high'], entry.style),
        linePath(points, { x, y }, 'mean', entry.style),
      ]);
    },
  };
  return html`<${MonthChart} title="Temperature by month" shown=${shown} lanes=${[lane]} items=${items} textOf=${textOf} />`;
}

/** The width of a month's bar. @param {Scale} x */
const widthOf = (x) => 0.7 * (x(MONTH_TIMES[1] ?? 0) - x(MONTH_TIMES[0] ?? 0));

/** @param {Month} month @param {number} middle @param {number} width @param {Scale} y */
function monthRange({ low, high, mean, recordLow = low, recordHigh = high }, middle, width, y) {
  if (low === undefined || high === undefined || mean === undefined) return null;
  const [left, right] = [middle - width / 2, middle + width / 2];
  return html`${verticalLine('whisker', middle, y(recordLow ?? low), y(recordHigh ?? high))}
    <rect class="month-range" x=${left} width=${width} y=${y(high)} height=${y(low) - y(high)} rx="2" />
    <line class="month-mean" x1=${left} x2=${right} y1=${y(mean)} y2=${y(mean)} />`;
}

const WEATHER_DAYS = ['thunder', 'fog', 'snow', 'frost'];

/** Days with weather by month: a lane of bars for each kind. @param {{ shown: Months }} props */
function WeatherDaysChart({ shown }) {
  const lanes = WEATHER_DAYS.map((kind) => weatherDaysLane(kind, shown));
  /** @param {Row} row */
  const textOf = (row) =>
    `days with ${WEATHER_DAYS.map((kind) => `${kind} ${formatNumber(row[`${kind}_days`], 1)}`).join(', ')}`;
  return html`<${MonthChart} title="Days with weather by month" shown=${shown} lanes=${lanes} items=${{}} textOf=${textOf} />`;
}

/** @param {string} kind @param {Months} shown @returns {Lane} */
function weatherDaysLane(kind, shown) {
  const height = 45;
  const days = shown.flatMap(({ entry, points }, index) =>
    points.flatMap((row) => {
      const value = toNumber(row[`${kind}_days`]);
      // A number of days is known of months whose every day is.
      return value === undefined ? [] : [{ entry, index, time: row.time, value }];
    }),
  );
  const y = scale([0, Math.max(1, ...days.map(({ value }) => value))], [height, 12]);
  /** @param {typeof days[number]} day @param {number} left @param {number} width */
  const bar = ({ entry, value }, left, width) => html`
    <rect class="bar ${shown.length === 1 ? kind : entry.style}" x=${left} width=${Math.max(1, width - 1)} y=${y(value)} height=${height - y(value)} />
    ${shown.length === 1 && value >= 0.05 && html`<text class="bar-text" x=${left + width / 2} y=${y(value) - 3}>${formatNumber(value, value < 0.95 ? 1 : 0)}</text>`}`;
  return {
    height,
    unit: kind,
    draw: (x, _, right) => {
      const width = widthOf(x) / shown.length;
      return html`<line class="base" x1=${LEFT} x2=${right} y1=${height} y2=${height} />
        ${days.map((day) => bar(day, x(day.time) - widthOf(x) / 2 + day.index * width, width))}`;
    },
  };
}

/**
 * `most` is the end of the scale, which all entries share.
 * @typedef {{ rows: readonly Row[], label: string, isSmall: boolean, most: number, onPoint: (text: string) => void }} ChartProps
 */
/** @typedef {{ shown: readonly Shown<Row>[], most: number, onPoint: ChartProps['onPoint'] }} ChartsProps */

/** The same chart of each entry, small if there are several. @param {string} label @param {unknown} chart */
function chartOfEach(label, chart) {
  /** @param {ChartsProps} props */
  return ({ shown, most, onPoint }) => {
    const isSmall = shown.length > 1;
    return html`<div class=${isSmall ? 'each' : ''}>${shown.map(({ entry, points }) => html`<div>${isSmall && html`<h4>${entry.label}</h4>`}<${chart} isSmall=${isSmall} rows=${points} most=${most} label="${label} ${entry.label}" onPoint=${onPoint} /></div>`)}</div>`;
  };
}

const WindRoses = chartOfEach('Wind rose of', Roses);
const CategoryCharts = chartOfEach('IFR or LIFR by month and hour at', CategoryChart);

const SECTOR_NAMES = ['N', 'NNE', 'ENE', 'E', 'ESE', 'SSE', 'S', 'SSW', 'WSW', 'W', 'WNW', 'NNW'];

/** The wind of the year and, if there is room, small roses by season. @param {ChartProps} props */
function Roses({ rows, label, isSmall, most, onPoint }) {
  const seasons = isSmall ? [] : Object.entries(statistics.SEASONS);
  return html`<div class="roses">
    <${Rose} rows=${rows} most=${most} label=${label} size=${isSmall ? (isPhone() ? 165 : 210) : 260} onPoint=${onPoint} />
    <div class="seasons">
      ${seasons.map(([season, name]) => html`<figure><${Rose} rows=${rows} most=${most} season=${season} label="${label}, ${name}" size=${112} onPoint=${onPoint} /><figcaption>${name}</figcaption></figure>`)}
    </div>
  </div>`;
}

/** Clockwise from north. @param {number} turn in radians @param {number} distance */
const pointAt = (turn, distance) => `${distance * Math.sin(turn)} ${-distance * Math.cos(turn)}`;

/** @param {Omit<ChartProps, 'isSmall'> & { season?: string, size: number }} props */
function Rose({ rows, season, label, size, most, onPoint }) {
  const rose = statistics.windRose(rows, season);
  const isLarge = season === undefined;
  const [inner, outer] = [isLarge ? 26 : 12, size / 2 - (isLarge ? 22 : 4)];
  const totals = rose.sectors.map((classes) => d3.sum(classes));
  // The outer ring is at a round number, so that its label is outside of the sectors.
  const radius = scale([0, most], [inner, outer]);
  const rings = radius.ticks(3).filter((tick) => tick > 0);
  const angle = (2 * Math.PI) / totals.length;
  /** @param {number} turn @param {number} distance */
  const place = (turn, distance) => `translate(${pointAt(turn, distance)})`;
  /** @param {number[]} classes @param {number} sector */
  const drawSector = (classes, sector) => {
    const shares = classes
      .map((share, at) => `${statistics.speedNames()[at]} ${formatShare(share)}`)
      .join(', ');
    const text = `${SECTOR_NAMES[sector]} ${formatShare(totals[sector] ?? 0)} of ${rose.n} hours: ${shares}`;
    const [point, leave] = [() => onPoint(text), () => onPoint('')];
    const ends = d3.cumsum(classes);
    return html`<g tabindex=${isLarge ? 0 : -1} role="img" aria-label=${text} onPointerEnter=${point} onFocus=${point} onPointerLeave=${leave} onBlur=${leave}>
      ${classes.map((share, speed) => {
        const [near, far] = [radius((ends[speed] ?? 0) - share), radius(ends[speed] ?? 0)];
        const [start, end] = [(sector - 0.44) * angle, (sector + 0.44) * angle];
        const arc = `M${pointAt(start, near)}L${pointAt(start, far)}A${far} ${far} 0 0 1 ${pointAt(end, far)}L${pointAt(end, near)}A${near} ${near} 0 0 0 ${pointAt(start, near)}Z`;
        return share > 0 && html`<path class="speed-${speed}" d=${arc} />`;
      })}
    </g>`;
  };
  return html`<svg class="rose" width=${size} height=${size} viewBox=${`${-size / 2} ${-size / 2} ${size} ${size}`} role="img" aria-label=${label}>
    ${rings.map((ring) => html`<circle class="ring" r=${radius(ring)} />`)}
    ${rose.sectors.map(drawSector)}
    ${isLarge && rings.slice(-1).map((ring) => html`<text class="middle ring-text" transform=${place(angle, radius(ring) + 11)} dy="0.35em">${formatShare(ring)}</text>`)}
    ${isLarge && ['N', 'E', 'S', 'W'].map((name, at) => html`<text class="middle" transform=${place((at * Math.PI) / 2, outer + 11)} dy="0.35em">${name}</text>`)}
    <text class="middle calm-text" dy=${isLarge ? '-0.1em' : '0.35em'}>${formatShare(rose.calm)}</text>
    ${isLarge && html`<text class="middle ring-text" dy="1.1em">calm</text>`}
  </svg>`;
}

/** Lines in place of a value; a figure as a file has the same. */
const HATCH = html`<pattern id="missing" width="4" height="4" patternUnits="userSpaceOnUse"><path class="hatch" d="M-1 1L1 -1M0 4L4 0M3 5L5 3" /></pattern>`;

/** The share of hours below visual conditions, by month and hour. @param {ChartProps} props */
function CategoryChart({ rows, label, isSmall, most, onPoint }) {
  const height = isSmall ? 132 : HEIGHT;
  const [ref, width] = useWidth();
  const [x, y] = [scale([0, 24], [LEFT, Math.max(LEFT + 1, width - RIGHT)]), scale([1, 13], [0, height])];
  /** @param {number} hour */
  const hourText = (hour) => `${String(hour).padStart(2, '0')}:00`;
  return html`<div ref=${ref} style=${{ height: `${height + AXIS}px` }}>
    ${
      width > 0 &&
      html`<svg width=${width} height=${height + AXIS} viewBox=${`0 0 ${width} ${height + AXIS}`} role="img" aria-label=${label}>
        ${HATCH}
        ${MONTHS.map((month, at) => (!isSmall || at % 2 === 0) && html`<text class="end" x=${LEFT - 8} y=${y(at + 1.5)} dy="0.34em">${month}</text>`)}
        ${[0, 6, 12, 18].map((hour) => (width > 240 || hour % 12 === 0) && html`<text x=${x(hour)} y=${height + 17}>${hourText(hour)}</text>`)}
        ${statistics.categoryShares(rows).map(({ month, hour, n, low, marginal }) => {
          const text = `${MONTHS[month - 1]} ${hourText(hour)}: ${formatShare(low)} IFR or LIFR, ${formatShare(marginal)} MVFR, of ${n} hours`;
          return html`<rect class=${n < statistics.ENOUGH_FOR_CELL ? 'few' : 'low-share'} x=${x(hour)} y=${y(month)} width=${Math.max(0, x(1) - x(0) - 1)} height=${y(2) - y(1) - 1} style=${{ '--share': `${Math.min(1, low / most) * 100}%` }} onPointerEnter=${() => onPoint(text)} onPointerLeave=${() => onPoint('')} />`;
        })}
      </svg>`
    }
  </div>`;
}

const speedMarks = () => Object.fromEntries(statistics.speedNames().map((name, at) => [`speed-${at}`, name]));

/**
 * `isKnown`: whether a row has what the picture shows; `blank` says why no row has; `most` is the end of the scale of some
 * rows.
 * @type {readonly {
 *   title: string, counts: string, ask: (period: Period) => Ask<readonly Row[]>, chart: unknown,
 *   isKnown?: (row: Month) => boolean, blank?: string, most?: (rows: readonly Row[]) => number,
 *   note?: (most: number, isFew: boolean) => unknown,
 * }[]}
 */
const PICTURES = [
  {
    title: 'Temperature by month',
    counts: 'By month',
    ask: normals,
    chart: TemperatureChart,
    isKnown: ({ mean }) => mean !== undefined,
    blank:
      'No month has a mean temperature: it takes months in which at most ten days, and four in a row, lack hours (WMO-No. 1203).',
  },
  {
    title: 'Days with weather',
    counts: 'Days in a month',
    ask: normals,
    chart: WeatherDaysChart,
    isKnown: (row) => WEATHER_DAYS.some((kind) => row[`${kind}_days`] !== undefined),
    blank: 'No month has a number of days: it takes months whose every day has its hours (WMO-No. 1203).',
  },
  {
    title: 'Wind rose',
    counts: 'Share of hours by direction and speed',
    ask: windBySeason,
    chart: WindRoses,
    most: (rows) =>
      Math.max(
        ...[undefined, ...Object.keys(statistics.SEASONS)].flatMap((season) =>
          statistics.windRose(rows, season).sectors.map((classes) => d3.sum(classes)),
        ),
      ),
    note: () => html`<span class="legends"><${Legend} items=${speedMarks()} /></span>`,
  },
  {
    title: 'Flight category',
    counts: 'Share of hours with IFR or LIFR by month and hour',
    ask: flightCategories,
    chart: CategoryCharts,
    most: (rows) =>
      Math.max(
        ...statistics.categoryShares(rows).map(({ low, n }) => (n < statistics.ENOUGH_FOR_CELL ? 0 : low)),
      ),
    note: (most, isFew) =>
      html`<span class="key"><span class="scale low">0<i></i>${formatShare(most)}</span>${isFew && html`<span><i class="day missing"></i> fewer than ${statistics.ENOUGH_FOR_CELL} hours</span>`}</span>`,
  },
];
const PICTURE_HEIGHT = 268;

/**
 * The climate: of each station's whole record, or of each year if years are compared.
 * @param {{ records: readonly EntryRecord[], year: string }} props
 */
export function Climate({ records, year }) {
  const record = records[0]?.period;
  if (record === undefined) return null;
  const isOfYears = records.some(({ entry }) => entry.years !== 0);
  const periods = records.map(({ entry, period }) =>
    isOfYears ? { ...record, ...yearPeriod(record.station, String(Number(year) + entry.years)) } : period,
  );
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
  return html`<${Section} id="climate" title="Climate" isFolded=${true} sentence=${`${of}. Hours and days are those of ${zone}.${years}`}>
    <${WhenNear} height=${760}>${() => html`<${Pictures} records=${records} periods=${periods} />`}<//>
  <//>`;
}

/** @param {{ records: readonly EntryRecord[], periods: readonly (Period | undefined)[] }} props */
function Pictures({ records, periods }) {
  const asks = PICTURES.map(({ ask }) => periods.map((period) => period && ask(period)));
  const answers = useAnswers(asks.flat());
  return html`<div class="climate">${PICTURES.map((picture, at) => {
    /** @param {number} of */
    const answersOf = (of) => answers.slice(of * periods.length, (of + 1) * periods.length);
    const hours = answersOf(PICTURES.length - 1).map(({ data = [] }) => statistics.usualHours(data));
    return html`<${ClimatePicture} picture=${picture} records=${records} ask=${asks[at]?.[0]} answers=${answersOf(at)} hours=${hours} />`;
  })}</div>`;
}

/**
 * A picture with what it counts, which is replaced by what is pointed at, and from how much of the hours, and which. Entries
 * with too few hours say so instead.
 * @param {{
 *   picture: typeof PICTURES[number], records: readonly EntryRecord[], ask: Ask,
 *   answers: readonly Answer<readonly Row[]>[], hours: readonly string[],
 * }} props
 */
function ClimatePicture({ picture, records, ask, answers, hours }) {
  const { title, counts, chart, isKnown = () => true, blank, most: mostOf, note } = picture;
  const [pointed, setPointed] = useState('');
  const all = records.map(({ entry }, at) => {
    const answer = answers[at];
    // The normals have a row for the whole year.
    const rows = (answer?.data ?? []).filter(
      ({ month, season }) => month !== undefined || season !== undefined,
    );
    return {
      entry,
      answer,
      points: rows.map(toMonth),
      share: statistics.shareOfHours(rows),
      hours: hours[at] ?? '',
    };
  });
  const shown = all.filter(({ answer }) => answer?.data !== undefined);
  const enough = shown.filter(({ share }) => share >= statistics.ENOUGH_HOURS);
  const few = shown.filter(({ share }) => share < statistics.ENOUGH_HOURS);
  const shares = enough.map(
    ({ entry, share, hours: which }) =>
      `${shown.length > 1 ? `${entry.label} ` : ''}${formatShare(share)} of the hours${which}`,
  );
  const isBlank = !enough.some(({ points }) => points.some(isKnown));
  const most = mostOf && d3.nice(0, Math.max(0.05, ...enough.map(({ points }) => mostOf(points))), 4)[1];
  const isFew = enough.some(({ points }) =>
    statistics.categoryShares(points).some(({ n }) => n < statistics.ENOUGH_FOR_CELL),
  );
  const slug = title.toLowerCase().replaceAll(' ', '-');
  const file = `${ask.parameters.stations}-${slug}`;
  return html`<${Picture} id=${`climate-${slug}`} title=${title} ask=${ask} shown=${all} height=${PICTURE_HEIGHT + 24} file=${file} rows=${answers[0]?.data ?? []} note=${note?.(most ?? 1, isFew)}>
    <${Reading} style="counts" legend=${[counts, shares.length > 0 && `, from ${shares.join(', ')}`]} reading=${pointed} />
    ${few.map(({ entry, share }) => html`<p class="empty-line">${share === 0 ? `No report of ${entry.label}.` : `Only ${formatShare(share)} of the hours of ${entry.label} have a report: too few for numbers of its climate.`}</p>`)}
    ${enough.length > 0 && isBlank && html`<p class="empty-line">${blank}</p>`}
    ${enough.length > 0 && !isBlank && html`<${chart} shown=${enough} most=${most} onPoint=${setPointed} />`}
  <//>`;
}
