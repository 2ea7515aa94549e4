/** The part of TopoJSON that the land outline needs: delta-encoded quantized arcs, and rings of arcs. */
type Topology = {
  readonly transform: { readonly scale: Point; readonly translate: Point };
  readonly arcs: readonly (readonly Point[])[];
  readonly objects: {
    readonly land: {
      readonly geometries: readonly { readonly arcs: readonly (readonly (readonly number[])[])[] }[];
    };
  };
};

type Point = readonly [number, number];

/** An SVG document with the land as `#land`, in degrees: x is longitude + 180, y is 90 - latitude. */
export function landOutline(topojson: string): string {
  const { arcs, transform, objects } = JSON.parse(topojson) as Topology;
  const decoded = arcs.map((arc) => decodeArc(arc, transform));
  const rings = objects.land.geometries.flatMap((geometry) => geometry.arcs.flat());
  const path = rings.flatMap((ring) => copies(unroll(ring.flatMap((index) => pointsOf(decoded, index)))));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 180"><path id="land" d="${path.map(toPath).join('')}"/></svg>\n`;
}

function decodeArc(arc: readonly Point[], { scale, translate }: Topology['transform']): readonly Point[] {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    return [x * scale[0] + translate[0] + 180, 90 - (y * scale[1] + translate[1])];
  });
}

/** A negative index is the ones' complement of the index of a reversed arc. */
function pointsOf(arcs: readonly (readonly Point[])[], index: number): readonly Point[] {
  return index < 0 ? [...(arcs[~index] ?? [])].reverse() : (arcs[index] ?? []);
}

/** A ring continues past the map's edge where it crosses the antimeridian. Antarctica's ends along the lower edge. */
function unroll(ring: readonly Point[]): readonly Point[] {
  let turns = 0;
  const points = ring.map(([x, y], at): Point => {
    const before = ring[at - 1]?.[0] ?? x;
    turns += x - before > 180 ? -1 : before - x > 180 ? 1 : 0;
    return [x + 360 * turns, y];
  });
  const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
  return Math.abs(last - first) < 180 ? points : [...points, [last, 180], [first, 180]];
}

/** The part of a ring beyond one edge appears at the other. */
function copies(ring: readonly Point[]): readonly (readonly Point[])[] {
  const shifts = [
    0,
    ...(ring.some(([x]) => x > 360) ? [-360] : []),
    ...(ring.some(([x]) => x < 0) ? [360] : []),
  ];
  return shifts.map((shift) => ring.map(([x, y]): Point => [x + shift, y]));
}

function toPath(ring: readonly Point[]): string {
  return `M${ring.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;
}
