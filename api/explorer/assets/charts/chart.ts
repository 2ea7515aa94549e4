import { bisectCenter } from 'd3-array';
import { html, useRef, useState } from 'htm/preact/standalone';
import { useWidth } from '../elements.ts';
import { DAY, dayOf } from '../format.ts';
import type { Entry, Span } from '../model/address.ts';
import type { Answer } from '../model/answers.ts';
import { type Domain, type Scale, scale, timeAxis, type ValueScale } from './axes.ts';

// The chart of the page: lanes over one time axis, with one cursor for all of them.

export type Lane = ReturnType<typeof lane>;
/** A part of a chart with its own vertical axis; `y` is the distance from its top. Without a name, its unit is in the corner. */
export function lane(
  name: string,
  unit: string,
  y: ValueScale | undefined,
  height: number,
  draw: (x: Scale, y: Scale, right: number) => unknown,
  labels: { ticks?: readonly number[]; format?: (value: number) => string } = {},
) {
  return { name, unit, y, height, draw, ...labels };
}

/** A point of a line. A value that is absent interrupts the line. */
export type Point<Name extends string = never> = { readonly time: number } & {
  readonly [name in Name]?: number | undefined;
};

/** The values of an entry that a chart draws, from an answer. */
export type Shown<P = unknown> = {
  readonly entry: Entry;
  readonly answer: Answer | undefined;
  readonly points: readonly P[];
};

/** A chart of one entry, `isSmall` if other charts stand beside it. `onPoint` gets the text of the mark under the pointer. */
export type EntryChart = { label: string; isSmall: boolean; onPoint: (text: string) => void };

/** Shows the days from the first to the last one, both included. */
export type OnSelect = ((from: string, to: string) => void) | undefined;

/** Space for the labels of the vertical axis, and on the right. */
export const LEFT = 44;
const RIGHT = 10;
/** Space for the labels of the time axis. */
const AXIS = 24;

/** The upper edges of the lanes, each below its own name or the previous lane, and of the time axis. */
function topsOf(lanes: readonly Lane[]) {
  let bottom = 0;
  const tops = lanes.map(({ height, name }, at) => {
    const top = bottom + (name === '' ? 14 * Math.min(1, at) : 18 + 12 * Math.min(1, at));
    bottom = top + height;
    return top;
  });
  return [...tops, bottom];
}

/** The height of a chart with its legend. Its place on the page has this height before the chart appears, so that nothing moves. */
export const heightOf = (lanes: readonly Lane[]) => 24 + (topsOf(lanes).at(-1) ?? 0) + AXIS;

/** Pixels from which a pointer drags. */
const LEAST_DRAG = 8;

/**
 * The cursor of a chart: the time of a report, which a pointer and the arrow keys choose; and a range of days, which a drag
 * and the arrow keys with Shift select. The times are in ascending order, and none outside the domain is chosen.
 */
function useCursor(times: readonly number[], x: ValueScale, [from, to]: Domain, onSelect: OnSelect) {
  const [cursor, setCursor] = useState<number>();
  const [range, setRange] = useState<Domain>();
  const begin = useRef<number>(undefined);
  const [first = 0, end = 0] = (range ?? [])
    .map((time) => Math.min(to, Math.max(from, time)))
    .sort((a, b) => a - b);
  const days = range && { from: dayOf(first), to: dayOf(Math.max(first, end - 1)) };
  const leave = () => {
    setCursor(undefined);
    setRange(undefined);
    begin.current = undefined;
  };
  const select = () => {
    leave();
    if (days) onSelect?.(days.from, days.to);
  };
  const moveTo = (time: number) => setCursor(times[bisectCenter(times, time)]);
  const point = (event: PointerEvent) => {
    const chart = event.currentTarget as Element;
    const at = event.clientX - chart.getBoundingClientRect().left;
    moveTo(x.invert(at));
    if (event.type === 'pointerdown' && onSelect) {
      begin.current = at;
      chart.setPointerCapture(event.pointerId);
    }
    if (begin.current !== undefined && Math.abs(at - begin.current) >= LEAST_DRAG)
      setRange([x.invert(begin.current), x.invert(at)]);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Escape') leave();
    if (event.key === 'Enter') select();
    if (step === undefined || times.length === 0) return;
    event.preventDefault();
    if (event.shiftKey && onSelect) {
      const [start, last] = range ?? Array(2).fill(cursor ?? (step > 0 ? from : to));
      const next = last + step * Math.max(DAY, (to - from) / 20);
      setRange([start, next]);
      return moveTo(next);
    }
    const at = cursor === undefined ? (step > 0 ? -1 : times.length) : times.indexOf(cursor);
    setCursor(times[Math.min(times.length - 1, Math.max(0, at + step))]);
  };
  const at = cursor !== undefined && cursor >= from && cursor <= to ? cursor : undefined;
  return { at, days, point, press, leave, select };
}

