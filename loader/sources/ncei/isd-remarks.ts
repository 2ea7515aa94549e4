import { CUT_SHORT } from '../parse-rows.ts';

/**
 * REM holds blocks: a name, the length of the text in three digits, the text. MET is a METAR or SPECI; the others are
 * SYNOP, daily and monthly summaries, and remarks (ISD format document, "Remarks Data Section").
 */
const BLOCK = /(MET|SYN|SOD|SOM|AWY|HPD)(\d{3})/y;
const NEXT_BLOCK = /(?:MET|SYN|SOD|SOM|AWY|HPD)\d{3}/g;

/**
 * The "Element Quality Data Section" follows REM: the letters EQD, then elements of mostly 16 characters that hold the
 * original value of a corrected element, such as `D07+000000ADE726` or `D100ADE726`. It is not part of the report.
 */
const EQD_SECTION = /EQD[CDNPQR]\d\d.*$/s;
const EQD_ELEMENT_LENGTH = 16;

/** Local standard time of the observer's computer; not the observation time. */
const STAMP = /^\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d /;
const OBSERVER_INITIALS = /\s*\([A-Z]{2,3}\)\s*$/;

type ExtractedReport =
  | { readonly kind: 'report'; readonly text: string }
  | { readonly kind: 'none'; readonly reason: 'no text kept' | typeof CUT_SHORT };

/**
 * Returns the METAR or SPECI of a row, without stamp and initials, else as it was sent.
 *
 * @param qualityData the column EQD
 */
export function extractReport(remarks: string, qualityData: string): ExtractedReport {
  const block = findMetBlock(remarks);
  if (block === undefined) return { kind: 'none', reason: 'no text kept' };
  if (isCutShort(block, qualityData)) return { kind: 'none', reason: CUT_SHORT };
  const text = block.text.replace(EQD_SECTION, '').replace(STAMP, '').replace(OBSERVER_INITIALS, '').trim();
  return text === '' ? { kind: 'none', reason: 'no text kept' } : { kind: 'report', text };
}

type MetBlock = {
  readonly text: string;
  /** Characters that the stated length exceeds the field by. */
  readonly missing: number;
};

/**
 * A text that ends before its stated length is cut short, with two exceptions. Its last character can show that it is
 * complete: `=` ends a report, `)` ends the initials. And the stated length of most US texts includes the EQD section
 * that follows, or the first of two (KAUS 2014: 563 of 719 rows with EQD).
 */
function isCutShort({ text, missing }: MetBlock, qualityData: string): boolean {
  if (missing === 0 || /[=)]\s*$/.test(text)) return false;
  const elements = missing - 'EQD'.length;
  const isSection = elements > 0 && elements <= qualityData.length;
  return !isSection || (elements !== qualityData.length && elements % EQD_ELEMENT_LENGTH !== 0);
}

/**
 * Where a stated length does not end at a block or at the end of the field, the text goes on to the next block or the
 * end.
 */
function findMetBlock(remarks: string): MetBlock | undefined {
  for (let at = 0; at < remarks.length; ) {
    BLOCK.lastIndex = at;
    const match = BLOCK.exec(remarks);
    if (match === null) return undefined;
    const start = BLOCK.lastIndex;
    const statedEnd = start + Number(match[2]);
    const end = isBlockEnd(remarks, statedEnd) ? statedEnd : nextBlock(remarks, start);
    if (match[1] === 'MET')
      return { text: remarks.slice(start, end), missing: Math.max(0, statedEnd - remarks.length) };
    at = end;
  }
  return undefined;
}

function isBlockEnd(remarks: string, at: number): boolean {
  if (at >= remarks.length) return at === remarks.length;
  BLOCK.lastIndex = at;
  return BLOCK.test(remarks);
}

function nextBlock(remarks: string, from: number): number {
  NEXT_BLOCK.lastIndex = from;
  return NEXT_BLOCK.exec(remarks)?.index ?? remarks.length;
}
