/** The part of TopoJSON that the outline of the land needs: arcs of quantized differences, and rings of arcs. */
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
  const path = rings
    .map((ring) => `M${ring.flatMap((index) => pointsOf(decoded, index)).join('L')}Z`)
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 180"><path id="land" d="${path}"/></svg>\n`;
}

function decodeArc(arc: readonly Point[], { scale, translate }: Topology['transform']): readonly string[] {
  let [x, y] = [0, 0];
  return arc.map(([dx, dy]) => {
    x += dx;
    y += dy;
    const longitude = x * scale[0] + translate[0];
    const latitude = y * scale[1] + translate[1];
    return `${(longitude + 180).toFixed(1)} ${(90 - latitude).toFixed(1)}`;
  });
}

/** A negative index is the one's complement of the index of an arc that runs backwards. */
function pointsOf(arcs: readonly (readonly string[])[], index: number): readonly string[] {
  return index < 0 ? [...(arcs[~index] ?? [])].reverse() : (arcs[index] ?? []);
}
