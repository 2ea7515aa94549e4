import { svgElement } from '../../element.js';

/** How far beside a station a finger may touch, as a part of the width of the map. */
const REACH = 0.03;

/**
 * A map of the stations (plate carrée: 360 × 180 degrees). It offers nothing that the list does not, so it is hidden
 * from screen readers.
 *
 * @param {SVGSVGElement} svg
 * @param {(station: string) => void} onPick
 */
export function createStationMap(svg, onPick) {
  const dots = svgElement('g', { class: 'dots' });
  const lines = [-120, -60, 0, 60, 120].map((degrees) => `M${degrees + 180} 0V180`);
  const parallels = [-60, -30, 0, 30, 60].map((degrees) => `M0 ${90 - degrees}H360`);
  svg.append(
    svgElement('use', { href: '/assets/land.svg#land', class: 'land' }),
    svgElement('path', { d: [...lines, ...parallels].join(''), class: 'graticule' }),
    dots,
  );
  /** @type {{ station: string, x: number, y: number, dot: Element }[]} */
  let shown = [];

  svg.addEventListener('click', (event) => {
    const { left, top, width, height } = svg.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * 360;
    const y = ((event.clientY - top) / height) * 180;
    const distances = shown.map((each) => ({ ...each, distance: Math.hypot(each.x - x, each.y - y) }));
    const nearest = distances.sort((a, b) => a.distance - b.distance)[0];
    if (nearest !== undefined && nearest.distance < 360 * REACH) onPick(nearest.station);
  });

  return {
    /** @param {readonly import('./station-table.js').Station[]} stations */
    show(stations) {
      shown = stations.flatMap(({ station, name = '', latitude, longitude }) => {
        if (latitude === undefined || longitude === undefined) return [];
        const [x, y] = [longitude + 180, 90 - latitude];
        const title = svgElement('title', {}, `${station} ${name}`);
        const dot = svgElement('circle', { cx: x, cy: y, r: stations.length > 100 ? 1.2 : 2.6 }, title);
        return [{ station, x, y, dot }];
      });
      dots.replaceChildren(...shown.map(({ dot }) => dot));
    },
    /** @param {string} selected */
    mark(selected) {
      for (const { station, dot } of shown) {
        dot.classList.toggle('selected', station === selected);
        // The last element is drawn above the others.
        if (station === selected) dots.append(dot);
      }
    },
  };
}
