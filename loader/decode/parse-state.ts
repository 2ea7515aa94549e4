import { DECODED_FIELDS, type Decoded } from '../../clickhouse/model/fields.ts';

/** The fields of a report while it is read: every key is present, `undefined` until a group gives the field. */
export type Fields = { -readonly [Name in keyof Required<Decoded>]: Decoded[Name] | undefined } & {
  cavok: boolean;
};

/** All copies have one shape, so no assignment looks it up. */
const NO_FIELDS = {
  ...Object.fromEntries(DECODED_FIELDS.map(({ name }) => [name, undefined])),
  cavok: false,
} as Fields;

/** A report while it is being read: the fields found so far, and what the readers must know of each other. */
export type ParseState = ReturnType<typeof newParseState>;

export const newParseState = (tokens: string[]) => ({
  tokens,
  /** The current token; the reader of a group that spans several tokens moves it to the last of them. */
  at: 0,
  fields: { ...NO_FIELDS },
  /** Empty until the header names it. */
  station: '',
  /** The index of the first token after the header; -1 while reading the header. */
  headerEnd: -1,
  /** Whether NIL follows the header. */
  saysNil: false,
  /** From the ddhhmmZ group; -1 until found. */
  hour: -1,
  minute: -1,
  /** The tokens that gave a group, empty until then: a second, different one contradicts the first. */
  wind: '',
  variation: '',
  visibility: '',
  sky: '',
  temperature: '',
  hectopascals: '',
  inches: '',
  /** Whole degrees of the body, NaN until known; the tenths of a remark are checked against them. */
  temperatureC: Number.NaN,
  dewPointC: Number.NaN,
  hasBounds: false,
  /** How many of the groups, in their order, a lone M or solidus has been taken for (`readMissing`). */
  missing: 0,
  /** Whether plain language has begun after the groups, without the RMK that should announce it. */
  plainLanguage: false,
  /** Whether NOSIG was read: no group of the observation can follow it. */
  noChange: false,
  /** Whether a color state was read: only a forecast can follow it. */
  colour: false,
  /** Whether the remarks gave the tendency as appp, so that 50RRR is an amount (Canada). */
  hasBareTendency: false,
  /** Whether figures in the remarks are additive data (FMH-1, 12.7.2), as in the reports of North America. */
  hasAdditiveData: false,
});

/**
 * `explained`: the reader accounts for the token. `contradictory`: an earlier group contradicts it. `undefined`: this
 * reader does not handle the token.
 */
export type Verdict = 'explained' | 'contradictory' | undefined;

/** Bounds a search, so that it takes time in proportion to the length of any text. */
export const FARTHEST = 40;

/** A field that keeps groups as sent, with one more. */
export const withGroup = (text: string | undefined, group: string): string =>
  text === undefined ? group : `${text} ${group}`;

export type Reader = (token: string, state: ParseState) => Verdict;

/**
 * The tokens of a report: the text between white space and equals signs. `=` ends a report (WMO-No. 386, part II), but
 * what follows it is kept so that nothing is lost, except one or two characters, which are not a group. Bulletins
 * contain control characters and no-break spaces, and some sources commas.
 */
export function tokensOf(raw: string): string[] {
  const tokens: string[] = [];
  const length = endOf(raw);
  let start = 0;
  for (let at = 0; at < length; at++) {
    if (!isSeparator(raw.charCodeAt(at))) continue;
    if (at > start) tokens.push(raw.substring(start, at));
    start = at + 1;
  }
  if (length > start) tokens.push(raw.substring(start, length));
  return tokens;
}

/** The end of the text without stray characters after the equals sign: `Q1011=05`, `8000 ='(`. */
function endOf(raw: string): number {
  const { length } = raw;
  const equals = raw.indexOf('=', length - LONGEST_REST - 1);
  return equals === -1 || raw[length - 1] === '$' ? length : equals;
}

const LONGEST_REST = 2;
const EQUALS = 61;
const COMMA = 44;
const NO_BREAK_SPACE = 160;

/** Letters take the fewest comparisons, then figures. */
const isSeparator = (code: number): boolean => {
  if (code > EQUALS) return code === NO_BREAK_SPACE;
  return code > COMMA ? code === EQUALS : code <= 32 || code === COMMA;
};

// METAR groups are positional: reading character codes is faster and stricter than a regular expression and Number().

export const isDigit = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
};

export const isLetter = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90;
};

/** The number in the digits from `start` up to `end`, or -1 if any is not a digit. */
export const digits = (text: string, start: number, end: number): number => {
  let value = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!(code >= 48 && code <= 57)) return -1;
    value = value * 10 + code - 48;
  }
  return value;
};

/** The end of the run of digits that begins at `start`. */
export const endOfDigits = (text: string, start: number): number => {
  let at = start;
  while (isDigit(text, at)) at++;
  return at;
};

/** The hour to which the report belongs, 0 to 24: main reports are sent before it. -1 if unknown. */
export const nearestHour = ({ hour, minute }: ParseState): number => (minute >= 30 ? hour + 1 : hour);

/** Whether all characters from `start` up to `end` are solidi: the value is missing (WMO-No. 306 FM 15). */
export const isMissing = (text: string, start: number, end: number): boolean => {
  if (end > text.length) return false;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) !== 47) return false;
  return true;
};

/**
 * Physical limits, lowest and highest: a value outside them is a transmission or instrument error, and its group is not
 * read. docs/guide/decoded-fields.md has the unit and the source of each.
 */
export const LIMITS = {
  temperature: { lowest: -89.2, highest: 56.7 },
  dewPoint: { lowest: -90, highest: 36 },
  dewPointExcess: { lowest: -150, highest: 1 },
  meanWind: { lowest: 0, highest: 163 },
  gust: { lowest: 0, highest: 220 },
  // A calm or a missing wind has no direction of its own; 000 with a speed is neither north nor calm (15.5.4).
  peakWindDirection: { lowest: 10, highest: 360 },
  visibility: { lowest: 0, highest: 300_000 },
  cloudBase: { lowest: 0, highest: 50_000 },
  convectiveCloudBase: { lowest: 0, highest: 20_000 },
  runway: { lowest: 1, highest: 36 },
  runwayRangeInMeters: { lowest: 25, highest: 4000 },
  runwayRangeInFeet: { lowest: 100, highest: 6500 },
  qnh: { lowest: 870, highest: 1085 },
  qfe: { lowest: 500, highest: 1085 },
  qnhToSeaLevel: { lowest: 0, highest: 30 },
  pressureTendency: { lowest: 0, highest: 30 },
  hourlyAmount: { lowest: 0, highest: 12 },
  severalHoursAmount: { lowest: 0, highest: 45 },
  dailyAmount: { lowest: 0, highest: 72 },
  snowDepth: { lowest: 0, highest: 466 },
  snowIncrease: { lowest: 0, highest: 12 },
  hail: { lowest: 0.25, highest: 8 },
  iceAccretion: { lowest: 0, highest: 8 },
} as const satisfies Readonly<Record<string, Limits>>;

export type Limits = { readonly lowest: number; readonly highest: number };

export const isWithinLimits = ({ lowest, highest }: Limits, value: number): boolean =>
  value >= lowest && value <= highest;
