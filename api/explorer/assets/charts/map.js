import { extent, least, range } from 'd3-array';
import { pointer, select } from 'd3-selection';
import * as d3 from 'd3-zoom';
import { html, useEffect, useRef, useState } from 'htm/preact/standalone';
import { isPhone } from '../elements.js';
import { useWidth } from './chart.js';

/** @import { Coordinates, Station } from '../declarations.ts' */

/** The degrees of latitude at the upper edge. */
const TOP = 84;
/** The smallest area that a search zooms to, in degrees: a single station must not fill the map. */
const [LEAST_WIDTH, LEAST_HEIGHT] = [15, 8];

/** @typedef {import('d3-zoom').ZoomBehavior<SVGSVGElement, unknown>} Zoom */

/**
 * Dragging and zooming with a mouse or two fingers. Shows the places whenever the key changes.
 * @param {{ current: SVGSVGElement | null }} svg
 * @param {readonly [width: number, height: number]} size
 * @param {readonly [number, number][]} places
 * @param {string} key
 */
function useZoom(svg, [width, height], places, key) {
  const zoom = useRef(/** @type {Zoom | null} */ (null));
  const [transform, setTransform] = useState(d3.zoomIdentity);
  useEffect(() => {
    if (svg.current === null) return;
    const selection = select(svg.current);
    zoom.current = /** @type {Zoom} */ (d3.zoom())
      // One finger scrolls the page.
      .filter(
        (event) => !event.button && event.touches?.length !== 1 && (!event.ctrlKey || event.type === 'wheel'),
      )
      .scaleExtent([1, 60])
      .translateExtent([
        [0, 0],
        [width, Math.max(height, width / 2)],
      ])
      .on('zoom', (event) => setTransform(event.transform));
    selection.call(zoom.current).on('dblclick.zoom', null).style('touch-action', 'pan-y');
    const [left = 0, right = width] = extent(places, ([at]) => at);
    const [top = 0, bottom = height] = extent(places, ([, at]) => at);
    const degree = width / 360;
    const wide = width / Math.max(right - left, LEAST_WIDTH * degree);
    const high = height / Math.max(bottom - top, LEAST_HEIGHT * degree);
    zoom.current.scaleTo(selection, Math.min(30, Math.max(1, 0.75 * Math.min(wide, high))));
    zoom.current.translateTo(selection, (left + right) / 2, (top + bottom) / 2);
  }, [key]);
  /** @param {number} factor */
  const zoomBy = (factor) => svg.current && zoom.current?.scaleBy(select(svg.current), factor);
  return { transform, zoomBy };
}

/**
 * The place of a station on the map; nothing without a position.
 * @param {Partial<Coordinates>} station
 * @param {number} scale pixels of a degree
 * @returns {[number, number][]}
 */
function project({ latitude, longitude }, scale) {
  if (latitude === undefined || longitude === undefined) return [];
  return [[(longitude + 180) * scale, (TOP - latitude) * scale]];
}

/**
 * A map of stations (plate carrée) that can be dragged and zoomed with a mouse, two fingers or its buttons, and zooms to
 * search results. A click picks the nearest station. It adds nothing to the list, so screen readers skip it.
 * @param {{
 *   stations: readonly Station[], found: readonly Station[], center: Coordinates | undefined,
 *   onPick: (station: string) => void,
 * }} props `found` are drawn above the others
 */
export function StationMap({ stations, found, center, onPick }) {
  const [ref, width] = useWidth();
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const [pointed, setPointed] = useState(/** @type {Station | undefined} */ (undefined));
  const height = Math.round(width * (isPhone() ? 0.62 : 0.42));
  const scale = width / 360;
  /** @param {Partial<Coordinates>} station */
  const placeOf = (station) => project(station, scale);
  const isSearch = found.length < stations.length;
  const shown = isSearch ? found.map(({ station }) => station).join() : '';
  const places = (center === undefined ? found : [center]).flatMap(placeOf);
  const key = `${center?.latitude} ${center?.longitude} ${shown} ${width}`;
  const { transform, zoomBy } = useZoom(svg, [width, height], places, key);
  /** @param {MouseEvent} event */
  const nearest = (event) => {
    const [x, y] = transform.invert(pointer(event, svg.current));
    const places = (found.length > 0 ? found : stations).flatMap((station) =>
      placeOf(station).map((at) => ({ station, distance: transform.k * Math.hypot(at[0] - x, at[1] - y) })),
    );
    return least(places, ({ distance }) => distance);
  };
  /** @param {MouseEvent} event */
  const point = (event) => {
    const near = nearest(event);
    setPointed(near !== undefined && near.distance < 20 ? near.station : undefined);
  };
  /** @param {MouseEvent} event */
  const pick = (event) => {
    const near = nearest(event);
    if (near !== undefined && !event.defaultPrevented) onPick(near.station.station);
  };
  /** @param {Station} station @param {string} name @param {number} radius in pixels */
  const dot = (station, name, radius) =>
    placeOf(station).map(
      ([x, y]) =>
        html`<circle key=${`${station.station}${name}`} class=${name} cx=${x} cy=${y} r=${radius / transform.k} />`,
    );
  const meridians = range(60, 360, 60).map((at) => `M${at} -6V174`);
  const parallels = range(24, 180, 30).map((at) => `M0 ${at}H360`);
  return html`<div ref=${ref}>
    ${
      width > 0 &&
      html`<svg ref=${svg} width=${width} height=${height} aria-hidden="true" onPointerMove=${point} onPointerLeave=${() => setPointed(undefined)} onClick=${pick}>
        <g transform=${transform.toString()}>
          <g transform="scale(${scale})" style=${{ strokeWidth: 0.8 / (scale * transform.k) }}>
            <use href="/assets/explorer/land.svg#land" y=${TOP - 90} class="land" />
            <path class="graticule" d=${[...meridians, ...parallels].join('')} />
          </g>
          ${isSearch && stations.map((each) => dot(each, 'other', 2))}
          ${found.map((each) => dot(each, each.lastReport === undefined ? 'without' : '', stations.length > 400 ? 2.4 : 4))}
          ${pointed && dot(pointed, 'pointed', 6)}
        </g>
      </svg>
      <div class="map-controls"><button type="button" aria-label="Zoom in" onClick=${() => zoomBy(2)}>+</button><button type="button" aria-label="Zoom out" onClick=${() => zoomBy(0.5)}>−</button></div>
      <p class="readout" aria-hidden="true">${pointed && `${pointed.station} ${pointed.name ?? ''}`}</p>`
    }
  </div>`;
}
