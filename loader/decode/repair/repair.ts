import { HPA_PER_INCH } from '../groups/pressure.ts';
import { temperatureOfTenths } from '../groups/temperature.ts';
import { WEATHER } from '../groups/weather.ts';
import type { ParseState } from '../parse-state.ts';
import { anyOf, isMisspelt, respell, spelled, WEATHER_WORDS } from './respelling.ts';

/**
 * What a garbled stretch should have been: `text` is read in its place; `taken` tokens are used up; `rest`, if
 * any, is read after it.
 */
type Repair = { readonly text: string; readonly taken: number; readonly rest?: string | undefined };

const LONGEST_TOKEN = 40;

/**
 * Fixes typing and transmission errors; runs only on tokens that no rule explained. Every pattern is anchored and
 * bounded and describes the whole token: a repair never guesses a figure.
 */
export function repair(state: ParseState): Repair | undefined {
  const token = state.tokens[state.at] ?? '';
  if (token.length > LONGEST_TOKEN) return undefined;
  const repaired = joinTorn(token, state) ?? bareTemperature(token, state) ?? partGlued(token, state);
  if (repaired !== undefined) return repaired;
  const text = confirmedGroup(token, state) ?? respell(token, state);
  return text === undefined || text === token ? undefined : { text, taken: 1 };
}

/** Groups split anywhere. At least two characters follow the blank: one figure may belong to another report. */
const TORN_ANYWHERE = anyOf([
  /^(?:\d{5}|VRB\d\d)(?:G\d\d)?(?:KT|MPS|KTS)$/,
  /^\d{3}V\d{3}$/,
  /^(?:FEW|SCT|BKN|OVC)\d{3}(?:CB|TCU)?$/,
  /^M?\d\d\/M?\d\d$/,
  /^(?:CAVOK|TEMPO|BECMG|NOSIG)$/,
]);

/** Groups split at one place: `QNH 1012`, `FEW CB018`, `10 SM`, `VC SH`, `RE RA`. */
const TORN = anyOf([
  /^(?:QNH|ALSTG|Q|A) \d{4}(?:HPA|MB|INS?)?$/,
  /^(?:QNH|ALSTG|A) \d\d\.\d\d$/,
  /^Q [89]\d\d$/,
  /^Q\d \d{3}$/,
  /^Q\d\d \d\d$/,
  /^(?:FEW|SCT|BKN|OVC) [(]?(?:CB|TCU)[)]?\d{3}$/,
  /^(?:P?\d{1,2} (?:SM|KM)|M 1\/4SM|P \d{1,2}SM|M?\d\/(?: \d|\d )SM)$/,
  /^[-+]?(?:MI|BC|PR|DR|BL|FZ) (?:FG|RA|DZ|SN|SA|DU|UP)$/,
  /^VC (?:SH|TS|FG|RA|DZ|BLDU|BLSA)$/,
  /^RE [+-]?(?:[A-Z]{2}){1,3}$/,
  /^R E(?:[A-Z]{2}){1,3}$/,
  /^(?:SK|NS) C$/,
  /^NOSI G$/,
  /^RM K$/,
]);

/** An amount, type and height split apart: `FEW CB 018`, `FEW (CB) 018`. */
const TORN_LAYER = /^(FEW|SCT|BKN|OVC) \(?(CB|TCU)\)? (\d{3})$/;

/** A split pressure with the remarks run into it: `Q1 007RMK`. */
const TORN_BEFORE_REMARKS = /^(Q\d|Q\d\d) (\d{2,3})(RMK)$/;

const SPACED = ['CAVOK', 'NOSIG', 'SKC', 'NSC', 'CLR', 'NIL'];

/** Intensity in words before the weather (ICAO Doc 8400): feeble, moderate, heavy. */
const INTENSITY: Readonly<Record<string, string>> = { FBL: '-', LIGHT: '-', MOD: '', HVY: '+', HEAVY: '+' };

