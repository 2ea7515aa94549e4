import type { ParseState, Verdict } from './parse-state.ts';
import {
  isCompassPoint,
  isMeasure,
  isObscuration,
  isOpener,
  isPhenomenon,
  isPlace,
  isWord,
} from './plain-words.ts';

/**
 * Remarks that Central America, the Caribbean, West Africa, the Maldives and Thailand put after the last group without
 * an RMK: `CB N/NE`, `RA TO SE`, `VIS RED 5KM`, `CB/PCPN/ESE`, `RWY15 INFO A`. They begin with a word of their
 * vocabulary. From there on every word and every number with a unit belongs to them, while groups are still read. They
 * have no field, because remarks are in `raw`.
 */

const LONGEST = 24;

export function readPlainLanguage(token: string, state: ParseState): Verdict {
  if (token.length > LONGEST) return undefined;
  if (state.temperature === '' && readCloudDirection(token, state) === 'explained') return 'explained';
  if (!isAfterGroups(state) || isTypeOfLayer(token, state)) return undefined;
  const next = state.tokens[state.at + 1] ?? '';
  if (isMeasure(token, state.tokens[state.at - 1] ?? '', next)) return begin(state);
  // CB, torn apart.
  if (token === 'C' && next === 'B') return begin(state);
  if (state.plainLanguage) {
    if (isWord(token) || isQuadrants(token) || token === '?') return 'explained';
    if (/^(?:THR|RWY|RW)\d\d[LCR]?$/.test(token)) return 'explained';
  }
  if (isOpener(token) || isPhenomenonWithPlace(token) || isDirectionAfterNosig(token, state))
    return begin(state);
  return readCloudAmount(token) ?? readAerodrome(token);
}

/** Weather after the groups, followed by a place (`RA TO SE`), is not at the station. */
export function isWeatherElsewhere(state: ParseState): boolean {
  if (!isAfterGroups(state)) return false;
  if (!state.plainLanguage && isPlace(state.tokens[state.at + 1] ?? '')) state.plainLanguage = true;
  return state.plainLanguage;
}

/** Honduras and Nicaragua omit the temperature in special reports, so the clouds are the last group. */
const isAfterGroups = ({ temperature, hectopascals, inches, sky }: ParseState): boolean =>
  temperature !== '' || hectopascals !== '' || inches !== '' || sky === 'LAYERS';

function begin(state: ParseState): Verdict {
  state.plainLanguage = true;
  return 'explained';
}

/** `SCT010 CB/S BKN270`: before the temperature, after a layer without a type, CB is the type. */
const isTypeOfLayer = (token: string, { temperature, fields }: ParseState): boolean =>
  temperature === '' && fields.clouds?.at(-1)?.type === undefined && /^(?:CB|TCU)[NESW/-]+$/.test(token);

/** Four quadrants, in Spanish: `CB 4/C`. */
const isQuadrants = (token: string): boolean => token === '4/C';

/** `CB`, `CB/PCPN/ESE-S`, `CB/4/C`, `CBSE`, `HZ/ALL-QDS`: only words of such a remark. */
function isPhenomenonWithPlace(token: string): boolean {
  let phenomena = 0;
  let obscurations = 0;
  let places = 0;
  const spaced = token.replace('4/C', 'ALL').replace(/^(CB|TCU)(?=[NESW]{1,3}$)/, '$1/');
  for (const part of spaced.split(/[/.-]/)) {
    if (isPhenomenon(part)) phenomena += 1;
    else if (isObscuration(part)) obscurations += 1;
    else if (isPlace(part)) places += 1;
    else if (part !== '') return false;
  }
  return phenomena > 0 || (obscurations > 0 && places > 0);
}

/** `FEW020CB … NOSIG NE/SE`: where the CB or TCU of the report is. */
const isDirectionAfterNosig = (token: string, { noChange, fields }: ParseState): boolean =>
  noChange &&
  fields.clouds?.some(({ type }) => type !== undefined) === true &&
  token.split(/[/-]/).every(isCompassPoint);

/** Before the temperature a compass point gives the direction of the CB or TCU of the layer: `FEW040CB NW NE`. */
function readCloudDirection(token: string, { tokens, at, fields }: ParseState): Verdict {
  // CLR BLO 120: clear below the 12,000 feet that the sensor reaches (FMH-1, 12.6.9).
  if (/^\d{3}$/.test(token) && tokens[at - 1] === 'BLO') return 'explained';
  if (token === 'BLO' && tokens[at - 1] === 'CLR') return 'explained';
  if (!isCompassPoint(token) || fields.clouds?.at(-1)?.type === undefined) return undefined;
  let layer = at - 1;
  while (layer > at - 4 && isCompassPoint(tokens[layer])) layer -= 1;
  return /(?:CB|TCU)$/.test(tokens[layer] ?? '') ? 'explained' : undefined;
}

/** Amount, genus and height of one layer as Japan has them in its remarks: 1AC080 (Nicaragua). */
const readCloudAmount = (token: string): Verdict =>
  /^[1-8](?:CU|SC|ST|AC|AS|NS|CI|CC|CS|CB|TCU)\d{3}$/.test(token) ? 'explained' : undefined;

/** The broadcast's letter and the runway in use (Thailand), no precipitation (Peru), humidity (Nicaragua). */
function readAerodrome(token: string): Verdict {
  if (/^(?:PP(?:\d{3}|\/\/\/)|\d\d%)$/.test(token)) return 'explained';
  return /^RWY(?:0[1-9]|[12]\d|3[0-6])[LCR]?$/.test(token) ? 'explained' : undefined;
}
