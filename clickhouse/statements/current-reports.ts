import type { Select } from '../archive.ts';
import { highestVersions, IN_WINDOW } from './highest-versions.ts';
import { fillSql, readStatement } from './sql.ts';

const OF_ALL_STATIONS = readStatement('observations/current_reports_of_all');
/** What `OF_ALL_STATIONS` also has of each report. */
const COLUMNS = ['version', 'source', 'raw', 'decoder', 'nil'];
const OF_STATIONS = `SELECT * FROM (${highestVersions({
  order: 'byStation',
  selected: `station IN {stations:Array(String)} AND ${IN_WINDOW}`,
  columns: COLUMNS,
})}) WHERE NOT retracted`;

/** The reports of these stations, or of all if none is named, in `[from, to)`. */
export type ReportSelection = {
  readonly stations: readonly string[];
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
};

/** A statement with `FROM $currentReports`, over the current version of each selected report that is not retracted. */
export function fromCurrentReports(
  template: string,
  selection: ReportSelection,
  params: Readonly<Record<string, unknown>> = {},
): Select {
  const ofStations = selection.stations.length > 0;
  const currentReports = `(${ofStations ? OF_STATIONS : OF_ALL_STATIONS})`;
  return { query: fillSql(template, { currentReports }), params: { ...params, ...selection }, ofStations };
}
