/** Codes that ISO 3166 gives to no country, but browsers know. */
const NOT_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** @param {string} code ISO 3166-1 alpha-2 */
export function countryName(code) {
  return names.of(code) ?? code;
}

/**
 * Every country of ISO 3166-1 by its name. The browser has this list.
 *
 * @returns {{ code: string, name: string }[]}
 */
export function countries() {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code) => {
      const name = names.of(code);
      // A code that is out of use is replaced by another one.
      const isCurrent = new Intl.Locale(`und-${code}`).region === code;
      return name === undefined || !isCurrent || NOT_COUNTRIES.has(code) ? [] : [{ code, name }];
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
