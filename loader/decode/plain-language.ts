import { FARTHEST, type ParseState, type Verdict } from './parse-state.ts';

/*
 * Remarks that Central America, the Caribbean, West Africa, the Maldives and Thailand put after the last group without
 * an RMK: `CB N/NE`, `RA TO SE`, `VIS RED 5KM`, `CB/PCPN/ESE`, `RWY15 INFO A`. They begin with a word of their
 * vocabulary. From there on every word and every number with a unit belongs to them, while groups are still read. They
 * have no field, because remarks are in `raw`. English abbreviations are those of ICAO Doc 8400; the Spanish, French and
 * Portuguese ones come from Central and South America and Africa.
 */

const setOf = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

const COMPASS = setOf('N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW');

const WEATHER_WORDS = setOf(
  'CB TCU CBRA TCURA CBTS PCPN PREC PRECIP LTG LTNG LGTNG DL VIRGA TS TSRA RA RN SH SHRA DZ JP BRVC',
);

const PLACES = setOf(
  'ALL ALQDS ALQUADS QUADS QUAD DIST DST DSNT DSTN OVHD OHD OVER OVR AD QDS ALRD THRU TO AND MOV MOVG VC TD TDS',
  'OTF THE OBS BTN BET FM FROM',
);

const OBSCURATIONS = setOf('HZ FU BR FG SMC');

/** Each can begin a remark; none is the name of a group or a likely misspelling of one. */
const OPENERS = setOf(
  // Sky, visibility and weather: NEFO is cloud or fog over the coast, HZY hazy, MTN mountains, SECT a sector.
  'VIS VSBY VISIB NEFO HZY MTN MTNS SECT CLD CLDS LOW DSNT DIST DEBUT ORAGE BRUME NIEBLA LLUVIA',
  'LGT FBL MOD HVY SEV INTMT OCNL FRQ CONS OLEAJE MAR PRESENCE VIENTO SIROCCO',
  'VOL VOL. VOLC VOLC. SANTA CENIZA',
  // Wind and humidity.
  'PK WIND GUST GUSTS LLWAS RH R.H. T.MIN T.MAX TMIN TMAX',
  // Aerodrome and observer.
  'APCH ARPT AP RWY RUNWAY FIELD OTF THE OVER BEST INFO TREND CLSD N/S APRSM APCLM',
  'LAST FIRST NOSPECI ESTIMATED',
  // PRESENT WEATHER SENSOR U/S: out of service (Australia, as DL-S/DL-SW, distant lightning).
  'PRESENT CLOUD LIGHTNING CEILOMETER SENSOR',
);

/** A number after these has no unit. */
const LABELS = setOf('RH R.H. MAX MIN T.MIN T.MAX TMIN TMAX VIS RWY RUNWAY');

const UNIT_WORDS = setOf(
  'KM KMS NM MN SM MI M MTS MTRS METERS METRES FT MM KT KTS PERCENT PERCENT. PCT HR HRS HOUR HOURS',
);

const isCompassPoint = (word: string | undefined): boolean => word !== undefined && COMPASS.has(word);

const isPlace = (word: string): boolean => COMPASS.has(word) || PLACES.has(word);

