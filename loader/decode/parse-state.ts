import { DECODED_FIELDS, type Decoded } from '../../clickhouse/model/fields.ts';

/** The fields of a report while it is read: every key is present, `undefined` until a group gives the field. */
export type Fields = { -readonly [Name in keyof Required<Decoded>]: Decoded[Name] | undefined } & {
  cavok: boolean;
};

/** All states copy these fields, so that V8 gives them one shape and assignments are fast. */
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
  day: -1,
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

/** Tests letters first, then figures, because these are the most frequent. */
const isSeparator = (code: number): boolean => {
  if (code > EQUALS) return code === NO_BREAK_SPACE;
  return code > COMMA ? code === EQUALS : code <= 32 || code === COMMA;
};

/** The hour to which the report belongs, 0 to 24: main reports are sent before it. -1 if unknown. */
export const nearestHour = ({ hour, minute }: ParseState): number => (minute >= 30 ? hour + 1 : hour);
