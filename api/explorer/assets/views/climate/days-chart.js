import { svgElement } from '../../element.js';
import { daysByMonth } from '../../state/climate.js';
import { MONTHS } from '../../state/utc-day.js';
import { axes, CHART, createScale, xOf } from './axes.js';
import { tenths } from './number-texts.js';

const KINDS = /** @type {const} */ (['thunder', 'fog', 'snow']);

/**
 * Three bars for each month: days with thunder, fog and snow.
 *
 * @param {readonly import('../../state/climate.js').Row[]} rows
 */
export function daysChart(rows) {
  const series = KINDS.map((kind) => ({ kind, days: daysByMonth(rows, kind) }));
  const all = series.flatMap(({ days }) => days.flatMap((value) => value ?? []));
  const scale = createScale([0, ...(all.length === 0 ? [1] : all)]);
  const bars = series.flatMap(({ kind, days }, n) =>
    days.flatMap((value, at) => {
      if (value === undefined) return [];
      const text = `${MONTHS[at]}: ${tenths(value)} days with ${kind}`;
      return svgElement(
        'rect',
        {
          x: xOf(at + 0.14 + 0.25 * n),
          y: scale.y(value),
          width: xOf(0.22) - xOf(0),
          height: Math.max(0.5, scale.y(0) - scale.y(value)),
          class: kind,
        },
        svgElement('title', {}, text),
      );
    }),
  );
  const totals = series.map(({ kind, days }) => {
    const known = days.flatMap((value) => value ?? []);
    return `${kind} ${tenths(known.reduce((sum, value) => sum + value, 0))}`;
  });
  return {
    svg: svgElement('svg', { viewBox: `0 0 ${CHART.width} ${CHART.height}` }, ...axes(scale), ...bars),
    label: `days a year: ${totals.join(', ')}`,
    legend: `Mean number of days. In a year: ${totals.join(', ')}.`,
    keys: KINDS.map((kind) => ({ label: kind, kind })),
    columns: ['year', 'month', 'thunder', 'fog', 'snow', 'n'],
  };
}
