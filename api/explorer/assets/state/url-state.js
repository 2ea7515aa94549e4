/**
 * What the page shows. It is the part of the address after `#`, so that a view can be linked; the key is not part of it.
 *
 * @typedef {{
 *   q: string, country: string, station: string, year: string, from: string, to: string, type: string,
 * }} State
 */

const PATTERNS = {
  q: /^.{0,64}$/s,
  country: /^[A-Z]{2}$/,
  station: /^[A-Z][A-Z0-9]{3}$/,
  year: /^\d{4}$/,
  from: /^\d{4}-\d{2}-\d{2}$/,
  to: /^\d{4}-\d{2}-\d{2}$/,
  type: /^(all|metar|speci)$/,
};

/**
 * @param {string} hash
 * @returns {State}
 */
export function parseState(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  /** @param {keyof State} name */
  const read = (name) => {
    const value = given.get(name) ?? '';
    return PATTERNS[name].test(value) ? value : '';
  };
  return {
    q: read('q'),
    country: read('country'),
    station: read('station'),
    year: read('year'),
    from: read('from'),
    to: read('to'),
    type: read('type') || 'all',
  };
}

/** @param {State} state */
export function formatState(state) {
  const given = Object.entries(state).filter(
    ([name, value]) => value !== '' && !(name === 'type' && value === 'all'),
  );
  return given.length === 0 ? '' : `#${new URLSearchParams(given)}`;
}