function joinTorn(token: string, state: ParseState): Repair | undefined {
  const { tokens, at, temperature } = state;
  const next = tokens[at + 1];
  if (next === undefined || token.length > 8 || next.length > 7) return undefined;
  if (token.length === 1 && next.length === 1) {
    const word = SPACED.find((name) => tokens.slice(at, at + name.length).join('') === name);
    return word === undefined ? undefined : { text: word, taken: word.length };
  }
  // The tenths may say that M is no minus.
  const isMinus = token !== 'M' || (temperatureOfTenths(state) ?? `M${next}`) === `M${next}`;
  if (!isMinus && /^\d\d\//.test(next)) return undefined;
  const sign = INTENSITY[token];
  if (sign !== undefined && temperature === '')
    return { text: sign + (WEATHER_WORDS.get(next) ?? next), taken: 2 };
  const [, cover, type, height] = TORN_LAYER.exec(`${token} ${next} ${tokens[at + 2] ?? ''}`) ?? [];
  if (cover !== undefined) return { text: `${cover}${height}${type}`, taken: 3 };
  const [, front, back, rest] = TORN_BEFORE_REMARKS.exec(`${token} ${next}`) ?? [];
  if (front !== undefined) return { text: `${front}${back}`, taken: 2, rest };
  if (next.length > 1 && TORN_ANYWHERE.test(token + next)) return { text: token + next, taken: 2 };
  if (TORN.test(`${token} ${next}`)) return { text: spelled(token + next) ?? token + next, taken: 2 };
  return undefined;
}

/**
 * Temperature and dew point that lost their solidus: `2417`, or two groups, `25 24`. Only between the sky and a
 * complete QNH are four figures unambiguous: before the sky they are a visibility, and without Q a pressure. In one
 * piece they have no M: in `24M23` it may replace the solidus.
 */
function bareTemperature(token: string, { tokens, at, temperature, sky }: ParseState): Repair | undefined {
  if (temperature !== '' || sky === '') return undefined;
  const next = tokens[at + 1] ?? '';
  const [, first, second] = /^(\d\d)(\d\d)$/.exec(token) ?? [];
  if (first !== undefined) return isQnh(next) ? { text: `${first}/${second}`, taken: 1 } : undefined;
  if (!isDegrees(token) || !isDegrees(next) || !isQnh(tokens[at + 2] ?? '')) return undefined;
  return { text: `${token}/${next}`, taken: 2 };
}

const isDegrees = (token: string): boolean => /^M?\d\d$/.test(token);

const isQnh = (token: string): boolean => /^Q\d{4}$/.test(token);

/** The pressure in both units: `1020.0/30.12`, `Q1021/A30.15`, `Q1013HPA/2992INS`. Without letters, after the temperature. */
const BOTH_PRESSURES =
  /^(QNH|Q|)((?:0[89]|1[01])\d\d(?:\.\d)?)(?:HPA|MB)?(?:\/A?|A)((?:2[5-9]|3[0-2])\.?\d\d)(?:INS?)?\/?$/;

const LAYERS = '(?:FEW|SCT|BKN|OVC|VV)[\\d/]{3}.*|NSC|SKC|CLR|NCD';

/** Groups run together; each pattern describes the first whole group, and the rest is read separately. */
const GLUED: readonly RegExp[] = [
  /^((?:\d{5}|VRB\d\d)(?:G\d\d)?(?:KT|MPS))(\d{4,5}|CAVOK|\d{3}V\d{3}|\d{1,2}SM)$/,
  new RegExp(`^((?:\\d{5}|VRB\\d\\d)(?:G\\d\\d)?(?:KT|MPS))(${LAYERS})$`),
  new RegExp(`^(${WEATHER})(${LAYERS})$`),
  new RegExp(`^(\\d{4})(${WEATHER}(?:${LAYERS}))$`),
  /^(AUTO)((?:\d{5}|VRB\d\d|\/{5}).*)$/,
  /^((?:FEW|SCT|BKN|OVC)(?:\d{3}|\/{3})(?:CB|TCU|\/{3})?|NSC|SKC|CLR|NCD|CAVOK)((?:FEW|SCT|BKN|OVC|M?\d\d\/).*)$/,
  /^(\d{1,2}SM|\d\/\d{1,2}SM)((?:[-+]|FEW|SCT|BKN|OVC|CLR|SKC|RA|SN|BR|HZ|FG).*)$/,
  /^(\d{4})((?:FEW|SCT|BKN|OVC|NSC|SKC|VV)\d*.*)$/,
  // NIL for no weather (Indonesia): 7000NIL, NILSCT018.
  /^(\d{4}|NIL)(NIL|(?:FEW|SCT|BKN|OVC)\d{3}.*|NILSCT\d{3}.*)$/,
  /^(\d{4})([-+]?(?:VC)?(?:BR|HZ|FG|FU|RA|DZ|SN|TS|SH)[A-Z]*)$/,
  /^([-+]?(?:HZ|BR|FG|FU|DZ|RA|SHRA|SN|DU|SA))\/([-+]?(?:HZ|BR|FG|FU|DZ|RA|SHRA|SN|DU|SA))$/,
  // Weather begins with its sign and its descriptor: -SNBLSN and BCFG-BR are two groups.
  /^([-+]?(?:SN|RA|DZ))((?:BL|DR)SN|(?:BC|FZ|MI|PR)FG)$/,
  /^([-+]?(?:[A-Z]{2}){1,3})([-+](?:[A-Z]{2}){1,3})$/,
  /^(R\d\d[LCR]?\/[PM]?\d{4}(?:V[PM]?\d{4})?(?:FT)?[UDN]?)(R\d\d.*)$/,
  /^(M?\d\d\/M?\d\d)([QA]\d{4}.*)$/,
  /^(Q\d{4}|A\d\d\.?\d\d)(\/?[QA]\d{4}\/?|[ON]*SIG|R\d\d.*|(?!(?:HPA|MB|INS?|INHG)$)[A-Z][A-Z].*)$/,
  /^(Q\d{4}(?:\.\d)?)(\/\d\d\.\d\d)$/,
  /^(BLU\+?|WHT|GRN)(FCST)$/,
  /^(NOSIG)[.:]?(RMK.*)$/,
  /^(NOSIG)[.:]([A-Z].*)$/,
  // BECMG and TEMPO precede a group of the forecast or its time (15.14).
  /^(TEMPO|BECMG|INTER|PROB\d\d)((?:\d|(?:FM|TL|AT)\d{4}|TEMPO|INTER|VRB|CAVOK|NSW).*|[-+][A-Z]{2}.*)$/,
  new RegExp(`^(TEMPO|BECMG|INTER|PROB\\d\\d)(${WEATHER}|${LAYERS})$`),
  // An extra character between two whole groups, or after one: `01023KTL8000`, `FEW045@28/01`, `02/01N`. It is dropped
  // only where the groups on both sides are complete and the character cannot belong to either: no figure, no M or P
  // (less than, more than, minus), and after a layer no letter, because it may be the rest of CB or TCU.
  /^((?:\d{5}|VRB\d\d)(?:G\d\d)?(?:KT|MPS))[A-LNOQ-Z?@](\d{4}|\d{3}V\d{3}|CAVOK)$/,
  /^(\d{3}V\d{3})[A-LNOQ-Z?@](\d{4})$/,
  /^(NSC|SKC|CLR|NCD)[A-LNOQ-Z?@](M?\d\d\/M?\d\d)$/,
  /^((?:FEW|SCT|BKN|OVC)\d{3}(?:CB|TCU)?)[?@](M?\d\d\/M?\d\d)$/,
  /^(M?\d\d\/M?\d\d)[?@](Q\d{4})$/,
  /^(Q\d{4})[?@](A\d{4})$/,
  /^(M?\d\d\/M?\d\d)[A-LNOQ-Z]$/,
];

const ANY_GLUED = anyOf(GLUED);

function partGlued(token: string, { temperature }: ParseState): Repair | undefined {
  const [, letter, hectopascals, inches] = BOTH_PRESSURES.exec(token) ?? [];
  if (letter || (hectopascals !== undefined && temperature !== ''))
    return { text: `Q${hectopascals}`, taken: 1, rest: `A${inches}` };
  if (!ANY_GLUED.test(token)) return undefined;
  for (const pattern of GLUED) {
    const [, text, rest] = pattern.exec(token) ?? [];
    if (text !== undefined) return { text, taken: 1, rest };
  }
  return undefined;
}

/**
 * Groups with a slip in their figures that another group of the same report confirms: the QNH by the inches, the inches
 * by the QNH, the temperature by its tenths. They are read if exactly one reading is one slip away and agrees.
 */
function confirmedGroup(token: string, state: ParseState): string | undefined {
  if (token[0] === 'Q') return confirmedHectopascals(token, state);
  return token[0] === 'A' ? confirmedInches(token, state) : confirmedTemperature(token, state);
}

/** QNH is cut to whole hectopascals (15.12), inches to hundredths: two of one measurement differ by at most one. */
const AGREEMENT_HPA = 1;

/** Q101? A3010. In Q10145 A2996 El Salvador sends tenths without the decimal point. */
function confirmedHectopascals(token: string, { tokens, at }: ParseState): string | undefined {
  const [, hundredths] = /^A(\d{4})$/.exec(tokens[at + 1] ?? '') ?? [];
  if (hundredths === undefined) return undefined;
  const other = (Number(hundredths) / 100) * HPA_PER_INCH;
  const inTenths = token.replace(/^Q(\d{4})(\d)$/, 'Q$1.$2');
  if (inTenths !== token && Math.abs(Number(inTenths.slice(1)) - other) <= AGREEMENT_HPA) return inTenths;
  return onlyReading(token, 'Q', Math.ceil(other - AGREEMENT_HPA), Math.floor(other + AGREEMENT_HPA));
}

/** Q1012 A29905. */
function confirmedInches(token: string, { hectopascals, fields }: ParseState): string | undefined {
  if (hectopascals === '' || fields.altim_hpa === undefined) return undefined;
  const hundredths = (hpa: number) => (hpa / HPA_PER_INCH) * 100;
  const lowest = Math.ceil(hundredths(fields.altim_hpa - AGREEMENT_HPA));
  return onlyReading(token, 'A', lowest, Math.floor(hundredths(fields.altim_hpa + AGREEMENT_HPA)));
}

/** The letter and four figures that the token misspells; undefined if none or several fit. */
function onlyReading(token: string, letter: string, lowest: number, highest: number): string | undefined {
  const readings: string[] = [];
  for (let value = lowest; value <= highest; value++) {
    const text = letter + String(value).padStart(4, '0');
    if (isMisspelt(token, text)) readings.push(text);
  }
  return readings.length === 1 ? readings[0] : undefined;
}

/** 29/I04 … T02891039. */
function confirmedTemperature(token: string, state: ParseState): string | undefined {
  if (state.temperature !== '' || !token.includes('/')) return undefined;
  const text = temperatureOfTenths(state);
  return text !== undefined && isMisspelt(token, text) ? text : undefined;
}