/** A word of capitals as they are in remarks: `SANTIAGUITO`, `VOL.`, `CUB/CL`, `(NE`; no lower case, no figures. */
const isWord = (token: string): boolean => /^[(/]?[A-Z][A-Z./()'-]{0,23}$/.test(token);

/** A number with its unit, in one token (`9KM`, `18KT`, `65PC`) or two, or after what it counts (`RH 87`). */
const isMeasure = (token: string, previous: string, next: string): boolean =>
  /^\d{1,4}(?:[./]\d{1,2})?(?:KMS?|NM|SM|MI?|MTS|FT|MM|KTS?|PCT?|%|C|HPA)$/.test(token) ||
  (/^\d{1,4}(?:\.\d{1,2})?$/.test(token) && (LABELS.has(previous) || UNIT_WORDS.has(next)));

/** After a layer alone, `17/16C` and `17/1M` are the temperature, and `1010HPA` is the pressure, not a measure. */
const mayBeGroup = (token: string, { temperature, hectopascals, inches }: ParseState): boolean =>
  (temperature === '' && /^\d\d\/\d|\dC$/.test(token)) ||
  (hectopascals === '' && inches === '' && token.endsWith('HPA'));

const MAX_LETTERS_OF_WORD = 24;

export function readPlainLanguage(token: string, state: ParseState): Verdict {
  if (token.length > MAX_LETTERS_OF_WORD) return undefined;
  if (state.temperature === '' && readCloudDirection(token, state) === 'explained') return 'explained';
  if (!isAfterGroups(state) || isTypeOfLayer(token, state)) return undefined;
  const next = state.tokens[state.at + 1] ?? '';
  if (isMeasure(token, state.tokens[state.at - 1] ?? '', next))
    return mayBeGroup(token, state) ? undefined : begin(state);
  // CB, torn apart.
  if (token === 'C' && next === 'B') return begin(state);
  if (state.plainLanguage) {
    // 4/C is four quadrants, in Spanish.
    if (isWord(token) || token === '4/C' || token === '?' || token === '+') return 'explained';
    if (/^(?:THR|RWY|RW)\d\d[LCR]?$/.test(token)) return 'explained';
  }
  // INFO: H, RWY/02.
  const opener = token.replace(/^(INFO|RWY)[:/].*$/, '$1');
  if (
    (OPENERS.has(opener) && !isBeforeTemperature(state)) ||
    isPhenomenonWithPlace(token) ||
    isDirectionAfterNosig(token, state)
  )
    return begin(state);
  if (isTotalCover(token, state)) return 'explained';
  return GROUPS_AMONG_WORDS.some((pattern) => pattern.test(token)) ? 'explained' : undefined;
}

/** Austria repeats the total cover, without a height, after the pressure. */
const isTotalCover = (token: string, { station, hectopascals }: ParseState): boolean =>
  station.startsWith('LO') && hectopascals !== '' && /^(?:FEW|SCT|BKN|OVC)$/.test(token);

/** Weather after the groups, followed by a place (`RA TO SE`), is not at the station. */
export function isWeatherElsewhere(state: ParseState): boolean {
  if (!isAfterGroups(state)) return false;
  if (isPlace(state.tokens[state.at + 1] ?? '')) state.plainLanguage = true;
  else if (isBeforeTemperature(state)) return false;
  return state.plainLanguage;
}

/** Honduras and Nicaragua omit the temperature in special reports, so the clouds are the last group. */
const isAfterGroups = ({ temperature, hectopascals, inches, sky }: ParseState): boolean =>
  temperature !== '' || hectopascals !== '' || inches !== '' || sky === 'LAYERS';

/** There a word must not hide a group: `SCT020 LOW 22010KT -RA 17/16`. */
const isBeforeTemperature = ({ temperature, tokens, at }: ParseState): boolean =>
  temperature === '' &&
  tokens.slice(at + 1, at + FARTHEST).some((later) => /^M?\d\d\/(?:M?\d\d)?$/.test(later));

function begin(state: ParseState): Verdict {
  state.plainLanguage = true;
  return 'explained';
}

/** `SCT010 CB/S BKN270`: before the temperature, after a layer without a type, CB is the type. */
const isTypeOfLayer = (token: string, { temperature, fields }: ParseState): boolean =>
  temperature === '' && fields.clouds?.at(-1)?.type === undefined && /^(?:CB|TCU)[NESW/-]+$/.test(token);

/** `CB`, `CB/PCPN/ESE-S`, `CB/4/C`, `CBSE`, `HZ/ALL-QDS`: only words of such a remark. */
function isPhenomenonWithPlace(token: string): boolean {
  const spaced = token.replace('4/C', 'ALL').replace(/^(CB|TCU)(?=[NESW]{1,3}$)/, '$1/');
  const words = spaced.split(/[/.-]/).filter((word) => word !== '');
  if (!words.every((word) => WEATHER_WORDS.has(word) || OBSCURATIONS.has(word) || isPlace(word)))
    return false;
  return (
    words.some((word) => WEATHER_WORDS.has(word)) ||
    (words.some((word) => OBSCURATIONS.has(word)) && words.some(isPlace))
  );
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

/** Groups that come between such words. */
const GROUPS_AMONG_WORDS: readonly RegExp[] = [
  // Amount, genus and height of one layer as Japan has them in its remarks: 1AC080 (Nicaragua).
  /^[1-8](?:CU|SC|ST|AC|AS|NS|CI|CC|CS|CB|TCU)\d{3}$/,
  // No precipitation (Peru), humidity (Nicaragua), the runway in use (Thailand).
  /^PP(?:\d{3}|\/\/\/)$/,
  /^\d\d%$/,
  /^RWY(?:0[1-9]|[12]\d|3[0-6])[LCR]?$/,
  // The unit of the pressure before it: `Q1010 HPA`.
  /^(?:HPA|MB|INS?)$/,
];
