import type { Draft } from './parse-state.ts';

/**
 * Repairs of what hands and lines have garbled, tried only where no rule explained a token, so that regular
 * expressions cost nothing on sound reports. Every pattern is anchored and bounded, and says the whole form of
 * what it accepts: a repair never guesses a figure.
 */

/**
 * What a garbled stretch should have been: `text` is read in its place; `taken` tokens are used up; `rest`, if
 * any, is read after it.
 */
export type Repair = { readonly text: string; readonly taken: number; readonly rest?: string };

const LONGEST_TOKEN = 40;

export function repair(draft: Draft): Repair | undefined {
  const token = draft.tokens[draft.at] ?? '';
  if (token.length > LONGEST_TOKEN) return undefined;
  return torn(token, draft) ?? glued(token) ?? respelt(token, draft);
}

/** Groups that were torn apart by a blank: `30005 KT`, `QNH 1012`, `SCT 018`, `10 SM`, `VC SH`. */
const TORN: readonly RegExp[] = [
  /^(?:\d{5,6}|VRB\d\d)(?:G\d\d)? (?:KT|MPS|KTS)$/,
  /^(?:QNH|Q|A) \d{4}(?:HPA|MB)?$/,
  /^A \d\d\.\d\d$/,
  /^Q [89]\d\d$/,
  /^Q\d \d{3}$/,
  /^Q\d\d \d\d$/,
  /^(?:FEW|SCT|BKN|OVC) ?\d{3}(?:CB|TCU)?$/,
  /^\d{1,2} (?:SM|KM)$/,
  /^VC (?:SH|TS|FG|RA|DZ|BLDU|BLSA)$/,
  /^M?\d\d \/M?\d\d$/,
  /^N(?:O SIG| OSIG)$/,
];

/** Words that are sent letter by letter. */
const SPACED = ['CAVOK', 'NOSIG', 'SKC', 'NSC', 'CLR', 'NIL'];

function torn(token: string, { tokens, at }: Draft): Repair | undefined {
  const next = tokens[at + 1];
  if (next === undefined || token.length > 8 || next.length > 7) return undefined;
  if (token.length === 1 && next.length === 1) {
    const word = SPACED.find((name) => tokens.slice(at, at + name.length).join('') === name);
    return word === undefined ? undefined : { text: word, taken: word.length };
  }
  if (TORN.some((pattern) => pattern.test(`${token} ${next}`)))
    return { text: spelled(token + next) ?? token + next, taken: 2 };
  return undefined;
}

/** Groups that were run together; each pattern says the first whole group, the rest is read on its own. */
const GLUED: readonly RegExp[] = [
  /^((?:\d{5}|VRB\d\d)(?:G\d\d)?(?:KT|MPS))(\d{4}|CAVOK|\d{3}V\d{3}|\d{1,2}SM)$/,
  /^(AUTO)((?:\d{5}|VRB\d\d|\/{5}).*)$/,
  /^((?:FEW|SCT|BKN|OVC)\d{3}(?:CB|TCU)?|NSC|SKC|CLR|NCD|CAVOK)((?:FEW|SCT|BKN|OVC|M?\d\d\/).*)$/,
  /^(\d{1,2}SM|\d\/\d{1,2}SM)((?:[-+]|FEW|SCT|BKN|OVC|CLR|SKC|RA|SN|BR|HZ|FG).*)$/,
  /^(\d{4})((?:FEW|SCT|BKN|OVC|NSC|SKC|VV)\d*.*)$/,
  /^(\d{4})([-+]?(?:BR|HZ|FG|FU|RA|DZ|SN|TS|SH)[A-Z]*)$/,
  /^([-+]?TS)(-RA)$/,
  /^(R\d\d[LCR]?\/[PM]?\d{4}(?:V[PM]?\d{4})?(?:FT)?[UDN]?)(R\d\d.*)$/,
  /^(M?\d\d\/M?\d\d)([QA]\d{4}.*)$/,
  /^(Q\d{4}|A\d{4})(\/?[QA]\d{4}\/?|NOSIG|TEMPO|BECMG|RMK.*|R\d\d.*|[ON]*SIG|NO)$/,
  /^(Q\d{4}(?:\.\d)?)(\/\d\d\.\d\d)$/,
  /^(BLU\+?|WHT|GRN)(FCST)$/,
  /^(NOSIG)(RMK.*)$/,
];

function glued(token: string): Repair | undefined {
  for (const pattern of GLUED) {
    const [, first, rest] = pattern.exec(token) ?? [];
    if (first !== undefined && rest !== undefined) return { text: first, taken: 1, rest };
  }
  return undefined;
}

