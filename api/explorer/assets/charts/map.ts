import { pointer, select } from 'd3-selection';
import * as d3 from 'd3-zoom';
import { html, useEffect, useRef, useState } from 'htm/preact/standalone';
import { isPhone, takeFocus, useWidth } from '../elements.ts';
import { plural } from '../format.ts';
import { namedPlaces, placesAt } from '../model/places.ts';
import type { Coordinates, Station } from '../model/requests.ts';

/** The degrees of latitude at the upper edge: a phone has the whole world in the middle. */
const TOP = isPhone() ? 111 : 84;
/** The smallest area that a search zooms to, in degrees: a single station must not fill the map. */
const [LEAST_WIDTH, LEAST_HEIGHT] = [15, 8];

type Zoom = d3.ZoomBehavior<SVGSVGElement, unknown>;
type MapPosition = readonly [x: number, y: number];

/** Dragging and zooming with a mouse or two fingers. Shows the places whenever the key changes. */
function useZoom([width, height]: MapPosition, places: readonly MapPosition[], key: string) {
  const svg = useRef<SVGSVGElement>(null);
  const zoom = useRef<Zoom>(null);
  const [transform, setTransform] = useState(d3.zoomIdentity);
  useEffect(() => {
    if (svg.current === null) return;
    const selection = select(svg.current);
    zoom.current = (d3.zoom() as Zoom)
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
    const corners = [0, 1].map((at): MapPosition => [at * width, at * height]);
    const shown = places.length > 0 ? places : corners;
    const [xs, ys] = [shown.map(([x]) => x), shown.map(([, y]) => y)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const degree = width / 360;
    const wide = width / Math.max(right - left, LEAST_WIDTH * degree);
    const high = height / Math.max(bottom - top, LEAST_HEIGHT * degree);
    zoom.current.scaleTo(selection, Math.min(30, Math.max(1, 0.75 * Math.min(wide, high))));
    zoom.current.translateTo(selection, (left + right) / 2, (top + bottom) / 2);
  }, [key]);
  const zoomBy = (factor: number) => svg.current && zoom.current?.scaleBy(select(svg.current), factor);
  return { svg, transform, zoomBy };
}

/** The most stations with overlapping marks that a click offers. */
const MOST_CHOICES = 6;

/** `found` are drawn above the others. */
type MapProps = {
  stations: readonly Station[];
  found: readonly Station[];
  center: Coordinates | undefined;
  onPick: (station: string) => void;
};

/** The stations with overlapping marks that a click offers until the map is moved; none before a click. */
const NO_OFFER: { readonly key: string; readonly near: readonly Station[] } = { key: '', near: [] };

/**
 * A map of stations (plate carrée) that can be dragged and zoomed with a mouse, two fingers or its buttons, and zooms to
 * search results. A click picks the nearest station, or offers those whose marks overlap with its mark. Screen readers skip
 * the map, because the list has the same stations.
 */
export function StationMap({ stations, found, center, onPick }: MapProps) {
  const [ref, width] = useWidth();
  const [pointed, setPointed] = useState<readonly Station[]>([]);
  const [offer, setOffer] = useState(NO_OFFER);
  const height = Math.round(width * (isPhone() ? 0.62 : 0.42));
  const scale = width / 360;
  /** The pixel of a station; empty without a position. */
  const placeOf = ({ latitude, longitude }: Partial<Coordinates>): [number, number][] =>
    latitude === undefined || longitude === undefined
      ? []
      : [[(longitude + 180) * scale, (TOP - latitude) * scale]];
  const isSearch = found.length < stations.length;
  const shown = isSearch ? found.map(({ station }) => station).join() : '';
  const places = (center === undefined ? found : [center]).flatMap(placeOf);
  const key = `${center?.latitude} ${center?.longitude} ${shown} ${width}`;
  const { svg, transform, zoomBy } = useZoom([width, height], places, key);
  /** In pixels of what is visible. */
  const visible = (list: readonly Station[]) =>
    list.flatMap((station) =>
      placeOf(station)
        .map((at) => transform.apply(at))
        .filter(([x, y]) => x > -9 && x < width + 9 && y > -9 && y < height + 9)
        .map(([x, y]) => ({ station, name: station.name ?? station.station, x, y })),
    );
  const marks = visible(found);
  const radius = stations.length > 400 ? 2.4 : 4;
  const named = namedPlaces(marks, width);
  const stationsAt = (event: MouseEvent, reach?: number) => {
    const [x, y] = pointer(event, svg.current);
    return placesAt(marks, { x, y }, 2 * radius, reach).map(({ station }) => station);
  };
  const pick = (event: MouseEvent) => {
    if (event.defaultPrevented) return;
    const near = stationsAt(event);
    if (near.length > 1) setOffer({ key: transform.toString(), near });
    else if (near[0] !== undefined) onPick(near[0].station);
  };
  const draw = (list: ReturnType<typeof visible>, size: number, style = '') =>
    list.map(({ station, x, y }) => {
      const name = station.lastReport === undefined ? `${style} without` : style;
      return html`<circle class=${name} cx=${x} cy=${y} r=${size} />`;
    });
  const isPointed = marks.filter(({ station }) => pointed.includes(station));
  const offered = offer.key === transform.toString() ? offer.near : [];
  return html`<div ref=${ref}>
    ${
      width > 0 &&
      html`<svg ref=${svg} width=${width} height=${height} aria-hidden="true" onPointerMove=${(event: MouseEvent) => setPointed(stationsAt(event, 20))} onPointerLeave=${() => setPointed([])} onClick=${pick}>
        <g transform="${transform} scale(${scale})">
          ${['land', 'borders', 'graticule'].flatMap((name) => [-360, 0, 360].map((x) => html`<use href="/assets/explorer/land.svg#${name}" x=${x} y=${TOP - 90} class=${name} />`))}
        </g>
        ${isSearch && draw(visible(stations), 2, 'other')}
        ${draw(marks, radius)}
        ${draw(isPointed, 6, 'pointed')}
        ${named.map(({ name, x, y, isLeft }) => html`<text class=${isLeft && 'end'} x=${isLeft ? x - 8 : x + 8} y=${Math.max(12, y + 4)}>${name}</text>`)}
      </svg>
      <div class="map-controls"><button type="button" aria-label="Zoom in" onClick=${() => zoomBy(2)}>+</button><button type="button" aria-label="Zoom out" onClick=${() => zoomBy(0.5)}>−</button></div>
      ${
        offered.length > 0
          ? html`<nav class="readout" aria-label="Stations at this place" onKeyDown=${({ key }: KeyboardEvent) => key === 'Escape' && setOffer(NO_OFFER)}>
              ${offered.slice(0, MOST_CHOICES).map(({ station, name }, at) => html`<a href=${`/?station=${station}`} ref=${at === 0 && takeFocus}>${station} ${name}</a>`)}
              ${offered.length > MOST_CHOICES && html`<span>Zoom in for ${plural(offered.length - MOST_CHOICES, 'more station')}.</span>`}
            </nav>`
          : html`<p class="readout" aria-hidden="true">${isPointed.map(({ station, name }) => `${station.station} ${name}`).join(', ')}</p>`
      }`
    }
  </div>`;
}
