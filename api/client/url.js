/**
 * A URL below the base URL of the service. Omits parameters that are `undefined`.
 *
 * @param {string | URL} baseUrl
 * @param {string} path
 * @param {Readonly<Record<string, string | number | Date | readonly string[] | undefined>>} parameters
 * @returns {URL}
 */
export function urlOf(baseUrl, path, parameters) {
  const url = new URL(path, `${baseUrl}`.replace(/\/*$/, '/'));
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, formatValue(value));
  return url;
}

/** @param {string | number | Date | readonly string[]} value a list becomes comma-separated text */
function formatValue(value) {
  return value instanceof Date ? value.toISOString() : String(value);
}
