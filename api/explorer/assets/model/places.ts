import type { Numbers, Texts } from '../format.ts';

type Point = Numbers<'x' | 'y'>;
/** A station and its pixel of the map. */
type Place = Point & Texts<'name'>;

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);

/** The place nearest to a point, if within `reach`, and the places whose marks overlap its mark. `size` is that of a mark. */
export function placesAt<P extends Place>(
  places: readonly P[],
  point: Point,
  size: number,
  reach = Infinity,
) {
  const [nearest] = places.toSorted((a, b) => distance(a, point) - distance(b, point));
  return nearest && distance(nearest, point) < reach
    ? places.filter((place) => distance(place, nearest) < size)
    : [];
}

/** Pixels of a square: the height of a name. */
const SIDE = 14;
/** Pixels of a letter (no font has a greater average), and pixels from a mark to its name. */
const [LETTER, SPACE] = [7, 8];

/** The places whose names cover no mark and no other name. Names are right of their marks, near the right edge left of them. */
export function namedPlaces<P extends Place>(places: readonly P[], width: number) {
  const square = (x: number, y: number) => `${Math.floor(x / SIDE)} ${Math.floor(y / SIDE)}`;
  const taken = new Set(places.map(({ x, y }) => square(x, y)));
  return places.flatMap((place) => {
    const { name, x, y } = place;
    const length = LETTER * name.length;
    const isLeft = x + SPACE + length > width;
    const begin = isLeft ? x - SPACE - length : x + SPACE;
    const squares = new Set<string>();
    for (let at = begin; at < begin + length + SIDE; at += SIDE)
      for (const side of [-SIDE / 2, SIDE / 2]) squares.add(square(Math.min(at, begin + length), y + side));
    squares.delete(square(x, y));
    if (begin < 0 || [...squares].some((each) => taken.has(each))) return [];
    for (const each of squares) taken.add(each);
    return [{ ...place, isLeft }];
  });
}
