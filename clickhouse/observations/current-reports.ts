import { readSqlFile } from '../sql-file.ts';

const LIVE_OF_ALL = readSqlFile('current_reports_of_all');
const LIVE_OF_STATIONS = readSqlFile('current_reports_of_stations');

/** Which reports are meant: of these stations, of all where none is named, in `[from, to)`. */
export type ReportSelection = {
  readonly stations: readonly string[];
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly from: number;
  readonly to: number;
};

/** A query that says `FROM $live`, over the reports of a selection as they stand; it takes the selection as parameters. */
export function fromCurrentReports(query: string, { stations }: ReportSelection): string {
  return query.replace('$live', () => `(${stations.length === 0 ? LIVE_OF_ALL : LIVE_OF_STATIONS})`);
}
