import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** Natural Earth, 1:110m. */
const WORLD = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json');

export const LAND_FILE = new URL('../../api/explorer/assets/land.svg', import.meta.url);

/** The land, the borders of countries and a graticule as SVG, in degrees: x is longitude + 180, y is 90 - latitude. */
export async function landSvg(): Promise<string> {
  type World = Topology<Record<'countries' | 'land', GeometryCollection>>;
  const world: World = JSON.parse(await readFile(WORLD, 'utf8'));
  const { countries, land } = world.objects;
  const polygons = feature(world, land).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [],
  );
  const borders = mesh(world, countries, (one, other) => one !== other).coordinates;
  const paths = {
    land: polygons.map(toPath).join(''),
    borders: borders.map(toPath).join(''),
    graticule: [300, 600, 900, 1200, 1500].map((at) => `M${2 * at} 0V1800M0 ${at}H3600`).join(''),
  };
  const elements = Object.entries(paths).map(
    ([id, d]) => `<path id="${id}" transform="scale(0.1)" vector-effect="non-scaling-stroke" d="${d}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 180">\n${elements.join('\n')}\n</svg>\n`;
}

type Line = readonly (readonly number[])[];

/**
 * In steps of tenths of a degree, which take half the bytes of positions. A line that crosses the antimeridian goes on beyond
 * the edge of the map; Antarctica, which is around a pole, is closed along the lower edge.
 */
function toPath(line: Line): string {
  const points = line.map(
    ([x = 0, y = 0]) => [Math.round((x + 180) * 10), Math.round((90 - y) * 10)] as const,
  );
  const [start = [0, 0]] = points;
  const steps = points.slice(1).map(([x, y], at) => {
    const [lastX, lastY] = points[at] ?? start;
    return [x - lastX - 3600 * Math.round((x - lastX) / 3600), y - lastY] as const;
  });
  const width = steps.reduce((sum, [x]) => sum + x, 0);
  const moves = steps.filter(([x, y]) => x !== 0 || y !== 0).join(' ');
  const path = `M${start.join(' ')}l${moves.replaceAll(',', ' ')}`.replaceAll(' -', '-');
  return Math.abs(width) === 3600 ? `${path}V1800H${start[0]}` : path;
}
