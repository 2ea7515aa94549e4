import { html, useEffect, useRef, useState } from '/assets/htm/preact.js';
import { d3, useWidth } from './chart.js';

/** @import { Station } from '../declarations.ts' */

/** The degrees of latitude at the upper edge. */
const TOP = 84;
/** The smallest area that a search zooms to, in degrees: a single station must not fill the map. */
const [LEAST_WIDTH, LEAST_HEIGHT] = [15, 8];

/**
 * A map of stations (plate carrée) that can be dragged and zoomed with a mouse, fingers or its buttons, and zooms to
 * search results. A click picks the nearest station. It adds nothing to the list, so screen readers skip it.
 * @param {{
 *   stations: readonly Station[], found: readonly Station[], center: readonly [number, number] | undefined,
 *   onPick: (station: string) => void,
 * }} props `found` are drawn above the others; `center` is latitude and longitude
 */
export function StationMap({ stations, found, center, onPick }) {
  const [ref, width] = useWidth();
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  /** @typedef {import('d3').ZoomBehavior<SVGSVGElement, unknown>} Zoom */
  const zoom = useRef(/** @type {Zoom | null} */ (null));
  const [transform, setTransform] = useState(d3.zoomIdentity);
  const [pointed, setPointed] = useState(/** @type {Station | undefined} */ (undefined));
  const height = Math.round(width * (width < 560 ? 0.62 : 0.42));
  const scale = width / 360;
  /** @type {[[number, number], [number, number]]} */
  const world = [
    [0, 0],
    [width, Math.max(height, 180 * scale)],
  ];
  /** @param {Station} station @returns {[number, number][]} nothing without a position */
  const placeOf = ({ latitude, longitude }) =>
    latitude === undefined || longitude === undefined
      ? []
      : [[(longitude + 180) * scale, (TOP - latitude) * scale]];
  const isSearch = found.length < stations.length;
  useEffect(() => {
    if (svg.current === null) return;
    const behavior = /** @type {Zoom} */ (d3.zoom())
      .scaleExtent([1, 60])
      .translateExtent(world)
      .on('zoom', (event) => setTransform(event.transform));
    zoom.current = behavior;
    d3.select(svg.current).call(behavior).on('dblclick.zoom', null);
  }, [width]);
  useEffect(() => {
    if (svg.current === null || zoom.current === null) return;
    const [latitude, longitude] = center ?? [];
    const places = (
      latitude === undefined || longitude === undefined ? found : [{ station: '', latitude, longitude }]
    ).flatMap(placeOf);
    const [left, right] = d3.extent(places, ([at]) => at);
    const [top, bottom] = d3.extent(places, ([, at]) => at);
    if (left === undefined || right === undefined || top === undefined || bottom === undefined) return;
    const wide = width / Math.max(right - left, LEAST_WIDTH * scale);
    const high = height / Math.max(bottom - top, LEAST_HEIGHT * scale);
    const k = Math.min(30, Math.max(1, 0.75 * Math.min(wide, high)));
    const centered = d3.zoomIdentity
      .translate((width - k * (left + right)) / 2, (height - k * (top + bottom)) / 2)
      .scale(k);
    const frame = /** @type {typeof world} */ ([world[0], [width, height]]);
    const target = zoom.current.constrain()(centered, frame, world);
    const selection = d3.select(svg.current);
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (isStill) zoom.current.transform(selection, target);
    else zoom.current.transform(selection.transition().duration(350), target);
  }, [`${center} ${isSearch ? found.map(({ station }) => station).join() : ''} ${width}`]);
  /** @param {number} factor */
  const zoomBy = (factor) => svg.current && zoom.current?.scaleBy(d3.select(svg.current), factor);
  /** @param {MouseEvent} event */
  const nearest = (event) => {
    const at = transform.invert(d3.pointer(event, svg.current));
    const places = (found.length > 0 ? found : stations).flatMap((station) =>
      placeOf(station).map(([x, y]) => ({
        station,
        distance: transform.k * Math.hypot(x - at[0], y - at[1]),
      })),
    );
    return d3.least(places, ({ distance }) => distance);
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
  const meridians = d3.range(60, 360, 60).map((at) => `M${at} -6V174`);
  const parallels = d3.range(24, 180, 30).map((at) => `M0 ${at}H360`);
  return html`<div class="map" ref=${ref}>
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
