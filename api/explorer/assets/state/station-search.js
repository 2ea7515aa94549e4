/** The largest that the service allows: the nearest stations come first. */
const RADIUS_KM = 1000;

const POINT = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;

/**
 * The parameters of a search for stations by what a user writes: a position such as `50.03, 8.57`, or else a part of a code or
 * name.
 *
 * @param {string} text
 * @returns {{ readonly q: string } | { readonly near: string, readonly radius_km: number }}
 */
export function stationSearch(text) {
  const [, latitude, longitude] = POINT.exec(text) ?? [];
  if (Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180)
    return { near: `${latitude},${longitude}`, radius_km: RADIUS_KM };
  return { q: text };
}
