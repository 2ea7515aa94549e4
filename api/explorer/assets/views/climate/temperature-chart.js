import { svgElement } from '../../element.js';
import { MONTHS } from '../../state/utc-day.js';
import { axes, CHART, createScale, xOf } from './axes.js';
import { tenths } from './number-texts.js';

/** @typedef {import('../../state/climate.js').Row} Row */

/**
 * For each month the extremes as a thin line, the 5th to the 95th percentile as a bar, and the mean.
 *
 * @param {readonly Row[]} rows
 */
export function temperatureChart(rows) {
  const months = rows.filter((row) => row.mean_temp_c !== undefined);
  const values = months.map((row) => ({
    at: Number(row.month) - 1,
    low: Number(row.min_temp_c),
    p5: Number(row.p5_temp_c),
    mean: Number(row.mean_temp_c),
    p95: Number(row.p95_temp_c),
    high: Number(row.max_temp_c),
  }));
  const scale = createScale(values.length === 0 ? [0, 1] : values.flatMap(({ low, high }) => [low, high]));
  const bars = values.map(({ at, low, p5, mean, p95, high }) => {
    const [x, half] = [xOf(at + 0.5), 10];
    const text = `${MONTHS[at]}: lowest ${low} °C, 5 % below ${tenths(p5)}, mean ${tenths(mean)}, 5 % above ${tenths(p95)}, highest ${high}`;
    return svgElement(
      'g',
      {},
      svgElement('title', {}, text),
      svgElement('line', { x1: x, x2: x, y1: scale.y(low), y2: scale.y(high), class: 'whisker' }),
      svgElement('rect', {
        x: x - half,
        y: scale.y(p95),
        width: 2 * half,
        height: Math.max(1, scale.y(p5) - scale.y(p95)),
        class: 'bar warm',
      }),
      svgElement('line', { x1: x - half, x2: x + half, y1: scale.y(mean), y2: scale.y(mean), class: 'mean' }),
    );
  });
  const summary = values.map(({ at, mean }) => `${MONTHS[at]} ${tenths(mean)}`).join(', ');
  return {
    svg: svgElement('svg', { viewBox: `0 0 ${CHART.width} ${CHART.height}` }, ...axes(scale), ...bars),
    label: values.length === 0 ? 'no temperature is reported' : `mean in °C: ${summary}`,
    legend: 'Bar: 5th to 95th percentile, with the mean. Line: lowest and highest. °C.',
    columns: ['month', 'min_temp_c', 'p5_temp_c', 'mean_temp_c', 'p95_temp_c', 'max_temp_c', 'n', 'expected'],
  };
}
