/**
 * What the page shows, as the query of its address: users can read it, share it and go back to it. It excludes the key.
 *
 * @typedef {{
 *   q: string, near: string, station: string, span: Span, day: string, year: string, colour: string,
 *   with: readonly string[], years: readonly string[],
 * }} Address
 * @typedef {'day' | 'week' | 'month' | 'year' | 'all'} Span
 */

/** The most stations or years in one comparison, including the shown one. */
export const MOST_ENTRIES = 4;

const STATION = /^[A-Z][A-Z0-9]{3}$/;
const YEAR = /^(19|20)\d\d$/;

const PATTERNS = {
  q: /^.{0,64}$/s,
  near: /^-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?$/,
  station: STATION,
  span: /^(day|week|month|year|all)$/,
  day: /^(19|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  year: YEAR,
  colour: /^[a-z]+$/,
};

const DEFAULTS = { span: 'week', colour: 'temperature' };

/**
 * @param {string} query
 * @returns {Address}
 */
export function parseAddress(query) {
  const given = new URLSearchParams(query);
  /** @param {keyof typeof PATTERNS} name */
  const read = (name) => {
    const value = (given.get(name) ?? '').trim();
    return PATTERNS[name].test(value) ? value : '';
  };
  /** @param {string} name @param {RegExp} pattern */
  const list = (name, pattern) => [
    ...new Set((given.get(name) ?? '').split(',').filter((each) => pattern.test(each))),
  ];
  const station = read('station');
  const others = list('with', STATION).filter((each) => each !== station);
  return {
    q: read('q'),
    near: read('near'),
    station,
    span: /** @type {Span} */ (read('span') || DEFAULTS.span),
    day: read('day'),
    year: read('year'),
    colour: read('colour') || DEFAULTS.colour,
    with: others.slice(0, MOST_ENTRIES - 1),
    // A comparison is of stations or of years, not both.
    years: others.length > 0 ? [] : list('years', YEAR).slice(0, MOST_ENTRIES - 1),
  };
}

/**
 * @param {Partial<Address>} address
 * @returns {string} a path with a query
 */
export function formatAddress(address) {
  const given = Object.entries(address)
    .map(([name, value]) => /** @type {const} */ ([name, String(value)]))
    .filter(([name, value]) => value !== '' && value !== DEFAULTS[/** @type {'span'} */ (name)]);
  if (given.length === 0) return '/';
  return `/?${new URLSearchParams(Object.fromEntries(given)).toString().replaceAll('%2C', ',')}`;
}
