import { createHash } from 'node:crypto';
import { FIRST_DAY } from '../../clickhouse/model/day.ts';
import type { StationState } from '../../clickhouse/snapshot/station-states.ts';
import { type ReportFileContent, reportPath } from './manifest.ts';

/** A file of reports that an export writes, unless the folder has it. */
export type PlannedFile = {
  readonly path: string;
  readonly stations: readonly string[];
  readonly reports: number;
  readonly content: ReportFileContent;
};

/** Some three megabytes. While a file is imported, the engine needs two kilobytes of memory for each of its reports. */
const MAX_REPORTS = 100_000;
/** A statement names the stations of a file. */
const MAX_STATIONS = 1000;

/**
 * The files of a calendar year: neighbouring stations, each with all its reports of the year.
 *
 * @param states in the order of their codes
 * @param columns of the files: with others, each file has another state
 */
export function planFiles(
  year: number,
  states: readonly StationState[],
  columns: string,
): readonly PlannedFile[] {
  const groups: StationState[][] = [];
  let reports = 0;
  for (const state of states) {
    const group = groups.at(-1);
    const isFull =
      group === undefined || reports + state.reports > MAX_REPORTS || group.length === MAX_STATIONS;
    if (isFull) groups.push([state]);
    else group.push(state);
    reports = isFull ? state.reports : reports + state.reports;
  }
  return groups.map((group, at) => ({
    path: reportPath(year, at + 1),
    stations: group.map(({ station }) => station),
    reports: group.reduce((sum, state) => sum + state.reports, 0),
    content: {
      year,
      firstStation: group[0]?.station ?? '',
      lastStation: group.at(-1)?.station ?? '',
      state: hashOf([columns, ...group.map((state) => Object.values(state).join(' '))]),
    },
  }));
}

/** The calendar years of a range, from the first year of the archive on. */
export function yearsOf(range: { readonly firstDay: string; readonly endDay: string }): readonly number[] {
  const first = Math.max(Number(FIRST_DAY.slice(0, 4)), Number(range.firstDay.slice(0, 4)));
  const last = new Date(Date.parse(range.endDay) - 1).getUTCFullYear();
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);
}

function hashOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 32);
}
