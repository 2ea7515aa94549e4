import type { Holding } from '../clickhouse/holdings.ts';

/** What the archive holds, one line a station, year and source. */
export function statusLines(holdings: readonly Holding[]): readonly string[] {
  if (holdings.length === 0) return ['The archive is empty.'];
  return holdings.map(({ station, source, year, daysDone, hoursSeen }) => {
    const name = station === '*' ? 'all ' : station;
    const made = source === 'demo' ? ' (synthetic)' : '';
    return `${name} ${year} ${source}${made}: ${daysDone} of ${daysOf(year)} days done, reports in ${hoursSeen} hours`;
  });
}

function daysOf(year: number): number {
  return (Date.UTC(year + 1, 0) - Date.UTC(year, 0)) / 86_400_000;
}
