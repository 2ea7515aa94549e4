/**
 * Why a row of a source is not a report of the slice, as a few words that users read. Every row that is dropped is
 * counted under its reason. A source has its own reasons in addition to shared ones.
 */
export type SkipReason = string;

export type SkipCounts = Record<SkipReason, number>;

export function skip(counts: SkipCounts, reason: SkipReason): void {
  counts[reason] = (counts[reason] ?? 0) + 1;
}

/** Reasons are in alphabetical order, so that all runs print them alike. */
export function addSkips(total: SkipCounts, counts: SkipCounts): void {
  for (const reason of Object.keys(counts).sort((a, b) => a.localeCompare(b))) {
    const more = counts[reason];
    if (more !== undefined) total[reason] = (total[reason] ?? 0) + more;
  }
}