type Reportable = Point & { readonly isReport?: boolean };

export type Chart<P> = {
  label: string;
  span: Span;
  domain: Domain;
  lanes: readonly Lane[];
  shown: readonly Shown<P>[];
  items: Marks;
  textOf: (point: P) => string | undefined;
  absent?: string;
  read?: (time: number) => string;
  nights?: readonly Point<'low' | 'high'>[];
  zone?: string | undefined;
  onSelect?: OnSelect;
};

/**
 * At the cursor the chart shows, for each entry, the text of its last report up to that time or of its point at that time, or
 * `absent`. `items` explain marks in the legend.
 */
export function LaneChart<P extends Reportable>({ label, span, domain, lanes, shown, ...others }: Chart<P>) {
  const [ref, width] = useWidth();
  const right = Math.max(LEFT + 1, width - RIGHT);
  const x = scale(domain, [LEFT, right]);
  const tops = topsOf(lanes);
  const bottom = tops.at(-1) ?? 0;
  const hasWeekdays = shown.every(({ entry }) => entry.years === 0);
  const { ticks, zone, ...axis } = timeAxis(span, domain, width, { zone: others.zone, hasWeekdays });
  const { items, nights = [], textOf, read = axis.read, absent = 'no report', onSelect } = others;
  const now = Date.now();
  const isCompared = shown.length > 1;
  const points = shown.flatMap((each) => each.points).filter(({ isReport }) => isReport !== false);
  const times = [...new Set(points.map(({ time }) => time))].sort((a, b) => a - b);
  const { at, days, ...cursor } = useCursor(times, x, domain, onSelect);
  const textAt = (entry: Shown<P>, time: number) => {
    const last = entry.points.findLast((each) => each.time <= time);
    // A report counts until the next one.
    const holds = last?.isReport || last?.time === time;
    return (last && holds && textOf(last)) || absent;
  };
  const isEmpty = (entry: Shown<P>) =>
    entry.answer?.isLoading !== true && !entry.points.some((each) => textOf(each) !== undefined);
  const nameOf = (each: Shown<P>) => `${each.entry.label}${isEmpty(each) ? `: ${absent}` : ''}`;
  const names = isCompared ? shown.map((each) => [each.entry.style, nameOf(each)]) : [];
  const legend = { ...Object.fromEntries(names), ...items };
  const reading =
    at !== undefined &&
    html`<time>${days ? `${days.from} to ${days.to}` : read(at)}</time>
      ${shown.map((each) => html`<span>${isCompared && html`<b>${each.entry.label}</b> `}${textAt(each, at)}</span> `)}`;
  const line = (name: string, time: number) => verticalLine(name, x(time), 0, bottom);
  return html`<div class="lanes" tabindex="0" role="group" aria-label="${label}. The arrow keys read it${onSelect ? ', and with Shift select days, which Enter shows' : ''}." onKeyDown=${cursor.press}>
    ${readingOver(legendOf(legend), reading, true)}
    <div ref=${ref} style=${{ height: `${bottom + AXIS}px` }}>
      ${
        width > 0 &&
        html`<svg width=${width} height=${bottom + AXIS} viewBox=${`0 0 ${width} ${bottom + AXIS}`} role="img" aria-label=${label} onPointerMove=${cursor.point} onPointerDown=${cursor.point} onPointerUp=${cursor.select} onPointerCancel=${cursor.leave} onPointerLeave=${cursor.leave}>
          ${shapeOf(nights, { x, y: (share) => share * bottom }, ['low', 'high'], 'night')}
          <g class="axis">
            ${ticks.map(({ time }) => time >= domain[0] && line('', time))}
            ${ticks.map(({ at: middle, text, name }) => x(middle) < right - (name ? 0 : 28) && html`<text x=${x(middle)} y=${bottom + 17} class=${name}>${text}</text>`)}
            <text x="0" y=${bottom + 17}>${zone}</text>
          </g>
          ${lanes.map((lane, index) => html`<g transform="translate(0 ${tops[index]})">${verticalAxis(lane, right)}${lane.draw(x, lane.y ?? Number, right)}</g>`)}
          ${now > domain[0] && now < domain[1] && line('now', now)}
          ${at !== undefined && line('cursor', at)}
          ${days && html`<rect class="selected" x=${x(Date.parse(days.from))} width=${x(Date.parse(days.to) + DAY) - x(Date.parse(days.from))} y="0" height=${bottom} />`}
        </svg>`
      }
    </div>
  </div>`;
}

