import { digits, isDigit, isLetter } from './characters.ts';
import type { ParseState, Verdict } from './parse-state.ts';

/** The front of a report: its name, its station, its time, and the words that qualify it (FM 15, 15.1 to 15.4). */

export const isReportName = (token: string): boolean =>
  token.length === 5 && (token === 'METAR' || token === 'SPECI');

/** An ICAO location indicator, or a national one of the same form with digits (K0CO, KX39). */
export function isStation(token: string | undefined): token is string {
  if (token === undefined || token.length !== 4 || !isLetter(token, 0)) return false;
  for (let at = 1; at < 4; at++) if (!isLetter(token, at) && !isDigit(token, at)) return false;
  return true;
}

/** Four letters before a time in words: `LAST OBS/ NEXT 271200Z` (Canada). */
const WORDS_BEFORE_TIME = new Set(['NEXT', 'LAST', 'FROM', 'TILL', 'TIME']);

/**
 * Whether another report begins at `at`. A report has one station and one time (15.2, 15.3), so collectives that lost the
 * end of a line show it by the keyword and station, or the station and time, of the next one.
 */
export function isReportStart(tokens: readonly string[], at: number): boolean {
  const token = tokens[at] ?? '';
  if (isReportName(token)) return isStation(tokens[isQualifier(tokens[at + 1]) ? at + 2 : at + 1]);
  return isStation(token) && isTime(tokens[at + 1]) && !WORDS_BEFORE_TIME.has(token);
}

/** YYGGggZ: day, hour and minute in UTC (15.3). */
const isTime = (token: string | undefined): boolean =>
  token !== undefined && token.length === 7 && token[6] === 'Z' && isDayHourMinute(token);

function isDayHourMinute(token: string): boolean {
  const day = digits(token, 0, 2);
  const hour = digits(token, 2, 4);
  const minute = digits(token, 4, 6);
  return day >= 1 && day <= 31 && hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59;
}

/**
 * Whether the maintenance sign `$` ends the line, as it ends an American report, glued to its last token or not (FMH-1,
 * 12.7.2); it is taken off.
 */
export function takeMaintenanceSign({ tokens }: ParseState): boolean {
  const last = tokens[tokens.length - 1] ?? '';
  if (last[last.length - 1] !== '$') return false;
  tokens.pop();
  if (last.length > 1) tokens.push(last.slice(0, -1));
  return true;
}

/** The maintenance sign when groups or remarks follow it. */
export function readMaintenanceSign(token: string, { fields }: ParseState): Verdict {
  if (token !== '$') return undefined;
  fields.maint = true;
  return 'explained';
}

/** A report in lower case has the same meaning. */
export const inCapitals = (raw: string): string => (/[a-z]{4} \d{6}z/i.test(raw) ? raw.toUpperCase() : raw);

const MAX_HEADER_TOKENS = 8;

/**
 * Finds station and time and moves `state.at` after them. Anything before them that is not part of a header is listed.
 * Some collectives put a wrong header before the true one (`ATAR 032100Z METAR FCBB 032100Z …`): the later one counts,
 * and what it contradicts is listed.
 */
export function readHeader(state: ParseState, unexplained: string[]): void {
  const { tokens } = state;
  const front = firstHeader(state);
  for (const token of tokens.slice(0, front))
    if (token !== tokens[front] && !isReportName(token) && readQualifier(token, state) === undefined)
      unexplained.push(token);
  state.at = front;
  const station = tokens[state.at];
  if (!isStation(station)) {
    unexplained.push('<no station>', '<no time>');
    return;
  }
  state.station = station;
  state.at += 1;
  while (readQualifier(tokens[state.at] ?? '', state) === 'explained') state.at += 1;
  const time = tokens[state.at];
  if (!readTime(time, state)) unexplained.push('<no time>');
  readSecondHeader(time, state, unexplained);
  dropRepeatedTime(time, state);
}

/** Skips the time or its end if it is repeated, alone or joined to the wind: `140600Z 600Z`, `111200Z 111200Z11020KT`. */
function dropRepeatedTime(time: string | undefined, { tokens, at, hour }: ParseState): void {
  const again = tokens[at] === 'AUTO' ? at + 1 : at;
  const next = tokens[again] ?? '';
  const end = next[6] === 'Z' ? 7 : next.length;
  if (next[end - 1] !== 'Z' || hour === -1 || time === undefined) return;
  if (!`${time.slice(0, 6)}Z`.endsWith(next.slice(0, end))) return;
  if (end === next.length) tokens.splice(again, 1);
  else tokens[again] = next.slice(end);
}

