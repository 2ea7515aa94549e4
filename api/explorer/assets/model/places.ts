/** A station and its pixel of the map. */
type Place = { name: string; x: number; y: number };

const distance = (place: Place, other: { x: number; y: number }) =>
  Math.hypot(place.x - other.x, place.y - other.y);

/**
 * The places nearest to a point: one, with those whose marks overlap with its mark.
 *
 * @param size of a mark
 * @param reach how far the nearest may be
 */
export function placesAt<P extends Place>(
  places: readonly P[],
  point: { x: number; y: number },
  size: number,
  reach = Number.POSITIVE_INFINITY,
) {
  if (places[0] === undefined) return [];
  const nearest = places.reduce((best, each) =>
    distance(each, point) < distance(best, point) ? each : best,
  );
  return distance(nearest, point) < reach ? places.filter((place) => distance(place, nearest) < size) : [];
}

/** Pixels of a square: the height of a name. */
const SIDE = 14;
/** Pixels of a letter, at most on average, and from a mark to its name. */
const [LETTER, SPACE] = [7, 8];

/**
 * The places whose names cover no other mark and no name: to the right of their marks, or to the left near the right edge.
 *
 * @param width of the map
 */
export function namedPlaces<P extends Place>(
  places: readonly P[],
  width: number,
): (P & { isLeft: boolean })[] {
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
