import { emptyFields } from './fields.generated.ts';

/** A report while it is being read: the fields found so far, and what the readers must know of each other. */
export type ParseState = ReturnType<typeof newParseState>;

export const newParseState = (tokens: string[]) => ({
  tokens,
  /** The current token; the reader of a group that spans several tokens moves it to the last of them. */
  at: 0,
  fields: emptyFields(),
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

/** A field that keeps groups as sent, with one more. */
export const withGroup = (text: string | undefined, group: string): string =>
  text === undefined ? group : `${text} ${group}`;

export type Reader = (token: string, state: ParseState) => Verdict;
