import { isMissing } from '../characters.ts';
import { type ParseState, type Verdict, withGroup } from '../parse-state.ts';
import { temperatureOfTenths } from './temperature.ts';

/**
 * Supplementary information (WMO-No. 306 FM 15, 15.13), kept as sent, and national groups without a field. Recent
 * weather is in `weather.ts`, the state of the runway in `runway.ts`.
 */

/** R03L, RWY03L, RWY/03, RWY03, RW03 or the bare 03L after a separate RWY. RWYB, RWYS and RWYO are Canadian. */
const SHEAR_RUNWAY = 'R\\d\\d[LCR]{0,2}|(?:RWY/?|RW)?(?:0[1-9]|[12]\\d|3[0-6])[LCR]?';
const SHEAR_WORD = 'ALL|RWY[SBO]?|TKOF|LDG|ARR|DEP|AND|APCH|IN';
const SHEAR = new RegExp(`^(?:LLWS|WS(?: (?:${SHEAR_RUNWAY}|${SHEAR_WORD})(?= |$))+)`);
const MAX_SHEAR_TOKENS = 7;

/** Wind shear WS RDRDR or WS ALL RWY (15.13.3), WS TKOF/LDG RWYnn before 2001. */
export function readWindShear(token: string, state: ParseState): Verdict {
  if (token !== 'WS' && token !== 'LLWS') return undefined;
  const ahead = state.tokens.slice(state.at, state.at + MAX_SHEAR_TOKENS).join(' ');
  const [text = ''] = SHEAR.exec(ahead) ?? [];
  // Without a runway it is not a group of wind shear.
  if (!/LLWS|RWY|\d/.test(text)) return undefined;
  state.at += text.split(' ').length - 1;
  state.fields.ws = withGroup(state.fields.ws, text);
  return 'explained';
}

/**
 * Sea surface temperature and state of the sea WTsTs/SS', or the significant wave height in decimeters WTsTs/HHsHsHs
 * (15.13.5). `S4`, `S/`, `H16`, `H7`, `H///`, or solidi alone follow the first solidus.
 */
export function readSea(token: string, { fields }: ParseState): Verdict {
  if (token.length > 9 || !/^WM?(?:\d\d|\/\/)\/(?:S\d|H\d{1,3}|[SH]?\/+)$/.test(token)) return undefined;
  fields.sea = withGroup(fields.sea, token);
  return 'explained';
}

/**
 * Rainfall of the last ten minutes and since 9 o'clock, RF00.2/001.4 (Australian Bureau of Meteorology). Relative
 * humidity after the pressure: RH76 (Pakistan, Iran), HR83 (Bolivia: humedad relativa).
 */
export const readRainOrHumidity = (token: string): Verdict =>
  /^(?:RF(?=.*\/)[\d./]{3,12}|(?:RH|HR)(?:\d\d|0\d\d|100))$/.test(token) ? 'explained' : undefined;

/** The wind at Madeira's other sensors: RS32006KT (Rosário), 0535006KT (threshold 05). */
export const readOtherWind = (token: string, { station }: ParseState): Verdict =>
  station === 'LPMA' && token.length >= 9 && token.endsWith('KT') && /^(?:RS|\d{7})/.test(token)
    ? 'explained'
    : undefined;

/** A group without an observation: solidi, or the M of American and military automatic stations. */
export function readMissing(token: string, state: ParseState): Verdict {
  if ((token[0] !== '/' || token === '/') && LONE.test(token)) return readLone(token, state);
  // Two solidi before the temperature stand for the present weather (WMO-No. 306, FM 15, 15.8).
  if (token === '//' && state.temperature === '') state.fields.wx_missing = true;
  return WITHOUT_VALUE.has(token) || isMissing(token, 0, token.length) ? 'explained' : undefined;
}

/**
 * NDV: the no directional variation that a Luxembourg station separates from its visibility. NLC: no low cloud, which says
 * nothing about higher cloud.
 */
const WITHOUT_VALUE = new Set(['//////KT', 'NDV', 'NLC']);

const LONE = /^(?:M{1,3}|[-/]|(?:M{5})?KT)$/;

/** The groups in their order (FM 15); a lone token may also stand for a seventh, the trend. */
const [WIND, WEATHER, SKY, TREND] = [0, 2, 3, 6];
const IN_ORDER: readonly RegExp[] = [
  /(?:KTS?|MPS|KMH)$/,
  /^(?:\d+|.*SM|CAVOK)$/,
  /^[-+]?(?:[A-Z]{2})+$/,
  /^(?:FEW|SCT|BKN|OVC|VV|CLR|SKC|NSC|NCD)/,
  /^M?\d\d\//,
  /^[AQ]\d{4}/,
];

/**
 * A lone M, solidus or dash, and KT, which archives of the NCEI have for a missing wind, stand for the group that is next in
 * order. Where that group follows, the token is a piece of it: `BKN015 M 04/M11` has lost a minus, `M 1/4SM` is less than.
 */
function readLone(token: string, state: ParseState): Verdict {
  const { wind, visibility, sky, temperature, hectopascals, inches, fields, tokens, at, station } = state;
  const given = [wind, visibility, fields.wx, sky, temperature, hectopascals || inches];
  const place = Math.max(given.findLastIndex(Boolean) + 1, state.missing);
  const next = tokens[at + 1] ?? '';
  const follows = IN_ORDER.findIndex((pattern) => pattern.test(next));
  if (follows !== -1 && follows <= place) return undefined;
  if (token.endsWith('KT') ? place !== WIND : token === '-' && (place !== WEATHER || follows !== SKY))
    return undefined;
  if (token[0] === 'M' && place < TREND && !/^[KPT]/.test(station)) return undefined;
  if (token === 'M' && temperatureOfTenths(state) === `M${next}`) return undefined;
  if (token === '-') fields.wx_missing = true;
  state.missing = place + 1;
  return 'explained';
}

/**
 * NATO airfield color states (Allied Tactical Publication, used by European military stations): BLU, WHT, GRN, YLO (1
 * and 2), AMB, RED; BLACK before them if the field is closed for another reason. A second state is a forecast, and so
 * is everything after it. Kept as sent, also joined: BLACKWHT, BLU/, BLU/WHT, BLU+BLU+.
 */
const COLOUR = /^(?:(?:BLU\+?|WHT|GRN|YLO[12]?|AMB|RED|BLACK)\/*)+$/;

const isColour = (token: string): boolean => token.length <= 14 && COLOUR.test(token);

export function readColour(token: string, state: ParseState): Verdict {
  // Latin America has no such states, but says RED for reducida: `VIS RED 5KMS`.
  if (!isColour(token) || state.station[0] === 'M' || state.station[0] === 'S') return undefined;
  state.colour = true;
  state.fields.colour = withGroup(state.fields.colour, token);
  return 'explained';
}

/** Italy, Hungary, the United Kingdom and Czechia send the state in remarks; elsewhere these may be other words. */
export function readColourRemark(token: string, { station, fields }: ParseState): void {
  if ((station[0] === 'E' || station[0] === 'L') && isColour(token))
    fields.colour = withGroup(fields.colour, token);
}

/**
 * Whether the token begins the forecast after a color state: `BLU 24013KT 9999 FEW045`, `BLU FCST CANCEL`. A color
 * state follows the pressure, so no group of the observation can follow it, but the state of a runway (01CLRD61) can.
 */
export const beginsForecast = (token: string, { temperature }: ParseState): boolean =>
  temperature !== '' && /^(?:(?!\d\d(?:CLRD|SNOCLO|[\d/]{6}$))\d|VRB|CAVOK$|FCST$)/.test(token);
