import { fingerprint } from '../../../clickhouse/model/fingerprint.ts';
import type { Report, ReportType } from '../../../clickhouse/model/report.ts';
import { decodeAll } from '../../decode.ts';
import { addSkips, type SkipCounts, skip } from '../../sources/skip-reasons.ts';
import type { ParsedBody } from '../../sources/source.ts';
import { dayTimeOf, observationTime } from './observation-time.ts';
import { keywordOf } from './report-type.ts';

/** A report of a source with its identity (D3), before its type is decided. */
export type NormalizedReport = Pick<Report, 'station' | 'observedAt' | 'fingerprint' | 'raw'> & {
  /** `undefined` if the source sends none. */
  readonly sentType: ReportType | undefined;
  /** The report says that there is no observation (D8). */
  readonly nil: boolean;
};

export type NormalizedReports = {
  readonly reports: readonly NormalizedReport[];
  readonly skipped: SkipCounts;
  readonly incompleteDays?: ParsedBody['incompleteDays'];
};

/** In characters; longer text is garbage that the archive would serve on every page with its hour. */
const MAX_LENGTH = 4000;

/** Turns rows of a source into reports; counts rows that are not reports, by reason. */
export function normalize(body: ParsedBody): NormalizedReports {
  const skipped: SkipCounts = {};
  addSkips(skipped, body.skipped);
  const reports: NormalizedReport[] = [];
  for (const { station, filedAt, text, type } of body.rows) {
    if (text.length > MAX_LENGTH) {
      skip(skipped, 'longer than any report');
      continue;
    }
    const raw = oneLine(text);
    const dayTime = dayTimeOf(raw);
    const nil = isNil(raw);
    const observedAt = observationTime(dayTime, filedAt);
    if (isEmpty(raw)) skip(skipped, 'empty text');
    else if (nil && dayTime === undefined) skip(skipped, 'NIL without time');
    else if (!isWithin(observedAt, body.observedWithin)) skip(skipped, 'outside the window');
    else
      reports.push({
        station,
        observedAt,
        fingerprint: fingerprint(raw),
        raw,
        sentType: keywordOf(raw) ?? type,
        nil,
      });
  }
  const { incompleteDays } = body;
  return { reports, skipped, ...(incompleteDays === undefined ? {} : { incompleteDays }) };
}

function isWithin(observedAt: number, window: ParsedBody['observedWithin']): boolean {
  return window === undefined || (observedAt >= window.from && observedAt < window.to);
}

/** Matches what is not yet one line of printable ASCII with single blanks and no `=` at the end. */
const NOT_ONE_LINE = /[^ -~]| {2}|^ | $|=$/;

/** D5: one line, control characters removed, white space collapsed, trailing `=` removed, nothing else changed. */
export function oneLine(text: string): string {
  if (!NOT_ONE_LINE.test(text)) return text;
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}+/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  let end = line.length;
  while (end > 0 && (line[end - 1] === '=' || line[end - 1] === ' ')) end -= 1;
  return line.slice(0, end);
}

/** The word, even spaced out or in lowercase: a report without it is not NIL and need not be decoded. */
const NIL = /n ?i ?l/i;

/** The decoder decides, because the coverage view counts inserted reports by the decoder's `nil`. */
export function isNil(raw: string): boolean {
  return NIL.test(raw) && decodeAll(raw).fields.nil === true;
}

/** Keywords alone, with or without a station. */
function isEmpty(raw: string): boolean {
  return /^(?:(?:METAR|SPECI|COR)(?: |$))*(?:[A-Z][A-Z0-9]{3})?$/.test(raw);
}
