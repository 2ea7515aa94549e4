import type { ParseState } from '../parse-state.ts';

/** One misspelled group; each pattern describes the whole token, the template its correction. */
const MISSPELT: readonly (readonly [RegExp, string])[] = [
  // A unit repeated, inside the group, cut short, or with an estimate mark.
  [/^(.+KT)(?:KT|\(E\))$/, '$1'],
  [/^(\d{5}|VRB\d\d)KT(G\d\d)(?:KT)?$/, '$1$2KT'],
  [/^((?:\d{3}|VRB)\d\d(?:G\d\d)?)(?:TK|K[A-Z]T|[A-FH-Z]KT|KT[A-LNOQ-Z])$/, '$1KT'],
  [/^((?:\d{3}|VRB)\d\d(?:G\d\d)?)(?:M\/S|MPS[A-Z]|MMPS|MPPS)$/, '$1MPS'],
  [/^(\d{3})\/(\d\d(?:G\d\d)?KT)$/, '$1$2'],
  // A unit after the variation, and solidi before or after a group that cannot end in a missing value: only a fraction
  // of a mile, 10, 11, 13 and 15 are whole behind one, because /4SM and /14SM may be 1/4SM.
  [/^(\d{3}V\d{3})(?:KTS?|MPS|DEG)$/, '$1'],
  [/^\/{1,2}((?:\d{5}|VRB\d\d)(?:G\d\d)?(?:KT|MPS)|1[0135]SM|\d\/\d{1,2}SM|\d{3}V\d{3})$/, '$1'],
  [/^((?:\d{5}|VRB\d\d)(?:G\d\d)?(?:KT|MPS)|\d{1,2}SM|\d\/\d{1,2}SM|\d{3}V\d{3})\/{1,2}$/, '$1'],
  [/^(M?\d\d)\/\/(M?\d\d)$/, '$1/$2'],
  // FT cut short: no range in meters has a unit.
  [/^(R\d\d[LCR]?\/[PM]?\d{4}(?:V[PM]?\d{4})?)F(\/?[UDN])?$/, '$1FT$2'],
  // 15.5.4: only calm has no direction. An extra letter before the gust.
  [/^000(?:0|[A-Z?]0|0[A-Z?])(KTS?|MPS)$/, '00000$1'],
  [/^(\d{5}|VRB\d\d)[A-Z](G\d\d(?:KT|MPS))$/, '$1$2'],
  [/^(\d{5}|VRB\d\d)G[A-Z](\d\d(?:KT|MPS))$/, '$1G$2'],
  [/^(\d{3}|VRB)G(\d\dG\d\d(?:KT|MPS))$/, '$1$2'],
  // VBR03KT, VAB04KT: one slip in VRB.
  [/^(?:[A-Z]RB|V[A-Z]B|VR[A-Z]|RVB|VBR|V[RB]|VRB[A-Z])(\d\d(?:G\d\d)?(?:KT|MPS))$/, 'VRB$1'],
  [/^UNAVAILKT$/, '/////KT'],
  // The strongest gust as in older editions of FM 15: dddff/fmfm.
  [/^(\d{5})\/(\d\d(?:KT|MPS))$/, '$1G$2'],
  [/^(\d+SM)SM$/, '$1'],
  // 2992 hPa is impossible, 29.92 inHg is not, and neither is the other unit of 1013.
  [/^(?:QNH|ALSTG|ALTIM|A)[.:]?((?:2[5-9]|3[0-2])\.?\d\d)(?:INS?|INHG)?$/, 'A$1'],
  [/^(?:QNH|Q)?[.:]?(\d{4}(?:\.\d)?)(?:HPA|MB)$/, 'Q$1'],
  [/^((?:2[5-9]|3[0-2])\.?\d\d)(?:INS?|INHG)$/, 'A$1'],
  [/^(?:QNH[.:]?|Q\.)(\d{4})$/, 'Q$1'],
  [/^Q\.?([89]\d\d)$/, 'Q0$1'],
  [/^([QA])X{4}$/, '$1////'],
  [/^\/?((?:2[5-9]|3[0-2])\.\d\d)$/, 'A$1'],
  [/^(?:\/|\d)?([QA]\d{4})\/?$/, '$1'],
  // The thousands can only be 0 or 1, and before a zero only 1. But Q3012 can be inches, and Q9012 can be Q0912 with
  // two figures transposed.
  [/^Q[24-8](0\d\d)$/, 'Q1$1'],
  // The type before the height (West Africa, Indonesia), or a compass point after it (Venezuela, India).
  [/^(FEW|SCT|BKN|OVC)\(?(CB|TCU)\)?(\d{3})(?:\([NESW]+\))?$/, '$1$3$2'],
  [/^((?:FEW|SCT|BKN|OVC)\d{3})[/(-](CB|TCU)\)?$/, '$1$2'],
  [/^((?:FEW|SCT|BKN|OVC)\d{3}(?:CB|TCU))[/(]?[NESW][NESW/-]*\)?$/, '$1'],
  [/^(CB|TCU)[/-][NESW][NESW/-]*$/, '$1'],
  [/^((?:FEW|SCT|BKN|OVC)\d{3})TC$/, '$1TCU'],
  // Two solidi of three.
  [/^(FEW|SCT|BKN|OVC|\/{3})\/\/(CB|TCU)$/, '$1///$2'],
  // CLR120: clear below the 12,000 feet that the sensor reaches (FMH-1, 12.6.9).
  [/^CLR\d{3}$/, 'CLR'],
  [/^(?:SCK|SK)$/, 'SKC'],
  // The solidus of a missing group before the layer.
  [/^\/((?:CLR|SKC|FEW|SCT|BKN|OVC).*)$/, '$1'],
  // Eritrea's and Sudan's shorthand for 9999; an extra 9; a unit that meters do not have.
  [/^(?:9\/9|99999|9999SM)$/, '9999'],
  [/^([-+])RE((?:[A-Z]{2}){1,3})$/, 'RE$1$2'],
  // The sign of the intensity as a dash of another alphabet.
  [/^[_\u2013\u2014]((?:[A-Z]{2}){1,4})$/, '-$1'],
  // A descriptor after its phenomenon, in the pairs of code table 4678.
  [/^([-+]?)((?:RA|SN|PL|GR|GS){1,3})(SH|TS)$/, '$1$3$2'],
  [/^([-+]?)(RA|DZ|FG)FZ$/, '$1FZ$2'],
  [/^([-+]?)(SN|SA|DU)(BL|DR)$/, '$1$3$2'],
  [/^FG(MI|BC|PR)$/, '$1FG'],
  // A minus sign for M.
  [/^(M?\d\d)\/-(\d\d)$/, '$1/M$2'],
  [/^-(\d\d)\/(?:-|M)(\d\d)$/, 'M$1/M$2'],
  // A period for the solidus, if M shows that a dew point follows, not a decimal.
  [/^(M?\d\d)\.(M\d\d)$/, '$1/$2'],
  // The letter O and the figure 0 confused.
  [/^0VC(\d{3})$/, 'OVC$1'],
  // A runway state or visual range with a missing or extra solidus.
  [/^R(\d\d[LCR]?)([PM]\d{4}(?:FT)?[UDN]?|\d\d[\d/]{2}\d\d|\d\/{3}\d\d|CLRD[\d/]{2})$/, 'R$1/$2'],
  [/^(\d\d)[^A-Z0-9]?LRD([\d/]{2})$/, '$1CLRD$2'],
  [/^(R\d\d[LCR]?\/)[A-Z]LRD([\d/]{2})$/, '$1CLRD$2'],
  [/^(R\d\d[LCR]?\/[\d/]{6})\/$/, '$1'],
  [/^(?:RNK|RKM|PMK|ROK)(\d*)$/, 'RMK$1'],
  // Punctuation at either end; a trailing sign (RA-) may be an intensity, so it is kept.
  [/^[.;:'"()]*([A-Z0-9/+-][A-Z0-9/.+-]*[A-Z0-9/])[.;:'"()?]*$/, '$1'],
];

/** All patterns in one, so a token that matches none, as nearly all do, costs one search, not dozens. */
export const anyOf = (patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'));

const ANY_MISSPELT = anyOf(MISSPELT.map(([pattern]) => pattern));

/** The exact group that the token should have been; undefined if unknown. */
export function spelled(token: string): string | undefined {
  if (!ANY_MISSPELT.test(token)) return undefined;
  for (const [pattern, template] of MISSPELT) {
    const text = token.replace(pattern, template);
    if (text !== token) return text;
  }
  return undefined;
}

type StateTest = (state: ParseState) => boolean;

/**
 * Wind without its whole unit is in knots, except in countries that use meters per second, or both: of the reports of
 * Bulgaria 34 of 71 and of Hungary 16 of 90 give meters per second.
 */
const sendsKnots: StateTest = ({ station }) => !/^(?:[UZ]|LB|LH)/.test(station);

/** Whether it can be the missing wind, in knots. After the temperature, five figures are more likely additive data without RMK. */
const isWindInKnots: StateTest = (state) =>
  state.wind === '' && state.temperature === '' && sendsKnots(state);

/** Misspelled groups that are corrected only if the groups read so far show that no other group is meant. */
const MISSPELT_IN_PLACE: readonly (readonly [RegExp, string, StateTest])[] = [
  // NL, and that the observer is away or the aerodrome closed (Argentina, Uruguay), alone after the header.
  [
    /^(?:NL|AUSENTE|CLOSED)$/,
    'NIL',
    ({ tokens, at, headerEnd }) => at === headerEnd && tokens.length === at + 1,
  ],
  // CB020: the amount is missing.
  [/^(CB|TCU)(\d{3})$/, '///$2$1', ({ temperature }) => temperature === ''],
  // NS in place of the sky, directly before the temperature.
  [
    /^NS$/,
    'NSC',
    ({ tokens, at, sky, temperature }) =>
      sky === '' && temperature === '' && TEMPERATURES.test(tokens[at + 1] ?? ''),
  ],
  // 060-260 directly after the wind; directions are in tens of degrees.
  [/^(\d\d0)-(\d\d0)$/, '$1V$2', ({ tokens, at, wind }) => wind !== '' && tokens[at - 1] === wind],
  [/^((?:\d{5}|VRB\d\d)(?:G\d\d)?)$/, '$1KT', isWindInKnots],
  [/^((?:\d{3}|VRB)\d\d(?:G\d\d)?)(?:[KT]|K[A-Z]|[A-Z]T)$/, '$1KT', sendsKnots],
  // `200/06`, if a temperature follows; otherwise they could be one.
  [
    /^(\d\d0)\/(\d\d)$/,
    '$1$2KT',
    (state) =>
      isWindInKnots(state) && state.tokens.slice(state.at + 1).some((next) => TEMPERATURES.test(next)),
  ],
];

const TEMPERATURES = /^M?\d\d\/M?\d\d$/;

function spelledInPlace(token: string, state: ParseState): string | undefined {
  for (const [pattern, template, isMeant] of MISSPELT_IN_PLACE)
    if (pattern.test(token) && isMeant(state)) return token.replace(pattern, template);
  return undefined;
}

/** The group that the token should have been, in the state of the report; undefined if unknown. */
export const respell = (token: string, state: ParseState): string | undefined =>
  spelled(token) ??
  misspeltWord(token, state) ??
  weatherInWords(token, state) ??
  spelledInPlace(token, state) ??
  misspeltCover(token, state) ??
  misspeltVisibility(token, state) ??
  barePressure(token, state) ??
  upperCase(token) ??
  noughts(token);

/** Before the temperature; later they are remarks. */
const weatherInWords = (token: string, { temperature }: ParseState): string | undefined => {
  const sign = token[0] === '-' || token[0] === '+' ? token[0] : '';
  const code = temperature === '' ? WEATHER_WORDS.get(token.slice(sign.length)) : undefined;
  return code === undefined ? undefined : sign + code;
};

/** The words of code table 4678 that stand for one code. */
export const WEATHER_WORDS: ReadonlyMap<string, string> = new Map(
  'MIST:BR FOG:FG HAZE:HZ SMOKE:FU DUST:DU SAND:SA DRIZZLE:DZ RAIN:RA SNOW:SN HAIL:GR SQUALL:SQ SQUALLS:SQ SHOWER:SH SHOWERS:SH'
    .split(' ')
    .map((pair) => [pair.slice(0, -3), pair.slice(-2)]),
);

/** Trend words come after the temperature, so a slip in them changes no figure. */
function misspeltWord(token: string, { temperature, wind }: ParseState): string | undefined {
  if (wind === '' && token.length === 3 && isMisspelt(token, 'AUTO')) return 'AUTO';
  if (temperature === '' || !/^[A-Z0]{3,6}\d?$/.test(token)) return undefined;
  if (/^(?:NSG|[A-Z]?NOSI[A-Z]G?)$/.test(token)) return 'NOSIG';
  return ['NOSIG', 'TEMPO', 'BECMG'].find((word) => isMisspelt(token, word));
}

/** FWE026CB, OV013, BNK060: one slip in the amount, which no other has; or its first letter after a layer, `SCT030 B100`. */
function misspeltCover(token: string, { tokens, at, sky, temperature }: ParseState): string | undefined {
  const [, letters, rest] = /^([A-Z]{1,4}?)(\d{3}(?:CB|TCU)?)$/.exec(token) ?? [];
  if (letters === undefined) return undefined;
  const isAmongLayers = sky === 'LAYERS' && temperature === '';
  const covers = ['FEW', 'SCT', 'BKN', 'OVC'].filter((cover) =>
    letters.length === 1 ? isAmongLayers && cover[0] === letters : isMisspelt(letters, cover),
  );
  const [cover] = covers;
  // `5000S CT040`: the letter may be that of the token before it, which is read then.
  const isMoved = cover?.slice(1) === letters && cover[0] === tokens[at - 1]?.at(-1);
  return covers.length === 1 && !isMoved ? `${cover}${rest}` : undefined;
}

/**
 * CAVKO, CA?OK; 999, 9?99, 89999; 50K. In place of the visibility, no other group is one slip away: of the four-digit
 * results of adding or dropping one figure, only 9999 is a visibility step (15.6).
 */
function misspeltVisibility(token: string, state: ParseState): string | undefined {
  const { wind, visibility, sky, temperature } = state;
  if (wind === '' || visibility !== '' || sky !== '' || temperature !== '') return undefined;
  // The M of `CAVOKM 02/M04` is the minus of the temperature.
  if (isMisspelt(token, 'CAVOK') && token !== 'CAVOKM') return 'CAVOK';
  if (/^\d\dK$/.test(token)) return `${token}M`;
  return /^[\d?]{3,5}$/.test(token) && !/^\d{4}$/.test(token) && isMisspelt(token, '9999')
    ? '9999'
    : undefined;
}

/**
 * Four figures after the temperature, also with a wrong letter (U1008, Y1017.8), are the pressure; their size tells the
 * unit. AM: M for missing, as automatic stations of America send it.
 */
function barePressure(token: string, { temperature, hectopascals, inches }: ParseState): string | undefined {
  if (temperature === '') return undefined;
  if (inches === '' && token === 'AM') return 'A////';
  const [, figures, tenths] = /^[B-LNOR-Z]?(\d{4})(\.\d)?$/.exec(token) ?? [];
  if (figures === undefined) return undefined;
  if (hectopascals === '' && /^(?:09[3-9]|10[0-5])/.test(figures)) return `Q${figures}${tenths ?? ''}`;
  if (tenths !== undefined) return undefined;
  return inches === '' && /^(?:2[89]|30)/.test(figures) ? `A${figures}` : undefined;
}

const upperCase = (token: string): string | undefined =>
  /[a-z]/.test(token) && /^[A-Za-z0-9/+-]+$/.test(token) ? token.toUpperCase() : undefined;

/** The letter O among figures: 000O0KT, Q1OO9, SCTO20, 5OOO. */
function noughts(token: string): string | undefined {
  const start = /^(?:FEW|SCT|BKN|OVC)/.test(token) ? 3 : 0;
  const rest = token.slice(start).replace(/O(?=[O\d])|(?<=[O\d])O/g, '0');
  return /\d/.test(token) ? token.slice(0, start) + rest : undefined;
}

/** Whether one slip turns `token` into `word`: an extra, missing or wrong letter, or two transposed. */
export function isMisspelt(token: string, word: string): boolean {
  const difference = token.length - word.length;
  if (difference < -1 || difference > 1) return false;
  let at = 0;
  while (at < word.length && token[at] === word[at]) at++;
  if (difference === 1) return token.slice(at + 1) === word.slice(at);
  if (difference === -1) return token.slice(at) === word.slice(at + 1);
  if (token.slice(at + 1) === word.slice(at + 1)) return at < word.length;
  return (
    token[at] === word[at + 1] && token[at + 1] === word[at] && token.slice(at + 2) === word.slice(at + 2)
  );
}
