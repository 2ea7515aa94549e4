/** Why a row of a source is not a report of the slice. Every row that is dropped is counted under one of these. */
export const SKIP_REASONS = [
  'another kind of report',
  'cut short',
  'duplicate report',
  'empty text',
  'NIL without time',
  'no text kept',
  'not an ICAO code',
  'longer than any report',
  'outside the window',
  'rebuilt from fields (IEM_DS3505)',
  'rebuilt from fields (IEM_GHCNH)',
  'synthetic 5-minute data (MADISHF)',
  'unreadable row',
  'wrong station',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export type SkipCounts = Partial<Record<SkipReason, number>>;

export function skip(counts: SkipCounts, reason: SkipReason): void {
  counts[reason] = (counts[reason] ?? 0) + 1;
}

export function addSkips(total: SkipCounts, counts: SkipCounts): void {
  for (const reason of SKIP_REASONS) {
    const more = counts[reason];
    if (more !== undefined) total[reason] = (total[reason] ?? 0) + more;
  }
}
