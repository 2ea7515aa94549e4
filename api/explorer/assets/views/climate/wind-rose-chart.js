import { svgElement } from '../../element.js';
import { SPEEDS, windRose } from '../../state/climate.js';
import { percent } from './number-texts.js';

const RADIUS = 92;
const CENTRE = { x: 240, y: 110 };
const DIRECTIONS = ['N', '30°', '60°', 'E', '120°', '150°', 'S', '210°', '240°', 'W', '300°', '330°'];

/**
 * A petal for each direction from which the wind blows; its parts are classes of speed.
 *
 * @param {readonly import('../../state/climate.js').Row[]} rows
 */
export function windRoseChart(rows) {
  const { sectors, calm, variable } = windRose(rows);
  const totals = sectors.map((shares) => shares.reduce((sum, share) => sum + share, 0));
  const most = Math.max(...totals, 0.01);
  const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((each) => most / each <= 4) ?? 0.5;
  const rings = Array.from({ length: Math.ceil(most / step) }, (_, at) => (at + 1) * step);
  const scale = RADIUS / (rings.at(-1) ?? most);
  const petals = sectors.flatMap((shares, sector) => {
    let inner = 0;
    return shares.map((share, at) => {
      const outer = inner + share;
      const path = svgElement(
        'path',
        { d: petal(sector, inner * scale, outer * scale), class: `speed-${at}` },
        svgElement('title', {}, `${DIRECTIONS[sector]}, ${SPEEDS[at]?.label}: ${percent(share)}`),
      );
      inner = outer;
      return path;
    });
  });
  const strongest = totals.indexOf(Math.max(...totals));
  return {
    svg: svgElement(
      'svg',
      { viewBox: '0 0 480 220' },
      ...rings.map((ring) =>
        svgElement('circle', { cx: CENTRE.x, cy: CENTRE.y, r: ring * scale, class: 'ring' }),
      ),
      ...petals,
      ...rings.map((ring) =>
        svgElement(
          'text',
          { x: CENTRE.x + 3, y: CENTRE.y - ring * scale + 10, class: 'label' },
          percent(ring),
        ),
      ),
      ...[0, 3, 6, 9].map((sector) => {
        const { x, y } = pointOf(sector, RADIUS + 10);
        return svgElement('text', { x, y: y + 4, class: 'label middle' }, DIRECTIONS[sector] ?? '');
      }),
    ),
    label: `most often from ${DIRECTIONS[strongest]} (${percent(totals[strongest] ?? 0)}), calm ${percent(calm)}, variable ${percent(variable)}`,
    legend: `Share of hours by the direction from which the wind blows. Calm ${percent(calm)}, variable ${percent(variable)}.`,
    keys: SPEEDS.map(({ label }, at) => ({ label, kind: `speed-${at}` })),
    columns: ['wind_sector', 'class_wspd_kt', 'count', 'mean_wspd_kt', 'max_wgst_kt', 'n'],
  };
}

/**
 * @param {number} sector
 * @param {number} radius
 */
function pointOf(sector, radius) {
  const angle = (sector / 12) * 2 * Math.PI;
  return { x: CENTRE.x + radius * Math.sin(angle), y: CENTRE.y - radius * Math.cos(angle) };
}

/**
 * @param {number} sector
 * @param {number} inner
 * @param {number} outer
 */
function petal(sector, inner, outer) {
  const [a, b] = [sector - 0.42, sector + 0.42];
  const corners = [pointOf(a, inner), pointOf(a, outer), pointOf(b, outer), pointOf(b, inner)];
  const [start, left, right, end] = corners.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`);
  return `M${start}L${left}A${outer.toFixed(1)} ${outer.toFixed(1)} 0 0 1 ${right}L${end}A${inner.toFixed(1)} ${inner.toFixed(1)} 0 0 0 ${start}Z`;
}
