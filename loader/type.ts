import type { ReportType, Source } from '../clickhouse/report.ts';

const MINUTES = 60;
/** A minute is routine when it holds at least this share of the reports of the most frequent minute. */
const ROUTINE_SHARE = 10;

/** Sources whose own format says METAR or SPECI beside the text, so that a type of theirs is never a guess. */
const TYPED_SOURCES: readonly Source[] = ['ncei', 'madis', 'awc'];

/** How many reports a station made at each minute of the hour. */
export type MinuteHistogram = Uint32Array;

export function emptyHistogram(): MinuteHistogram {
  return new Uint32Array(MINUTES);
}

/** The type that the text itself begins with. */
export function keywordOf(raw: string): ReportType | undefined {
  if (raw.startsWith('METAR ')) return 'METAR';
  return raw.startsWith('SPECI ') ? 'SPECI' : undefined;
}

/** The type of an archived report where its source sent it; `undefined` where it was inferred. */
export function sentTypeOf(archived: {
  raw: string;
  source: Source;
  type: ReportType;
}): ReportType | undefined {
  return keywordOf(archived.raw) ?? (TYPED_SOURCES.includes(archived.source) ? archived.type : undefined);
}

/**
 * The minutes at which a station files its METAR. It keeps to them all year, so a report without keyword at any
 * other minute is a SPECI: right for 99.3 to 99.9 % of reports whose keyword was hidden.
 *
 * @param histogram of the station's calendar year
 */
export function routineMinutes(histogram: MinuteHistogram): ReadonlySet<number> {
  const least = Math.max(...histogram) / ROUTINE_SHARE;
  return new Set(Array.from(histogram.keys()).filter((minute) => (histogram[minute] ?? 0) >= least));
}

export function minuteOf(observedAt: number): number {
  return Math.floor(observedAt / 60) % MINUTES;
}
