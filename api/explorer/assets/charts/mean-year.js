import { html, useState } from '/assets/htm/preact.js';
import { d3 } from '../d3.js';
import { formatNumber } from '../format.js';
import { clearOfUnit, entryClass, LEFT, RIGHT, timeTicks, useWidth, VerticalAxis } from './frame.js';
import { bandPath, linePath } from './lanes.js';

const HEIGHT = 260;
const AXIS = 24;

/**
 * A year over the mean year: bars from the lowest to the highest temperature of each day over the band of mean lows and
 * highs, and dots for record days. Compared years or stations are lines of their mean temperature.
 *
 * @typedef {import('../model/days.js').Day} Day
 * @typedef {import('../model/days.js').MeanDay} MeanDay
 * @param {{
 *   label: string, year: string, days: readonly { date: string, day: Day | undefined }[],
 *   mean: ReadonlyMap<string, MeanDay>, legend: unknown, others: readonly { entry: import('../model/entries.js').Entry, days: readonly (number | undefined)[] }[],
 * }} props
 */
export function MeanYearChart({ label, year, days, mean, legend, others }) {
  const [ref, width] = useWidth();
  const [cursor, setAt] = useState(/** @type {number | undefined} */ (undefined));
  const isCompared = others.length > 0;
  const right = Math.max(LEFT + 1, width - RIGHT);
  const x = d3.scaleLinear([0, days.length], [LEFT, right]);
  const rows = days.map(({ date, day }, index) => ({ date, day, index, mean: mean.get(date.slice(5)) }));
  const values = [
    ...rows.flatMap(({ day, mean: normal }) => [
      day?.low,
      day?.high,
      normal?.low,
      normal?.high,
      ...(isCompared ? [] : [normal?.recordLow, normal?.recordHigh]),
    ]),
    ...others.flatMap((other) => other.days),
  ].filter((value) => value !== undefined);
  const [low = -10, high = 30] = d3.extent(values);
  const y = d3.scaleLinear([low - 2, high + 2], [HEIGHT, 4]);
  const { lines, labels } = timeTicks(
    'year',
    [Date.parse(`${year}-01-01`), Date.parse(`${Number(year) + 1}-01-01`)],
    width,
  );
  const xOfTime = d3.scaleLinear(
    [Date.parse(`${year}-01-01`), Date.parse(`${Number(year) + 1}-01-01`)],
    [LEFT, right],
  );
  const pointed = cursor === undefined ? undefined : rows[cursor];
  /** @param {PointerEvent} event */
  const point = (event) => {
    const { left } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    setAt(Math.min(rows.length - 1, Math.max(0, Math.floor(x.invert(event.clientX - left)))));
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt(Math.min(rows.length - 1, Math.max(0, (cursor ?? -1) + step)));
  };
  const means = rows.map(({ index, mean: normal }) => ({ ...normal, index }));
  const at = (/** @type {{ index: number }} */ { index }) => x(index + 0.5);
  return html`<div class="mean-year" tabindex="0" role="group" aria-label="${label}. The arrow keys read it." onKeyDown=${press}>
    <p class="readout" aria-live="polite">
      ${pointed === undefined ? legend : html`<time>${pointed.date}</time> ${rangeText(pointed.day)}${pointed.mean && html` · mean year ${formatNumber(pointed.mean.low)} to ${formatNumber(pointed.mean.high)} °C · records ${formatNumber(pointed.mean.recordLow)} (${pointed.mean.recordLowYear}), ${formatNumber(pointed.mean.recordHigh)} °C (${pointed.mean.recordHighYear})`}`}
    </p>
    <div ref=${ref} style=${{ height: `${HEIGHT + AXIS}px` }}>
      ${
        width > 0 &&
        html`<svg width=${width} height=${HEIGHT + AXIS} role="img" aria-label=${label} onPointerMove=${point} onPointerDown=${point} onPointerLeave=${() => setAt(undefined)}>
          <g class="axis">
            ${lines.map((time) => html`<line x1=${xOfTime(time)} x2=${xOfTime(time)} y1="0" y2=${HEIGHT} />`)}
            ${labels.map((each) => html`<text class="middle" x=${xOfTime(each.at)} y=${HEIGHT + 17}>${each.text}</text>`)}
          </g>
          ${!isCompared && bandPath(means, at, y, ['recordLow', 'recordHigh'], 'records')}
          ${bandPath(means, at, y, ['low', 'high'], 'normals')}
          <${VerticalAxis} y=${y} ticks=${clearOfUnit(y.ticks(5), y)} right=${right} unit="°C" />
          ${
            isCompared
              ? others.map(({ entry, days: own }) =>
                  linePath(
                    own.map((mean, index) => ({ mean, index })),
                    at,
                    y,
                    'mean',
                    entryClass(entry.letter),
                  ),
                )
              : rows.map(
                  ({ day, index, mean: normal }) =>
                    day?.low !== undefined &&
                    day.high !== undefined &&
                    html`<line class=${`day-range ${normal !== undefined && (day.mean ?? 0) < normal.mean ? 'colder' : ''}`} x1=${x(index + 0.5)} x2=${x(index + 0.5)} y1=${y(day.low) + 0.5} y2=${y(day.high) - 0.5} style=${{ strokeWidth: `${Math.max(1, (x(1) - x(0)) * 0.62)}px` }} />
                      ${normal !== undefined && day.high > normal.recordHigh && html`<circle class="record high" cx=${x(index + 0.5)} cy=${y(day.high) - 4} r="2.5" />`}
                      ${normal !== undefined && day.low < normal.recordLow && html`<circle class="record low" cx=${x(index + 0.5)} cy=${y(day.low) + 4} r="2.5" />`}`,
                )
          }
          ${cursor !== undefined && html`<line class="cursor" x1=${x(cursor + 0.5)} x2=${x(cursor + 0.5)} y1="0" y2=${HEIGHT} />`}
        </svg>`
      }
    </div>
  </div>`;
}

/** @param {Day | undefined} day */
function rangeText(day) {
  if (day?.low === undefined || day.high === undefined) return 'no temperature';
  return `${formatNumber(day.low)} to ${formatNumber(day.high)} °C, mean ${formatNumber(day.mean, 1)} °C`;
}
