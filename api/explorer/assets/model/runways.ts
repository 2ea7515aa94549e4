import type { Values } from './reports.ts';
import type { Runway } from './requests.ts';

/** The direction of a runway, whose two ends and parallel runways have the same crosswind. */
export type RunwayDirection = ReturnType<typeof directionsOf>[number];

/** Degrees by which parallel runways may differ. */
const SAME = 5;

/** The directions of runways, that of the longest first. */
export function directionsOf(runways: readonly Runway[] = []) {
  const directions: { key: string; name: string; heading: number }[] = [];
  // Runways without a number are areas of water or grass, for all directions.
  const known = runways.filter(({ ident }) => /^\d/.test(ident));
  for (const { ident, heading_deg } of known.sort((a, b) => b.length_m - a.length_m)) {
    const [number, heading] = [Number.parseInt(ident, 10) % 18 || 18, heading_deg % 180];
    if (directions.some((each) => Math.abs(((each.heading - heading + 270) % 180) - 90) < SAME)) continue;
    const key = String(number).padStart(2, '0');
    directions.push({ key, name: `${key}/${number + 18}`, heading });
  }
  return directions;
}

/** The crosswind without a sign; unknown for a variable direction. */
function crosswind(heading: number, direction: number | undefined, speed: number | undefined) {
  if (speed === 0) return 0;
  if (direction === undefined || speed === undefined) return undefined;
  return Math.abs(speed * Math.sin(((direction - heading) * Math.PI) / 180));
}

export const crosswinds = (heading: number, points: readonly Values[]) =>
  points.map(({ time, direction, wind, gust }) => ({
    time,
    wind: crosswind(heading, direction, wind),
    gust: crosswind(heading, direction, gust),
  }));

/** The direction with the least crosswind. */
export function bestDirection(directions: readonly RunwayDirection[], points: readonly Values[]) {
  const sumOf = ({ heading }: RunwayDirection) =>
    crosswinds(heading, points).reduce((sum, { wind = 0 }) => sum + wind, 0);
  return directions.toSorted((a, b) => sumOf(a) - sumOf(b))[0];
}
