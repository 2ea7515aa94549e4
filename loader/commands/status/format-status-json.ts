import { type Freshness, freshnessFields } from './freshness.ts';
import type { StationStatus, YearStatus } from './year-status.ts';

/** Years in which nothing is due and nothing is held are left out. */
export function formatStatusJson(
  years: readonly YearStatus[],
  stations: readonly StationStatus[] | undefined,
  freshness: Freshness,
): string {
  return JSON.stringify({
    ...freshnessFields(freshness),
    years: years.filter(isUsed).map(({ stations: due, stationsOpen, ...year }) => ({
      year: year.year,
      stations: due,
      stationsOpen,
      ...countsOf(year),
    })),
    ...(stations !== undefined && {
      stations: stations.map(({ station: { station, listings }, years: ofStation }) => ({
        station,
        listedBy: listings.map(({ source }) => source),
        years: ofStation.filter(isUsed).map((year) => ({
          year: year.year,
          ...countsOf(year),
          missing: year.open.map(({ firstDay, endDay }) => ({ from: firstDay, to: endDay })),
        })),
      })),
    }),
  });
}

function isUsed({ daysDue, reports }: YearStatus): boolean {
  return daysDue > 0 || reports.size > 0;
}

function countsOf({ daysDue, daysDone, reports }: Pick<YearStatus, 'daysDue' | 'daysDone' | 'reports'>) {
  return { daysDue, daysDone, reports: Object.fromEntries(reports) };
}
