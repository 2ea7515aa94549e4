import type { Draft, Verdict } from './parse-state.ts';

/**
 * Remarks that Central America, the Caribbean, West Africa, the Maldives and Thailand put behind the last group
 * without an RMK in front: `CB N/NE`, `TCU SW W`, `CB/PCPN/ESE`, `RWY15 INFO A`. They are known by a word for
 * cloud or precipitation that compass points follow, and have no field of their own. Anything else written in
 * plain language stays unexplained.
 */

const PHENOMENA = new Set([
  'CB',
  'TCU',
  'CBRA',
  'TCURA',
  'PCPN',
  'LTG',
  'LTNG',
  'VIRGA',
  'TS',
  'RA',
  'SH',
  'DZ',
]);
const PLACES = new Set(
  'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW ALL ALQDS QUADS DIST DSNT OVHD OVER AD QDS ALRD THRU TO AND MOV VC TD'.split(
    ' ',
  ),
);
const OBSCURATIONS = new Set(['HZ', 'FU', 'BR', 'FG', 'SMC']);

type Words = { readonly phenomena: number; readonly places: number; readonly others: number };

/** What the parts of `CB/PCPN/ESE-S` are; undefined where one of them is no word of such a remark. */
function wordsOf(token: string): Words | undefined {
  let phenomena = 0;
  let places = 0;
  let others = 0;
  for (const part of token.split(/[/-]/)) {
    if (PHENOMENA.has(part)) phenomena += 1;
    else if (PLACES.has(part)) places += 1;
    else if (OBSCURATIONS.has(part)) others += 1;
    else if (part !== '') return undefined;
  }
  return { phenomena, places, others };
}

const LONGEST = 24;

export function readPlainLanguage(token: string, draft: Draft): Verdict {
  const behindGroups = draft.temperature !== '' || draft.hectopascals !== '' || draft.inches !== '';
  if (!behindGroups || token.length > LONGEST) return undefined;
  const words = wordsOf(token);
  if (words === undefined) return readCloudAmount(token) ?? readAerodrome(token, draft);
  if (words.phenomena + words.places + words.others === 0) return undefined;
  // A compass point alone says nothing: it must follow what it is the place of.
  if (words.phenomena === 0 && !draft.plainLanguage) return undefined;
  draft.plainLanguage = true;
  return 'explained';
}

/** Amount, genus and height of one layer as Japan has them in its remarks: 1AC080 (Nicaragua). */
const readCloudAmount = (token: string): Verdict =>
  /^[1-8](?:CU|SC|ST|AC|AS|NS|CI|CC|CS|CB|TCU)\d{3}$/.test(token) ? 'explained' : undefined;

/** The broadcast's letter and the runway in use (Thailand), a wet runway (Panama), no precipitation (Peru). */
function readAerodrome(token: string, draft: Draft): Verdict {
  if (/^PP(?:\d{3}|\/\/\/)$/.test(token)) return 'explained';
  const next = draft.tokens[draft.at + 1] ?? '';
  if (/^RWY(?:0[1-9]|[12]\d|3[0-6])[LCR]?$/.test(token)) return 'explained';
  if (token === 'RWY' && /^(?:\d\d[LCR]?|WET|DAMP|DRY)$/.test(next)) return takeTwo(draft);
  if (token === 'INFO' && /^[A-Z]$/.test(next)) return takeTwo(draft);
  return undefined;
}

function takeTwo(draft: Draft): Verdict {
  draft.at += 1;
  return 'explained';
}
