import type { SkippedRow, SourceRow } from './format.ts';
import { MAX_TEXT_LENGTH } from './source.ts';

const WIND_GROUP = String.raw`(?:(?:AUTO|COR|CC[A-Z])\s+)*(?:\d{3}|VRB|/{3})(?:\d{2,3}|//)(?:G\d{2,3})?(?:KT|MPS|KMH)\b`;

/**
 * Where another report begins: `METAR EGLL 012050Z`, `METAR 012050Z`, `METAR EGLL NIL`, `EGLL 012050Z`, and after `=` also
 * `012050Z 24010KT` and `24010KT`; or a forecast: `TAF EGLL 012050Z`. `NEXT 271200Z` (Canada) names a time, not a report.
 */
const REPORT_START = new RegExp(
  [
    String.raw`(?<=[\s=\d/])(?:METAR|SPECI)\s+(?:(?:COR|CC[A-Z])\s+)?(?:[A-Z][A-Z0-9]{3}\s+(?:\d{6}Z?|NIL)|\d{6}Z)(?![^\s=])`,
    String.raw`(?<=[\s=])(?:TAF\s+(?:(?:AMD|COR)\s+)?)?(?!NEXT|LAST|FROM|TILL|TIME)[A-Z][A-Z0-9]{3}\s+\d{6}(?:Z(?![^\s=])|(?=\s+${WIND_GROUP}))`,
    String.raw`(?<==\s*)(?:\d{6}Z\s+)?${WIND_GROUP}`,
  ].join('|'),
  'g',
);

/** The header of a collective or of another report can precede the true one: `ATAR 032100Z METAR FCBB 032100Z …`. */
const HEADERS_ALONE =
  /^(?:(?:METAR|SPECI|TAF|AMD|COR|AUTO|(?:CC|RR|AA)[A-Z]|[A-Z][A-Z0-9]{3}|\d{6}Z?)(?:[\s=]+|$))*$/;

/** Remarks can name the time of another station, but not its wind. */
const REMARKS = /\sRMK\s/;
const HAS_WIND = new RegExp(String.raw`^(?:\S+\s+){0,2}${WIND_GROUP}`);

const STATION_OF_PART = /^(?:(?:METAR|SPECI|COR|CC[A-Z])\s+)*(?!AUTO)([A-Z][A-Z0-9]{3})\s/;

/**
 * The reports in a text. A collective that has lost the end of a line holds two (D87). The second has its own station or time; if
 * it has nothing else, it was cut off. A text without both is skipped later.
 */
export function reportsIn(row: SourceRow): readonly (SourceRow | SkippedRow)[] {
  const { text, filedAt } = row;
  // Nearly every text has one time, one keyword and one wind.
  const mayHoldTwo =
    text.indexOf('Z', 'METAR CYYZ 011251Z'.length) > 0 ||
    text.indexOf('METAR ', 1) > 0 ||
    text.indexOf('SPECI ', 1) > 0 ||
    text.indexOf('KT ', text.indexOf('KT ') + 1) > 0;
  if (!mayHoldTwo || text.length > MAX_TEXT_LENGTH) return [row];
  const starts = [0];
  for (const { index, 0: start } of text.matchAll(REPORT_START)) {
    const before = text.slice(starts.at(-1), index);
    const isCertain =
      /^(?:METAR|SPECI|TAF)/.test(start) || !REMARKS.test(before) || HAS_WIND.test(text.slice(index));
    if (isCertain && !HEADERS_ALONE.test(before)) starts.push(index);
  }
  if (starts.length === 1) return [row];
  const { place: _, ...others } = row;
  return starts.map((start, at) => {
    const part = text.slice(start, starts[at + 1]);
    if (at === 0) return { ...row, text: part };
    const station = STATION_OF_PART.exec(part)?.[1] ?? row.station;
    return HEADERS_ALONE.test(part)
      ? { station, filedAt, reason: 'second report of a text, cut off' }
      : { ...others, station, text: part };
  });
}
