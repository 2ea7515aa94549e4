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

/** Groups that were torn apart by a blank: `30005 KT`, `QNH 1012`, `SCT 018`, `10 SM`, `VC SH`. */
const TORN: readonly RegExp[] = [
  /^(?:\d{5,6}|VRB\d\d)(?:G\d\d)? (?:KT|MPS|KTS)$/,
  /^(?:QNH|Q|A) \d{4}(?:HPA|MB)?$/,
  /^Q\d \d{3}$/,
  /^(?:FEW|SCT|BKN|OVC) ?\d{3}(?:CB|TCU)?$/,
  /^\d{1,2} (?:SM|KM)$/,
  /^VC (?:SH|TS|FG|RA|DZ|BLDU|BLSA)$/,
  /^M?\d\d\/ ?M?\d\d$/,
  /^M?\d\d \/M?\d\d$/,
  /^NO SIG$/,
];

/** Groups that were run together; each pattern says the first whole group, the rest is read on its own. */
const GLUED: readonly RegExp[] = [
  /^((?:\d{5}|VRB\d\d)(?:G\d\d)?(?:KT|MPS))(\d{4}|CAVOK|\d{3}V\d{3}|\d{1,2}SM)$/,
  /^(AUTO)((?:\d{5}|VRB\d\d|\/{5}).*)$/,
  /^((?:FEW|SCT|BKN|OVC)\d{3}(?:CB|TCU)?|NSC|SKC|CLR|NCD|CAVOK)((?:FEW|SCT|BKN|OVC|M?\d\d\/).*)$/,
  /^(\d{4})((?:-|\+)?(?:BR|HZ|FG|FU|RA|DZ|SN|TS|SH)[A-Z]*)$/,
  /^(M?\d\d\/M?\d\d)([QA]\d{4}.*)$/,
  /^(Q\d{4}|A\d{4})(\/?[QA]\d{4}\/?|NOSIG|TEMPO|BECMG|RMK[A-Z]?|NO|R\d\d.*)$/,
  /^(NOSIG)(RMK)$/,
];

const NOSIG = /^(?:NOSI|NOSG|NSIG|NOIG|OSIG|NOISG|NOSIGN|NOSGI|NSOIG|NO)$/;

export function repair(tokens: readonly string[], at: number): Repair | undefined {
  const token = tokens[at] ?? '';
  if (token.length > LONGEST_TOKEN) return undefined;
  return torn(tokens, at, token) ?? glued(token) ?? respelt(token);
}

function torn(tokens: readonly string[], at: number, token: string): Repair | undefined {
  const next = tokens[at + 1];
  if (next === undefined || token.length > 8 || next.length > 7) return undefined;
  if (token === 'C' && tokens.slice(at, at + 5).join('') === 'CAVOK') return { text: 'CAVOK', taken: 5 };
  const both = `${token} ${next}`;
  if (!TORN.some((pattern) => pattern.test(both))) return undefined;
  return { text: token + next, taken: 2 };
}

function glued(token: string): Repair | undefined {
  for (const pattern of GLUED) {
    const [, first, rest] = pattern.exec(token) ?? [];
    if (first !== undefined && rest !== undefined) return { text: first, taken: 1, rest };
  }
  return undefined;
}

/** One group, misspelt: what it should read. */
function respelt(token: string): Repair | undefined {
  const text = spellings(token);
  return text === undefined || text === token ? undefined : { text, taken: 1 };
}

function spellings(token: string): string | undefined {
  if (NOSIG.test(token)) return 'NOSIG';
  if (/[a-z]/.test(token) && /^[\w/+-]+$/.test(token)) return token.toUpperCase();
  // Punctuation at either end: `Q1007.`, `.TS`, `Q0997-`.
  const bare = /^[.;:'"()-]*(\+?[A-Z0-9/][A-Z0-9/.+]*?)[.;:'"()-]*$/.exec(token)?.[1];
  if (bare !== undefined && bare !== token && bare.length > 1) return bare;
  // Wind without its unit: knots, but for the countries that measure in metres a second.
  if (/^(?:\d{5}|VRB\d\d)(?:G\d\d)?$/.test(token)) return `${token}KT`;
  const pressure = /^QNH\.?(\d{4})(?:INS|HPA|MB|)$/.exec(token)?.[1];
  if (pressure !== undefined) return `${pressure > '2000' ? 'A' : 'Q'}${pressure}`;
  const dotted = /^Q\.(\d{3,4})$/.exec(token)?.[1];
  if (dotted !== undefined) return `Q${dotted.padStart(4, '0')}`;
  const short = /^Q([89]\d\d)$/.exec(token)?.[1];
  if (short !== undefined) return `Q0${short}`;
  const slashed = /^([QA]\d{4})\/$/.exec(token)?.[1];
  if (slashed !== undefined) return slashed;
  // The letter O for nought, inside figures: 000O0KT, Q1OO9, 0VC025.
  if (/^0VC\d{3}$/.test(token)) return `O${token.slice(1)}`;
  if (/\dO|O\d/.test(token)) return token.replace(/(?<=[0-9O])O|O(?=[0-9O])/g, '0');
  return undefined;
}
