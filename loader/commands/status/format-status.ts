import type { StationDays } from '../../../clickhouse/coverage/station-days.ts';
import { plural } from '../../wording.ts';
import type { ReportCounts, YearStatus } from './year-status.ts';

/** Maximum number of open ranges named in a year's line. */
const MAX_RANGES = 3;

/** One line per year over all stations, and a last line over all years. Consecutive empty years share a line. */
export function summaryLines(years: readonly YearStatus[]): readonly string[] {
  const total = {
    due: years.reduce((sum, { daysDue }) => sum + daysDue, 0),
    done: years.reduce((sum, { daysDone }) => sum + daysDone, 0),
    reports: years.reduce((sum, { reports }) => sum + totalOf(reports), 0),
  };
  if (total.due === 0 && total.reports === 0) return ['The archive is empty.'];
  const lines = yearLines(years, {
    empty: (days) => `0 of ${days} station-days done`,
    full: (year) => {
      const open = year.daysDue - year.daysDone;
      const missing =
        open === 0 ? '' : `, ${open} missing at ${year.stationsOpen} of ${plural(year.stations, 'station')}`;
      return `${year.daysDone} of ${year.daysDue} station-days done${missing}, ${reportsText(year.reports)}`;
    },
  });
  return [
    ...lines,
    `all: ${total.done} of ${total.due} station-days done, ${plural(total.reports, 'report')}`,
  ];
}

/** One line for each year of a station; `years` in order. */
export function stationLines(
  { station, listings }: Pick<StationDays, 'station' | 'listings'>,
  years: readonly YearStatus[],
): readonly string[] {
  const isListed = listings.length > 0;
  if (!isListed && years.every(({ reports }) => totalOf(reports) === 0))
    return [`${station}: no reports; no source lists this station, so no day of it counts as done`];
  return yearLines(years, {
    empty: (days) => `0 of ${days} days done`,
    full: (year) => {
      const done = isListed
        ? `${year.daysDone} of ${year.daysDue} days done${missingText(year)}`
        : 'no source lists this station';
      return `${done}, ${reportsText(year.reports)}`;
    },
  }).map((line) => `${station} ${line}`);
}

/** Consecutive years without done days or reports share a line. Years without due days or reports have no line. */
function yearLines(
  years: readonly YearStatus[],
  text: {
    readonly empty: (days: number) => string;
    readonly full: (year: YearStatus) => string;
  },
): readonly string[] {
  const lines: string[] = [];
  let empty: { first: number; last: number; days: number } | undefined;
  const endEmpty = () => {
    if (empty === undefined) return;
    const { first, last, days } = empty;
    lines.push(`${first === last ? first : `${first} to ${last}`}: ${text.empty(days)}`);
    empty = undefined;
  };
  for (const year of years) {
    if (year.daysDone > 0 || totalOf(year.reports) > 0) {
      endEmpty();
      lines.push(`${year.year}: ${text.full(year)}`);
    } else if (year.daysDue > 0)
      empty = {
        first: empty?.first ?? year.year,
        last: year.year,
        days: (empty?.days ?? 0) + year.daysDue,
      };
  }
  endEmpty();
  return lines;
}

function missingText({ open }: YearStatus): string {
  if (open.length === 0) return '';
  const named = open
    .slice(0, MAX_RANGES)
    .map(({ firstDay, endDay }) => `${firstDay} to ${endDay}`)
    .join(', ');
  const more = open.length > MAX_RANGES ? ` and ${open.length - MAX_RANGES} more ranges` : '';
  return `, missing ${named}${more}`;
}

function reportsText(reports: ReportCounts): string {
  const bySource = [...reports].toSorted(([, a], [, b]) => b - a);
  if (bySource.length === 0) return 'no reports';
  const sources = bySource.map(([source, count]) => {
    const name = source === 'demo' ? 'demo, synthetic' : source;
    return bySource.length > 1 ? `${name} ${count}` : name;
  });
  return `${plural(totalOf(reports), 'report')} (${sources.join(', ')})`;
}

function totalOf(reports: ReportCounts): number {
  return [...reports.values()].reduce((sum, count) => sum + count, 0);
}