/** Lines and labels of a vertical axis, with the name of the lane over it; without a name, the unit is in the corner. */
function verticalAxis({ height, name, unit, y, ticks, format = String }: Lane, right: number) {
  const shown = y === undefined ? [] : (ticks ?? y.ticks(Math.max(2, Math.round(height / 38))));
  return html`<g class="axis">
    ${shown.map((tick) => {
      const at = y?.(tick) ?? 0;
      if (name === '' && at <= 16) return null;
      return html`<line x1=${LEFT} x2=${right} y1=${at} y2=${at} class=${tick === 0 ? 'zero' : ''} />
        <text x=${LEFT - 6} y=${at} dy="0.32em" class="end">${format(tick).replace('-', '\u2212')}</text>`;
    })}
    ${
      name === ''
        ? html`<text x="0" dy="0.8em">${unit}</text>`
        : html`<line x1="0" x2=${right} y1="-18" y2="-18" /><text x=${LEFT} y="-5" class="lane-name">${name} <tspan>${unit}</tspan></text>`
    }
  </g>`;
}

/** Runs of successive points that have all the named values. A point that lacks one of them interrupts a line. */
function runsOf<Name extends string>(points: readonly Point<Name>[], names: readonly Name[]) {
  const runs: Point<Name>[][] = [[]];
  for (const point of points)
    if (names.every((name) => point[name] !== undefined)) runs.at(-1)?.push(point);
    else if (runs.at(-1)?.length) runs.push([]);
  return runs.filter(({ length }) => length > 0);
}

export type Axes = { readonly x: Scale; readonly y: Scale };
type Names<Name> = readonly [Name] | readonly [Name, Name];

const DOT = 'm-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0';

/** A line through one value of the points, or the area between two values. A point without neighbors is a dot. */
export function shapeOf<Name extends string>(
  all: readonly Point<Name>[],
  { x, y }: Axes,
  names: Names<Name>,
  style: string,
) {
  const paths = runsOf(all, names).map((run) => {
    const [edge = [], other = []] = names.map((name) =>
      run.map((point) => `${x(point.time).toFixed(1)} ${y(point[name] ?? 0).toFixed(1)}`),
    );
    const end = names.length > 1 ? 'Z' : run.length === 1 ? DOT : '';
    return `M${[...edge, ...other.reverse()].join('L')}${end}`;
  });
  return html`<path class="${names.length > 1 ? 'band' : 'line'} ${style}" d=${paths.join('')} />`;
}

export const verticalLine = (style: string, x: number, y1: number, y2: number) =>
  html`<line class=${style} x1=${x} x2=${x} y1=${y1} y2=${y2} />`;

/** The legend of a chart and, over it, what is pointed at. */
export const readingOver = (legend: unknown, reading: unknown, isLive = false, style = 'readout') =>
  html`<div class="reading">
    <p class=${style} aria-live=${isLive ? 'polite' : undefined} aria-hidden=${!isLive}>${reading}</p>
    <p class=${style}>${legend}</p>
  </div>`;

/** What marks mean, by class. */
type Marks = Readonly<Record<string, string>>;

export const legendOf = (items: Marks) =>
  Object.entries(items).map(([name, text]) => html`<span class="legend ${name}"><i></i>${text}</span>`);
