import type { SkipReason } from '../../pipeline/skip-reasons.ts';

/** Kinds of text that ISD strings together in REM: a name, the length in three digits, the text. */
const BLOCK = /(MET|SYN|SOD|SOM|AWY|HPD)(\d{3})/y;
const NEXT_BLOCK = /(?:MET|SYN|SOD|SOM|AWY|HPD)\d{3}/g;

/** Local standard time of the observer's machine; the report has its own time. */
const STAMP = /^\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d /;
const INITIALS = /\s*\([A-Z]{2,3}\)\s*$/;

/** The METAR or SPECI in a REM field: without the stamp before it and the initials behind it, else as it was sent. */
export function extractReport(
  remarks: string,
):
  | { readonly kind: 'report'; readonly text: string }
  | { readonly kind: 'none'; readonly reason: SkipReason } {
  const block = metBlock(remarks);
  if (block === undefined) return { kind: 'none', reason: 'no text kept' };
  if (block.cut) return { kind: 'none', reason: 'cut short' };
  const text = block.text.replace(STAMP, '').replace(INITIALS, '').trim();
  return text === '' ? { kind: 'none', reason: 'no text kept' } : { kind: 'report', text };
}

/**
 * Lengths are mostly right. Where one leads into the middle of something, the text goes on to the next block or to the
 * end of the field; where the field ends before the length does, the report was cut, unless it was ended by its sender.
 */
function metBlock(remarks: string): { readonly text: string; readonly cut: boolean } | undefined {
  for (let at = 0; at < remarks.length; ) {
    BLOCK.lastIndex = at;
    const match = BLOCK.exec(remarks);
    if (match === null) return undefined;
    const start = BLOCK.lastIndex;
    const stated = start + Number(match[2]);
    const end = isBoundary(remarks, stated) ? stated : nextBlock(remarks, start);
    if (match[1] === 'MET') {
      const text = remarks.slice(start, end);
      return { text, cut: stated > remarks.length && !/[=)]\s*$/.test(text) };
    }
    at = end;
  }
  return undefined;
}

function isBoundary(remarks: string, at: number): boolean {
  if (at >= remarks.length) return at === remarks.length;
  BLOCK.lastIndex = at;
  return BLOCK.test(remarks);
}

function nextBlock(remarks: string, from: number): number {
  NEXT_BLOCK.lastIndex = from;
  return NEXT_BLOCK.exec(remarks)?.index ?? remarks.length;
}
