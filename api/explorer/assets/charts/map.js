import { html, useEffect, useRef, useState } from '/assets/htm/preact.js';
import { d3 } from '../d3.js';
import { useWidth } from './frame.js';

/**
 * A map of stations (plate carrée) that can be dragged and zoomed with a mouse, fingers or its buttons, and zooms to
 * search results. A click picks the nearest station. It adds nothing to the list, so screen readers skip it.
 *
 * @typedef {import('../model/finding.js').Found} Found
 * @param {{ stations: readonly Found[], found: readonly Found[], center: readonly [number, number] | undefined, onPick: (station: string) => void }} props
 *   `found` are drawn above the others; `center` is latitude and longitude
 */
export function StationMap({ stations, found, center, onPick }) {
  const [ref, width] = useWidth();
  const svg = useRef(/** @type {SVGSVGElement | null} */ (null));
  const zoom = useRef(/** @type {import('d3').ZoomBehavior<SVGSVGElement, unknown> | null} */ (null));
  const [transform, setTransform] = useState(d3.zoomIdentity);
  const [pointed, setPointed] = useState(/** @type {Found | undefined} */ (undefined));
  const height = Math.round(width * (width < 560 ? 0.62 : 0.42));
  // The whole width of the world, from 75° N to 60° S.
  const scale = width / 360;
  const x = (/** @type {number} */ longitude) => (longitude + 180) * scale;
  const y = (/** @type {number} */ latitude) => (84 - latitude) * scale;
  useEffect(() => {
    if (svg.current === null || width === 0) return;
    const behavior = d3
      .zoom()
      .scaleExtent([1, 60])
      .translateExtent([
        [0, 0],
        [width, Math.max(height, 180 * scale)],
      ])
      .on('zoom', (event) => setTransform(event.transform));
    zoom.current = /** @type {any} */ (behavior);
    d3.select(svg.current)
      .call(/** @type {any} */ (behavior))
      .on('dblclick.zoom', null);
  }, [width]);
  const key = `${center} ${found.length < stations.length ? found.map(({ station }) => station).join() : ''} ${width}`;
  useEffect(() => {
    if (svg.current === null || zoom.current === null) return;
    const points = found.filter(
      ({ latitude, longitude }) => latitude !== undefined && longitude !== undefined,
    );
    const selection = d3.select(svg.current);
    const area =
      center === undefined
        ? points.map((each) => [x(each.longitude ?? 0), y(each.latitude ?? 0)])
        : [[x(center[1]), y(center[0])]];
    if (area.length === 0) return;
    const [left = 0, right = 0] = d3.extent(area, ([at = 0]) => at);
    const [top = 0, bottom = 0] = d3.extent(area, ([, at = 0]) => at);
    // At least some 15° stay visible: a single station must not fill the map.
    const [spanX, spanY] = [Math.max(right - left, 15 * scale), Math.max(bottom - top, 8 * scale)];
    const k = Math.min(30, Math.max(1, 0.75 * Math.min(width / spanX, height / spanY)));
    /** Keeps the edge of the world at or beyond the edge of the map. @param {number} at @param {number} size @param {number} whole */
    const within = (at, size, whole) => Math.min(0, Math.max(size - k * whole, at));
    const next = d3.zoomIdentity
      .translate(
        within((width - k * (left + right)) / 2, width, width),
        within((height - k * (top + bottom)) / 2, height, Math.max(height, 180 * scale)),
      )
      .scale(k);
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    zoom.current.transform(
      isStill ? selection : /** @type {any} */ (selection.transition().duration(350)),
      next,
    );
  }, [key]);
  /** @param {number} factor */
  const zoomBy = (factor) => svg.current && zoom.current?.scaleBy(d3.select(svg.current), factor);
  /** @param {MouseEvent} event */
  const nearest = (event) => {
    const [px, py] = d3.pointer(event, svg.current);
    const places = (found.length > 0 ? found : stations).flatMap((station) =>
      station.latitude === undefined || station.longitude === undefined
        ? []
        : [
            {
              station,
              distance: Math.hypot(
                transform.applyX(x(station.longitude)) - px,
                transform.applyY(y(station.latitude)) - py,
              ),
            },
          ],
    );
    return d3.least(places, ({ distance }) => distance);
  };
  const radius = (/** @type {number} */ pixels) => pixels / transform.k;
  return html`<div class="map" ref=${ref}>
    ${
      width > 0 &&
      html`<svg ref=${svg} width=${width} height=${height} aria-hidden="true"
          onPointerMove=${(/** @type {PointerEvent} */ event) => {
            const near = nearest(event);
            setPointed(near !== undefined && near.distance < 20 ? near.station : undefined);
          }}
          onPointerLeave=${() => setPointed(undefined)}
          onClick=${(/** @type {MouseEvent} */ event) => {
            const near = nearest(event);
            if (near !== undefined && !event.defaultPrevented) onPick(near.station.station);
          }}>
        <g transform=${transform.toString()}>
          <g transform="translate(0 ${-6 * scale}) scale(${scale})"><use href="/assets/land.svg#land" class="land" style=${{ strokeWidth: 0.9 / (scale * transform.k) }} /></g>
          <path class="graticule" d=${[-120, -60, 0, 60, 120].map((at) => `M${x(at)} ${y(90)}V${y(-90)}`).join('') + [-60, -30, 0, 30, 60].map((at) => `M0 ${y(at)}H${width}`).join('')} style=${{ strokeWidth: radius(0.6) }} />
          ${(found.length < stations.length ? stations : []).map((each) => dot(each, 'other', radius(2)))}
          ${found.map((each) => dot(each, each.lastReport === undefined ? 'without' : '', radius(stations.length > 400 ? 2.4 : 4)))}
          ${pointed && dot(pointed, 'pointed', radius(6))}
        </g>
      </svg>
      <div class="map-controls"><button type="button" aria-label="Zoom in" onClick=${() => zoomBy(2)}>+</button><button type="button" aria-label="Zoom out" onClick=${() => zoomBy(0.5)}>−</button></div>
      <p class="readout" aria-hidden="true">${pointed && `${pointed.station} ${pointed.name ?? ''}`}</p>`
    }
  </div>`;

  /** @param {Found} station @param {string} name @param {number} size */
  function dot({ station, latitude, longitude }, name, size) {
    return (
      latitude !== undefined &&
      longitude !== undefined &&
      html`<circle key=${`${station}${name}`} class=${name} cx=${x(longitude)} cy=${y(latitude)} r=${size} />`
    );
  }
}
