import type { Archive } from '../../archive.ts';
import type { Day } from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import { fromCurrentReports, type ReportSelection } from '../../observations/current-reports.ts';
import { selectRows } from '../../statements/select.ts';
import { readSqlFile } from '../../statements/sql-file.ts';

/** A slice that is done by the ledger, although the archive does not hold what the source sent. */
export type IncompleteSlice = {
  readonly source: Source;
  /** ICAO code, or `*` for every station. */
  readonly station: string;
  readonly firstDay: Day;
  readonly endDay: Day;
  /** Reports that the source sent, by the newest row of the ledger. */
  readonly sent: number;
  /** Reports that the archive holds now. */
  readonly stored: number;
};

const INCOMPLETE_SLICES = readSqlFile('coverage/incomplete_slices');

/** @param selection one calendar year: slices end at New Year */
export async function readIncompleteSlices(
  client: Archive,
  selection: ReportSelection,
  signal: AbortSignal,
): Promise<readonly IncompleteSlice[]> {
  return selectRows<IncompleteSlice>(client, fromCurrentReports(INCOMPLETE_SLICES, selection), signal);
}
