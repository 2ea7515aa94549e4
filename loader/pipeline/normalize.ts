import { fingerprint } from '../../clickhouse/model/fingerprint.ts';
import type { Report, ReportType } from '../../clickhouse/model/report.ts';
import { decodeAll } from '../decode.ts';
import type { ParsedBody } from '../sources/source.ts';
import { observedAt, ownDayTime } from './observation-time.ts';
import { keywordOf } from './report-type.ts';
import { addSkips, type SkipCounts, skip } from './skip-reasons.ts';

/** A report as a source sent it, known by its identity (D3), its type not yet settled. */
export type NormalizedReport = Pick<Report, 'station' | 'observedAt' | 'fingerprint' | 'raw'> & {
  /** `undefined` where the source leaves it to be inferred. */
  readonly sentType: ReportType | undefined;
  /** It says that there is no report (D8). */
  readonly nil: boolean;
};

export type NormalizedReports = {
  readonly fetched: readonly NormalizedReport[];
  readonly skipped: SkipCounts;
};

/** Splits what a source sent into reports with an identity and rows that are none. */
export function normalize(reading: ParsedBody): NormalizedReports {
  const skipped: SkipCounts = {};
  addSkips(skipped, reading.skipped);
  const fetched: NormalizedReport[] = [];
  for (const { station, filedAt, text, type } of reading.rows) {
    const raw = oneLine(text);
    const own = ownDayTime(raw);
    const nil = isNil(raw);
    const observed = observedAt(own, filedAt);
    if (isEmpty(raw)) skip(skipped, 'empty text');
    else if (nil && own === undefined) skip(skipped, 'NIL without time');
    else if (!isWithin(observed, reading.observedWithin)) skip(skipped, 'outside the window');
    else
      fetched.push({
        station,
        observedAt: observed,
        fingerprint: fingerprint(raw),
        raw,
        sentType: keywordOf(raw) ?? type,
        nil,
      });
  }
  return { fetched, skipped };
}

function isWithin(observed: number, window: ParsedBody['observedWithin']): boolean {
  return window === undefined || (observed >= window.from && observed < window.to);
}

/** What is not yet one line of single blanks without an equals sign at its end. */
const UNTIDY = /[^ -~]| {2}|^ | $|=$/;

/** D5: one line, control characters removed, white space collapsed, trailing `=` removed, nothing else touched. */
export function oneLine(text: string): string {
  if (!UNTIDY.test(text)) return text;
  const line = text
    .replace(/\s+/g, ' ')
    .replace(/\p{Cc}+/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim();
  let end = line.length;
  while (end > 0 && (line[end - 1] === '=' || line[end - 1] === ' ')) end -= 1;
  return line.slice(0, end);
}

/** What the decoder makes of it, and so the coverage view of what has been inserted. */
export function isNil(raw: string): boolean {
  return raw.includes('NIL') && decodeAll(raw).fields.nil === true;
}

/** Nothing behind the keyword, or the station alone. */
function isEmpty(raw: string): boolean {
  return /^(?:(?:METAR|SPECI|COR)(?: |$))*(?:[A-Z][A-Z0-9]{3})?$/.test(raw);
}
