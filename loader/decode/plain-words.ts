/**
 * The vocabulary of remarks that follow the last group without an RMK. English abbreviations are
 * those of ICAO Doc 8400; the Spanish, French and Portuguese ones come from Central and South America and Africa.
 */

const setOf = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

const COMPASS = setOf('N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW');

const PHENOMENA = setOf(
  'CB TCU CBRA TCURA CBTS PCPN PREC PRECIP LTG LTNG LGTNG VIRGA TS TSRA RA RN SH SHRA DZ JP BRVC',
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
);

/** A number after these has no unit. */
const LABELS = setOf('RH R.H. MAX MIN T.MIN T.MAX TMIN TMAX VIS RWY RUNWAY');

const UNITS = setOf(
  'KM KMS NM MN SM MI M MTS MTRS METERS METRES FT MM KT KTS PERCENT PERCENT. PCT HR HRS HOUR HOURS',
);

export const isCompassPoint = (word: string | undefined): boolean => word !== undefined && COMPASS.has(word);

export const isPhenomenon = (word: string): boolean => PHENOMENA.has(word);

export const isPlace = (word: string): boolean => COMPASS.has(word) || PLACES.has(word);

export const isObscuration = (word: string): boolean => OBSCURATIONS.has(word);

export const isOpener = (word: string): boolean => OPENERS.has(word);

/** A word of capitals as they are in remarks: `SANTIAGUITO`, `VOL.`, `CUB/CL`, `(NE`; no lower case, no figures. */
export const isWord = (token: string): boolean => /^[(/]?[A-Z][A-Z./()'-]{0,23}$/.test(token);

/** A number with its unit, in one token (`9KM`, `18KT`, `65PC`) or two, or after what it counts (`RH 87`). */
export const isMeasure = (token: string, previous: string, next: string): boolean =>
  /^\d{1,4}(?:[./]\d{1,2})?(?:KMS?|NM|SM|MI?|MTS|FT|MM|KTS?|PCT?|%|C|HPA)$/.test(token) ||
  (/^\d{1,4}(?:\.\d{1,2})?$/.test(token) && (LABELS.has(previous) || UNITS.has(next)));
