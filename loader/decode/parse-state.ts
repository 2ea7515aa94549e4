import { emptyFields, type Fields } from './fields.ts';

/** A report while it is being read: the fields found so far, and what the readers must know of each other. */
export type ParseState = {
  readonly tokens: string[];
  /** The current token; the reader of a group that spans several tokens moves it to the last of them. */
  at: number;
  readonly fields: Fields;
  /** Empty until the header names it. */
  station: string;
  /** The index of the first token after the header; -1 while reading the header. */
  headerEnd: number;
  /** Whether NIL follows the header. */
  saysNil: boolean;
  /** From the ddhhmmZ group; -1 until found. */
  hour: number;
  minute: number;
  /** The tokens that gave a group, empty until then: a second, different one contradicts the first. */
  wind: string;
  variation: string;
  /** Whether a group was read that constrains another; otherwise there is nothing to compare. */
  hasBounds: boolean;
  visibility: string;
  sky: string;
  temperature: string;
  /** Whole degrees of the body, NaN until known; the tenths of a remark are checked against them. */
  temperatureC: number;
  dewPointC: number;
  hectopascals: string;
  inches: string;
  /** Whether plain language has begun after the groups, without the RMK that should announce it. */
  plainLanguage: boolean;
  /** Whether NOSIG was read: no group of the observation can follow it. */
  noChange: boolean;
  /** Whether a color state was read: only a forecast can follow it. */
  colour: boolean;
  /** Whether figures in the remarks are additive data (FMH-1, 12.7.2), as in the reports of North America. */
  hasAdditiveData: boolean;
};

/**
 * `explained`: the reader accounts for the token. `contradictory`: an earlier group contradicts it. `undefined`: this
 * reader does not handle the token.
 */
export type Verdict = 'explained' | 'contradictory' | undefined;

export type Reader = (token: string, state: ParseState) => Verdict;

export const newParseState = (tokens: string[]): ParseState => ({
  tokens,
  at: 0,
  fields: emptyFields(),
  station: '',
  headerEnd: -1,
  saysNil: false,
  hour: -1,
  minute: -1,
  wind: '',
  variation: '',
  hasBounds: false,
  visibility: '',
  sky: '',
  temperature: '',
  temperatureC: Number.NaN,
  dewPointC: Number.NaN,
  hectopascals: '',
  inches: '',
  plainLanguage: false,
  noChange: false,
  colour: false,
  hasAdditiveData: false,
});
