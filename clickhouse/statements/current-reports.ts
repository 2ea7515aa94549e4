import type { Select } from '../archive.ts';
import type { StationRange } from '../model/time-window.ts';
import { fillSql, withinSql } from './sql.ts';

/** The tables of reports, in the order in which they are written: a row of the last one is in all of them. */
export const REPORT_TABLES = ['observations', 'station_observations'] as const;

/** The reports of these stations, or of all if none is named, in `[from, to)`. */
export type ReportSelection = StationRange;

/**
 * Fills `FROM $currentReports`, which includes its clause WHERE: the current version of each selected report that is not
 * retracted, in the order of stations where it names some or they are written again, else in that of times. Names of columns
 * are qualified, because a column of the statement may have the name of one of the table.
 *
 * @param isToBeWritten these reports are written again: the table that is written last shows what a killed program has left
 */
export function fromCurrentReports(
  template: string,
  selection: ReportSelection,
  params: Readonly<Record<string, unknown>> = {},
  isToBeWritten = false,
): Select {
  const ofStations = selection.stations.length > 0;
  const table = ofStations || isToBeWritten ? 'station_observations' : 'observations';
  const stations = ofStations ? 'report.station IN {stations:Array(String)} AND ' : '';
  const currentReports = `${table} AS report FINAL
    WHERE ${stations}${withinSql('report.observedAt')}
    AND NOT report.retracted`;
  return { query: fillSql(template, { currentReports }), params: { ...params, ...selection }, ofStations };
}
