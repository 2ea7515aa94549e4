import type { Decoded } from '../clickhouse/report.ts';
import { readGroup } from './decode/body.ts';
import type { Draft } from './decode/draft.ts';
import { newDraft } from './decode/draft.ts';
import { flightCategory } from './decode/flight-category.ts';
import { isReportName, isStation, readHeader } from './decode/header.ts';
import { readRemarks } from './decode/remarks/remarks.ts';
import { repair } from './decode/repair.ts';
import { tokensOf } from './decode/tokens.ts';
import { beginsTrend } from './decode/trend.ts';

/** Raise it with every change of what `decode` returns: records written by an older one can be decoded again. */
export const DECODER_VERSION = 1;

/**
 * Reads one METAR or SPECI. `unexplained` lists what no rule accounts for or what contradicts an earlier group
 * of the body, and `<no station>` or `<no time>` where they are missing; empty means parsed cleanly (D8).
 * Total and pure: any text is taken, in time proportional to its length.
 */
export function decode(raw: string): { readonly fields: Decoded; readonly unexplained: readonly string[] } {
  const draft = newDraft(tokensOf(raw));
  const unexplained: string[] = [];
  readHeader(draft, unexplained);
  readBody(draft, unexplained);
  const category = flightCategory(draft.fields);
  if (category !== undefined) draft.fields.fltcat = category;
  return { fields: draft.fields, unexplained };
}

function readBody(draft: Draft, unexplained: string[]): void {
  const { tokens } = draft;
  for (; draft.at < tokens.length; draft.at++) {
    const token = tokens[draft.at] ?? '';
    const verdict = readGroup(token, draft);
    if (verdict === 'explained') continue;
    if (endsBody(draft)) {
      readTail(draft);
      return;
    }
    if (verdict === undefined && readRepaired(draft)) continue;
    unexplained.push(token);
  }
}

/** Whether the token in hand begins the remarks, a forecast or another report. */
const endsBody = ({ tokens, at }: Draft): boolean => {
  const token = tokens[at] ?? '';
  return beginsRemarks(token) || beginsTrend(token) || (isReportName(token) && isStation(tokens[at + 1]));
};

const beginsRemarks = (token: string): boolean => token === 'RMK' || token === 'RMKS';

/** The forecast is kept as sent; remarks may still follow it. */
function readTail(draft: Draft): void {
  const { tokens } = draft;
  const start = draft.at;
  while (draft.at < tokens.length) {
    const token = tokens[draft.at] ?? '';
    if (beginsRemarks(token) || isReportName(token)) break;
    draft.at += 1;
  }
  if (draft.at > start) draft.fields.trend = tokens.slice(start, draft.at).join(' ');
  if (!beginsRemarks(tokens[draft.at] ?? '')) return;
  draft.at += 1;
  readRemarks(draft);
}

function readRepaired(draft: Draft): boolean {
  const { tokens, at } = draft;
  const repaired = repair(tokens, at);
  if (repaired === undefined) return false;
  if (repaired.text === 'NOSIG') tokens[at] = repaired.text;
  if (readGroup(repaired.text, draft) !== 'explained' && repaired.text !== 'NOSIG') return false;
  draft.at += repaired.taken - 1;
  if (repaired.rest !== undefined) {
    tokens[draft.at] = repaired.rest;
    draft.at -= 1;
  }
  if (repaired.text === 'NOSIG') draft.at -= 1;
  return true;
}