/** One group, misspelt; each pattern says its whole form, the template what it should read. */
const MISSPELT: readonly (readonly [RegExp, string])[] = [
  [/^(?:NOSI|NOSG|NSIG|NOIG|OSIG|NOISG|NOSGI|NSOIG|OOSIG|NOCIG|NSG)$/, 'NOSIG'],
  [/^CAV0K$/, 'CAVOK'],
  // A unit said twice.
  [/^(.+KT)KT$/, '$1'],
  [/^(\d+SM)SM$/, '$1'],
  [/^QNH\.?(\d{4})(?:HPA|MB)?$/, 'Q$1'],
  [/^(?:QNH|ALSTG)\.?(\d{4})INS?$/, 'A$1'],
  [/^Q\.(\d{4})$/, 'Q$1'],
  [/^Q\.?([89]\d\d)$/, 'Q0$1'],
  [/^\/(\d\d\.\d\d)$/, 'A$1'],
  [/^\/?([QA]\d{4})\/?$/, '$1'],
  [/^([QA]\d{4})(?:HPA|MB|INS|IN)$/, '$1'],
  // The type in front of the height (West Africa, Indonesia), or a compass point behind it (Venezuela, India).
  [/^(FEW|SCT|BKN|OVC)(CB|TCU)(\d{3})(?:\([NESW]+\))?$/, '$1$3$2'],
  [/^((?:FEW|SCT|BKN|OVC)\d{3}(?:CB|TCU))[/(][NESW/-]+\)?$/, '$1'],
  // CLR120: clear below the 12,000 feet that the sensor reaches (FMH-1, 12.6.9).
  [/^CLR\d{3}$/, 'CLR'],
  // The solidus of a missing group in front.
  [/^\/((?:CLR|SKC|FEW|SCT|BKN|OVC).*)$/, '$1'],
  // A minus sign for M.
  [/^(M?\d\d)\/-(\d\d)$/, '$1/M$2'],
  [/^-(\d\d)\/(?:-|M)(\d\d)$/, 'M$1/M$2'],
  // The letter O and the figure 0 mistaken for each other.
  [/^0VC(\d{3})$/, 'OVC$1'],
  // Punctuation at either end; a sign behind the weather (RA-) may be its intensity, so it is none.
  [/^[.;:'"()]*([A-Z0-9/+-][A-Z0-9/.+-]*[A-Z0-9/])[.;:'"()]*$/, '$1'],
];

function spelled(token: string): string | undefined {
  for (const [pattern, template] of MISSPELT) {
    if (!pattern.test(token)) continue;
    const text = token.replace(pattern, template);
    if (text !== token) return text;
  }
  return undefined;
}

function respelt(token: string, draft: Draft): Repair | undefined {
  const text =
    spelled(token) ??
    bareWind(token, draft) ??
    barePressure(token, draft) ??
    upperCase(token) ??
    noughts(token);
  return text === undefined || text === token ? undefined : { text, taken: 1 };
}

/**
 * Wind without its unit is in knots, but for the countries that measure in metres a second. Behind the
 * temperature five figures are more likely additive data without their RMK.
 */
const bareWind = (token: string, { station, wind, temperature }: Draft): string | undefined =>
  wind === '' &&
  temperature === '' &&
  station[0] !== 'U' &&
  station[0] !== 'Z' &&
  /^(?:\d{5}|VRB\d\d)(?:G\d\d)?$/.test(token)
    ? `${token}KT`
    : undefined;

/** Four figures behind the temperature can only be the pressure; their size tells which unit. */
function barePressure(token: string, { temperature, hectopascals, inches }: Draft): string | undefined {
  if (temperature === '') return undefined;
  if (hectopascals === '' && /^(?:09[3-9]\d|10[0-5]\d)$/.test(token)) return `Q${token}`;
  return inches === '' && /^(?:2[89]\d\d|30\d\d)$/.test(token) ? `A${token}` : undefined;
}

const upperCase = (token: string): string | undefined =>
  /[a-z]/.test(token) && /^[A-Za-z0-9/+-]+$/.test(token) ? token.toUpperCase() : undefined;

/** The letter O among figures: 000O0KT, Q1OO9, SCTO20. */
function noughts(token: string): string | undefined {
  const start = /^(?:FEW|SCT|BKN|OVC)/.test(token) ? 3 : 0;
  const rest = token.slice(start).replace(/O(?=[O\d])|(?<=\d)O/g, '0');
  return /\d/.test(token) ? token.slice(0, start) + rest : undefined;
}
