import { beginsForecast } from './colour.ts';
import { readGroup } from './groups.ts';
import { isReportName, isStation, isTime } from './header.ts';
import type { Draft } from './parse-state.ts';
import { readPlainLanguage } from './plain-language.ts';
import { readRemarks } from './remarks/remarks.ts';
import { repair } from './repair.ts';
import { beginsTrend } from './trend.ts';

/**
 * Reads the groups behind the header up to the end of the report, and lists every token that no rule explains
 * or that contradicts an earlier one. Remarks, a forecast, or a second report in the same line end the body.
 */
export function readBody(draft: Draft, unexplained: string[]): void {
  const { tokens } = draft;
  for (; draft.at < tokens.length; draft.at++) {
    const token = tokens[draft.at] ?? '';
    // Asked first, for this is how most American reports go on.
    if (beginsRemarks(token)) {
      enterRemarks(token, draft);
      return;
    }
    if (draft.colour && beginsForecast(token, draft)) {
      readTrend(draft);
      return;
    }
    const verdict = readGroup(token, draft);
    if (verdict === 'explained') continue;
    if (verdict === undefined) {
      if (beginsTrend(token)) {
        readTrend(draft);
        return;
      }
      if (beginsReport(draft)) return;
      if (readPlainLanguage(token, draft) === 'explained' || readRepaired(draft)) continue;
    }
    unexplained.push(token);
  }
}

/** A second report in the line: its name and its station, or without a name its station and its time. */
function beginsReport({ tokens, at, temperature }: Draft): boolean {
  const token = tokens[at] ?? '';
  const next = tokens[at + 1];
  if (isReportName(token)) return next === undefined || isStation(next);
  return temperature !== '' && isStation(token) && isTime(next);
}

/** RMK, also as RMKS, REMARKS, and with the remark's first word glued on: RMK/TCU, RMKAO2. */
const beginsRemarks = (token: string): boolean =>
  token[0] === 'R' &&
  ((token[1] === 'M' && token[2] === 'K') ||
    (token[1] === 'E' && (token === 'REMARK' || token === 'REMARKS')));

function enterRemarks(token: string, draft: Draft): void {
  const glued = token.length > 4 && token.startsWith('RMK') ? token.slice(3).replace(/^S?[/:.]/, '') : '';
  if (glued === '') draft.at += 1;
  else draft.tokens[draft.at] = glued;
  readRemarks(draft);
}

/** The forecast is kept as sent; remarks may still follow it. */
function readTrend(draft: Draft): void {
  const { tokens } = draft;
  const start = draft.at;
  while (draft.at < tokens.length) {
    const token = tokens[draft.at] ?? '';
    if (beginsRemarks(token) || (isReportName(token) && isStation(tokens[draft.at + 1]))) break;
    draft.at += 1;
  }
  draft.fields.trend = tokens.slice(start, draft.at).join(' ');
  const token = tokens[draft.at] ?? '';
  if (beginsRemarks(token)) enterRemarks(token, draft);
}

/** True where a repair has explained the token in hand; whatever is left of it is put back to be read next. */
function readRepaired(draft: Draft): boolean {
  const repaired = repair(draft);
  if (repaired === undefined) return false;
  const { tokens, at } = draft;
  const { text, rest } = repaired;
  const last = at + repaired.taken - 1;
  // What ends the body is put back as well, so that it is met as if it had been sent so.
  const ends = beginsTrend(text) || beginsRemarks(text);
  if (!ends && readGroup(text, draft) !== 'explained') return false;
  draft.at = last;
  if (ends) tokens.splice(last, 1, ...(rest === undefined ? [text] : [text, rest]));
  else if (rest !== undefined) tokens[last] = rest;
  if (ends || rest !== undefined) draft.at -= 1;
  return true;
}
