import { svgElement } from '../../element.js';
import { MONTHS } from '../../state/utc-day.js';
import { percent } from './number-texts.js';

const CELL = { width: 17, height: 15, left: 40, top: 8 };
const HOURS = 24;

/**
 * A cell for each month and hour: the darker, the more often the category is IFR or LIFR.
 *
 * @param {readonly import('../../state/climate.js').Row[]} rows
 */
export function categoryChart(rows) {
  const known = rows.flatMap((row) =>
    row.ifr === undefined || row.lifr === undefined ? [] : [{ row, low: Number(row.ifr) + Number(row.lifr) }],
  );
  const most = Math.max(...known.map(({ low }) => low), 0.01);
  const cells = known.map(({ row, low }) => {
    const text = `${MONTHS[Number(row.month) - 1]}, ${row.hour} UTC: ${['vfr', 'mvfr', 'ifr', 'lifr']
      .map((name) => `${name.toUpperCase()} ${percent(Number(row[name]))}`)
      .join(', ')}`;
    return svgElement(
      'rect',
      {
        x: CELL.left + Number(row.hour) * CELL.width,
        y: CELL.top + (Number(row.month) - 1) * CELL.height,
        width: CELL.width - 1,
        height: CELL.height - 1,
        class: 'share',
        'fill-opacity': (0.06 + 0.94 * (low / most)).toFixed(3),
      },
      svgElement('title', {}, text),
    );
  });
  const worst = known.reduce((a, b) => (b.low > a.low ? b : a), known[0] ?? { row: undefined, low: 0 });
  return {
    svg: svgElement(
      'svg',
      { viewBox: '0 0 480 220' },
      ...cells,
      ...MONTHS.map((month, at) =>
        svgElement(
          'text',
          { x: CELL.left - 6, y: CELL.top + (at + 0.75) * CELL.height, class: 'label end' },
          month,
        ),
      ),
      ...Array.from({ length: HOURS / 3 }, (_, at) =>
        svgElement(
          'text',
          {
            x: CELL.left + (at * 3 + 0.5) * CELL.width,
            y: CELL.top + 12 * CELL.height + 14,
            class: 'label middle',
          },
          String(at * 3).padStart(2, '0'),
        ),
      ),
    ),
    label:
      worst.row === undefined
        ? 'no flight category is known'
        : `IFR or LIFR most often in ${MONTHS[Number(worst.row.month) - 1]} at ${worst.row.hour} UTC: ${percent(worst.low)}`,
    legend: `Share of hours with IFR or LIFR, up to ${percent(most)}.`,
    columns: ['month', 'hour', 'vfr', 'mvfr', 'ifr', 'lifr', 'n', 'expected'],
  };
}
