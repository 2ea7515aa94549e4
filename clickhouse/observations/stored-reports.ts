import type { Archive, Select } from '../archive.ts';
import { ALL_STATIONS } from '../coverage/station-listings.ts';
import type { Position, Source } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { POINT_READ, streamRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';

/** The current version of a report in the archive. */
export type StoredReport = Position & {
  readonly raw: string;
  readonly source: Source;
  /** See `versionAbove`. */
  readonly version: number;
};

export type StationWindow = TimeWindow & {
  /** ICAO code, or `*` for every station. */
  readonly station: string;
};

type Row = Omit<StoredReport, 'observedAt'> & { readonly seconds: number; readonly retracted: boolean };

const STORED_REPORTS = readStatement('observations/stored_reports');

/** A statement with `WHERE $ofStation`, over the station of a window or over all of them. */
export function ofStationWindow(template: string, window: StationWindow): Select {
  const ofStation = window.station === ALL_STATIONS ? 'true' : 'station = {station:String}';
  return { query: fillSql(template, { ofStation }), params: window, settings: POINT_READ };
}

/** Every current report of a window, in no order. */
export async function readStoredReports(
  archive: Archive,
  window: StationWindow,
): Promise<readonly StoredReport[]> {
  const newest = new Map<string, Row>();
  for await (const rows of streamRows<Row>(archive, ofStationWindow(STORED_REPORTS, window)))
    for (const row of rows) {
      const key = `${row.station} ${row.seconds} ${row.type} ${row.fingerprint}`;
      const known = newest.get(key);
      if (known === undefined || known.version < row.version) newest.set(key, row);
    }
  return [...newest.values()].flatMap(({ retracted, seconds, ...report }) =>
    retracted ? [] : [{ ...report, observedAt: seconds }],
  );
}
