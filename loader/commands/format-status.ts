import type { StationYear, YearlyReports } from '../../clickhouse/coverage/station-years.ts';
import type { Source } from '../../clickhouse/model/report.ts';

/** What a line of `status` tells: of one station's year, or of the same year of all. */
export type YearStatus = {
  readonly year: number;
  readonly stations: number;
  readonly daysDue: number;
  readonly daysDone: number;
  /** Stations of which days are missing. */
  readonly stationsOpen: number;
  readonly reports: ReadonlyMap<Source, number>;
};

/** Gaps that are spelled out on the line of a station. */
const GAPS_SHOWN = 3;

/** All stations of a year together. */
export function yearStatus(
  year: number,
  stations: readonly StationYear[],
  reports: readonly YearlyReports[],
): YearStatus {
  const bySource = new Map<Source, number>();
  for (const each of reports) bySource.set(each.source, (bySource.get(each.source) ?? 0) + each.reports);
  const listed = stations.filter(({ listedBy, daysDue }) => listedBy.length > 0 && daysDue > 0);
  const daysDue = listed.reduce((sum, each) => sum + each.daysDue, 0);
  const daysOpen = listed.reduce((sum, each) => sum + each.daysOpen, 0);
  return {
    year,
    stations: listed.length,
    daysDue,
    daysDone: daysDue - daysOpen,
    stationsOpen: listed.filter((each) => each.daysOpen > 0).length,
    reports: bySource,
  };
}

/** One line a year over all stations; years of which there is nothing yet come together, and all of it last. */
export function summaryLines(years: readonly YearStatus[]): readonly string[] {
  const total = {
    due: years.reduce((sum, { daysDue }) => sum + daysDue, 0),
    done: years.reduce((sum, { daysDone }) => sum + daysDone, 0),
    reports: years.reduce((sum, { reports }) => sum + totalOf(reports), 0),
  };
  if (total.due === 0 && total.reports === 0) return ['The archive is empty.'];
  const lines = together(years, (year) => year.daysDone === 0 && totalOf(year.reports) === 0, {
    empty: (days) => `nothing of ${days} station-days`,
    full: (year) => {
      const open = year.daysDue - year.daysDone;
      const missing =
        open === 0 ? '' : `, ${open} missing at ${year.stationsOpen} of ${year.stations} stations`;
      return `${year.daysDone} of ${year.daysDue} station-days done${missing}, ${reportsText(year.reports)}`;
    },
  });
  return [...lines, `all: ${total.done} of ${total.due} station-days done, ${total.reports} reports`];
}

/** One line for each year of a station; `years` in order. */
export function stationLines(
  station: string,
  years: readonly { readonly held: StationYear; readonly status: YearStatus }[],
): readonly string[] {
  const listed = years.some(({ held }) => held.listedBy.length > 0);
  if (!listed && years.every(({ status }) => totalOf(status.reports) === 0))
    return [`${station}: nothing, and no source lists it, so that no day of it counts as done`];
  return together(
    years.map(({ held, status }) => ({ ...status, held })),
    ({ daysDone, reports }) => daysDone === 0 && totalOf(reports) === 0,
    {
      empty: (days) => `nothing of ${days} days`,
      full: ({ daysDone, daysDue, held, reports }) =>
        (held.listedBy.length === 0
          ? 'no source lists it, '
          : `${daysDone} of ${daysDue} days done${gapsText(held)}, `) + reportsText(reports),
    },
  ).map((line) => `${station} ${line}`);
}

/** Neighbouring years that are empty become one line; years in which nothing was due and nothing is held, none. */
function together<T extends YearStatus>(
  years: readonly T[],
  isEmpty: (year: T) => boolean,
  say: { readonly empty: (days: number) => string; readonly full: (year: T) => string },
): readonly string[] {
  const lines: string[] = [];
  let empty: { first: number; last: number; days: number } | undefined;
  const close = () => {
    if (empty === undefined) return;
    const { first, last, days } = empty;
    lines.push(`${first === last ? first : `${first} to ${last}`}: ${say.empty(days)}`);
    empty = undefined;
  };
  for (const year of years) {
    if (isEmpty(year)) {
      if (year.daysDue > 0)
        empty = {
          first: empty?.first ?? year.year,
          last: year.year,
          days: (empty?.days ?? 0) + year.daysDue,
        };
    } else {
      close();
      lines.push(`${year.year}: ${say.full(year)}`);
    }
  }
  close();
  return lines;
}

function gapsText({ open }: StationYear): string {
  if (open.length === 0) return '';
  const shown = open
    .slice(0, GAPS_SHOWN)
    .map(({ firstDay, endDay }) => `${firstDay} to ${endDay}`)
    .join(', ');
  const more = open.length > GAPS_SHOWN ? ` and ${open.length - GAPS_SHOWN} more gaps` : '';
  return `, missing ${shown}${more}`;
}

function reportsText(reports: ReadonlyMap<Source, number>): string {
  const bySource = [...reports].toSorted(([, a], [, b]) => b - a);
  const total = totalOf(reports);
  if (bySource.length === 0) return 'no reports';
  const sources = bySource.map(([source, count]) =>
    [source === 'demo' ? 'demo, synthetic' : source, ...(bySource.length > 1 ? [count] : [])].join(' '),
  );
  return `${total} reports (${sources.join(', ')})`;
}

function totalOf(reports: ReadonlyMap<Source, number>): number {
  return [...reports.values()].reduce((sum, count) => sum + count, 0);
}
