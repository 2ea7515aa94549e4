import { isReportName } from '../header.ts';
import type { ParseState } from '../parse-state.ts';
import { readRemark } from './remark-groups.ts';

/**
 * Everything after RMK (FMH-1, 12.7, with the practice of Canada, Mexico, Japan and the former Soviet Union). Remarks
 * are free text, so a group is read only if the whole token has its form, and an unknown token is not an error (D8).
 */
export function readRemarks(state: ParseState): void {
  const { tokens } = state;
  state.hasAdditiveData = sendsAdditiveData(state.station);
  for (; state.at < tokens.length; state.at++) {
    const token = tokens[state.at] ?? '';
    // A second report in the same line.
    if (isReportName(token) && (tokens[state.at + 1]?.length ?? 0) === 4) return;
    readRemark(token, state);
  }
}

/**
 * Groups that begin with a figure are American (FMH-1) and, except for amounts, Canadian and Mexican; the same figures
 * mean other things elsewhere.
 */
function sendsAdditiveData(station: string): boolean {
  const region = station[0];
  return (
    region === 'K' || region === 'P' || region === 'T' || region === 'C' || region === 'M' || region === 'N'
  );
}
