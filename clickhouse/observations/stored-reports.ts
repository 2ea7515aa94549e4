import type { Archive, Select } from '../archive.ts';
import { ALL_STATIONS } from '../coverage/station-listings.ts';
import { SECONDS_PER_HOUR } from '../model/day.ts';
import type { Counts, Position, Source } from '../model/report.ts';
import { type TimeWindow, toNominalHours } from '../model/time-window.ts';
import { POINT_READ, planSettings, streamRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';

/** The current version of a report in the archive. */
export type StoredReport = Position & {
  readonly raw: string;
  readonly source: Source;
  /** See `versionAbove`. */
  readonly version: number;
  readonly counts: Counts;
};

export type StationWindow = TimeWindow & {
  /** ICAO code, or `*` for every station. */
  readonly station: string;
};

type StoredRow = Omit<StoredReport, 'observedAt'> & { readonly seconds: number };

const STORED_REPORTS = readStatement('observations/stored_reports');

/** A window of all stations that is longer is read station by station. */
const MAX_HOURS_OF_ALL = 30;

/**
 * A statement with `FROM $reports` and `WHERE $ofStation`, over the nominal hours of a window of one station, or of all of
 * them. In the order of stations, a few hours of every station would touch a granule of each; of longer windows, that order
 * needs no memory for all stations at once.
 */
export function ofStationWindow(
  template: string,
  { station, ...window }: StationWindow,
  further: Readonly<Record<string, string>> = {},
): Select {
  const isOfAll = station === ALL_STATIONS;
  const isShort = window.to - window.from <= MAX_HOURS_OF_ALL * SECONDS_PER_HOUR;
  const clauses = {
    reports: isOfAll && isShort ? 'observations' : 'station_observations',
    ofStation: isOfAll ? 'true' : 'station = {station:String}',
    ...further,
  };
  return {
    query: fillSql(template, clauses),
    params: { station, ...toNominalHours(window) },
    settings: { ...POINT_READ, ...planSettings({}), ...(isOfAll && { optimize_aggregation_in_order: 1 }) },
  };
}

/** Every current report of the nominal hours of a window, in no order. */
export async function readStoredReports(archive: Archive, window: StationWindow) {
  const reports: StoredReport[] = [];
  for await (const rows of streamRows<StoredRow>(archive, ofStationWindow(STORED_REPORTS, window)))
    for (const { seconds, ...row } of rows) reports.push({ ...row, observedAt: seconds });
  return reports;
}