/** The index of the first station followed by a time; if none, of the first token that is not a qualifier. */
function firstHeader({ tokens }: ParseState): number {
  let first = 0;
  while (isReportName(tokens[first] ?? '') || isQualifier(tokens[first])) first += 1;
  if (isStation(tokens[first]) && isTime(tokens[first + 1])) return first;
  for (let at = first; at < tokens.length && at < MAX_HEADER_TOKENS; at++) {
    if (!isStation(tokens[at])) continue;
    let next = at + 1;
    while (isQualifier(tokens[next])) next += 1;
    if (isTime(tokens[next])) return at;
  }
  return first;
}

/** Whether nothing but qualifiers comes between the header and the token. */
const isHeaderBefore = ({ tokens, at, headerEnd }: ParseState): boolean =>
  headerEnd === -1 || (at - headerEnd < MAX_HEADER_TOKENS && tokens.slice(headerEnd, at).every(isQualifier));

/**
 * NIL after the header without an observation is a missing report (15.2). Elsewhere it means no weather or no trend:
 * `7000 NIL SCT018`, `Q1010 NIL` (Indonesia).
 */
export function isMissingReport(state: ParseState): boolean {
  const { saysNil, fields } = state;
  return saysNil && !hasGroups(state) && fields.wx === undefined && fields.rvr === undefined;
}

/** Whether an observation has been read, besides weather and runway visual range. */
export function hasGroups(state: ParseState): boolean {
  const { wind, visibility, sky, temperature, hectopascals, inches } = state;
  return `${wind}${visibility}${sky}${temperature}${hectopascals}${inches}` !== '';
}

const isQualifier = (token: string | undefined): boolean =>
  token === 'COR' ||
  token === 'AUTO' ||
  token === 'RTD' ||
  (token !== undefined && token.length === 3 && token.startsWith('CC'));

/** The Z gets lost (Ogimet's older files), and the wind gets glued on (Guatemala: 272200Z32004KT). */
function readTime(token: string | undefined, state: ParseState): boolean {
  if (token === undefined || (token.length !== 6 && !hasZ(token)) || !isDayHourMinute(token)) return false;
  state.day = digits(token, 0, 2);
  state.hour = digits(token, 2, 4);
  state.minute = digits(token, 4, 6);
  const rest = token.length > 7 ? withoutStrayLetter(token.slice(7)) : '';
  if (rest !== '') state.tokens[state.at] = rest;
  else state.at += 1;
  return true;
}

/** 221959R, 2002002: alone after the figures, another letter or 2 stands for Z, because times are in UTC (15.3). */
const hasZ = (token: string): boolean =>
  token[6] === 'Z' || (token.length === 7 && (isLetter(token, 6) || token[6] === '2'));

/** 200300ZA, 241200ZH04012KT: one letter after the Z. E may mark an estimated wind. */
const withoutStrayLetter = (text: string): string =>
  text.replace(/^[A-Z](?:$|(?<!E)(?=\d{5}(?:G\d\d)?(?:KT|MPS)$))/, '');

function readSecondHeader(time: string | undefined, state: ParseState, unexplained: string[]): void {
  const { tokens, station } = state;
  let at = state.at;
  const named = isReportName(tokens[at] ?? '');
  if (named) at += 1;
  while (isQualifier(tokens[at])) at += 1;
  const second = tokens[at];
  if (isStation(second) && isTime(tokens[at + 1])) {
    if (second !== station) unexplained.push(station);
    if (time !== undefined && tokens[at + 1] !== time) unexplained.push(time);
    state.station = second;
    state.at = at + 1;
    readTime(tokens[at + 1], state);
  } else if (named || second === station) state.at = second === station ? at + 1 : state.at + 1;
}

/**
 * AUTO, NIL, and the marks of a corrected or late report: COR, CCA to CCZ (Canada), RTD (Mexico); 15.2 and
 * 15.4. They come before the station, after it, after the time or last; before the temperature CCR and COR are CLR with a slip.
 */
export function readQualifier(token: string, state: ParseState): Verdict {
  const { fields } = state;
  if (token === 'AUTO') fields.auto = true;
  else if (token === 'NIL') state.saysNil ||= isHeaderBefore(state);
  else if (token !== 'RTD') {
    const mark = token[0] === 'C' ? /^(?:CORR?|CC([A-Z]))$/.exec(token) : null;
    if (mark === null || (hasGroups(state) && state.temperature === '')) return undefined;
    fields.cor = true;
    if (mark[1] !== undefined) fields.cor_number = mark[1].charCodeAt(0) - 64;
  }
  return 'explained';
}
