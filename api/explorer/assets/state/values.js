/**
 * The numbers of a report that are plotted. `undefined`: the report does not give it.
 *
 * @typedef {'temperature' | 'dewPoint' | 'wind' | 'gust' | 'pressure' | 'visibility' | 'ceiling'} ValueName
 */

/** @type {Record<ValueName, (decoded: Record<string, unknown>) => number | undefined>} */
export const VALUES = {
  temperature: ({ temp_c }) => toNumber(temp_c),
  dewPoint: ({ dewp_c }) => toNumber(dewp_c),
  wind: ({ wspd_kt }) => toNumber(wspd_kt),
  gust: ({ wgst_kt }) => toNumber(wgst_kt),
  pressure: ({ altim_hpa }) => toNumber(altim_hpa),
  visibility: ({ visib_m }) => toNumber(visib_m),
  ceiling: ceilingOf,
};

export const VALUE_NAMES = /** @type {ValueName[]} */ (Object.keys(VALUES));

/**
 * Height of the lowest layer that covers more than half of the sky, or the vertical visibility (FMH-1).
 *
 * @param {Record<string, unknown>} decoded
 */
function ceilingOf({ clouds, vvis_ft }) {
  const layers = Array.isArray(clouds) ? clouds : [];
  const bases = layers
    .filter(({ cover }) => cover === 'BKN' || cover === 'OVC')
    .map(({ base_ft }) => base_ft);
  const heights = [...bases, vvis_ft].map(toNumber).filter((height) => height !== undefined);
  return heights.length === 0 ? undefined : Math.min(...heights);
}

/**
 * Temperatures are decimal numbers as text.
 *
 * @param {unknown} value
 */
function toNumber(value) {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
