/**
 * The compared stations, or years of one station. The first entry is what the page shows.
 *
 * @typedef {{ letter: string, station: string, years: number, label: string, isMain: boolean }} Entry
 *   `years` is the offset of its year from the shown one
 */

const LETTERS = 'ABCD';

/**
 * @param {import('../model/address.js').Address} address
 * @param {string} year the shown year
 * @returns {Entry[]}
 */
export function entriesOf({ station, with: others, years }, year) {
  const stations = [station, ...others].map((code) => ({ station: code, years: 0, label: code }));
  const ofYears = years
    .filter((each) => each !== year)
    .map((each) => ({ station, years: Number(each) - Number(year), label: each }));
  const shown = ofYears.length > 0 ? [{ station, years: 0, label: year }, ...ofYears] : stations;
  return shown.map((entry, at) => ({ ...entry, letter: LETTERS[at] ?? '', isMain: at === 0 }));
}
