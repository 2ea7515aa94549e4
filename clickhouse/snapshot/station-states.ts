import type { Archive } from '../archive.ts';
import { fromCurrentReports, type ReportSelection } from '../statements/current-reports.ts';
import { selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';

/** What the archive holds of a station in a window. */
export type StationState = {
  readonly station: string;
  /** Current reports. */
  readonly reports: number;
  /** Changes when a report is added or replaced. */
  readonly checksum: string;
};

const STATES = readStatement('snapshot_export/station_states');

/** The stations that have reports, in the order of their codes. */
export async function readStationStates(
  client: Archive,
  selection: ReportSelection,
  signal: AbortSignal,
): Promise<readonly StationState[]> {
  return selectRows<StationState>(client, fromCurrentReports(STATES, selection), signal);
}
