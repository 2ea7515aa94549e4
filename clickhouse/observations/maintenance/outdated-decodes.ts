import type { Archive } from '../../archive.ts';
import type { Position, Source } from '../../model/report.ts';
import { fromCurrentReports, type ReportSelection } from '../../statements/current-reports.ts';
import { selectRows, streamRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';

/** A current report that was decoded by an older version of the decoder. */
export type OutdatedReport = Position & {
  readonly raw: string;
  readonly source: Source;
  readonly version: number;
};

export type OutdatedCount = { readonly station: string; readonly reports: number };

const YEARS = readStatement('maintenance/outdated_years');
const COUNTS = readStatement('maintenance/outdated_counts');
const REPORTS = readStatement('maintenance/outdated_reports');

/**
 * Calendar years that may have outdated reports, the newest first. It reads one small column, so it is quick; it also
 * names years whose outdated rows have been replaced and are not merged yet.
 */
export async function readOutdatedYears(
  client: Archive,
  decoder: number,
  { from, to }: Omit<ReportSelection, 'stations'>,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const rows = await selectRows<{ year: number }>(
    client,
    { query: YEARS, params: { decoder, from, to } },
    signal,
  );
  return rows.map(({ year }) => year);
}

/** How many outdated reports each station has, in the order of the stations. */
export async function countOutdatedDecodes(
  client: Archive,
  decoder: number,
  selection: ReportSelection,
  signal: AbortSignal,
): Promise<readonly OutdatedCount[]> {
  return selectRows<OutdatedCount>(client, fromCurrentReports(COUNTS, selection, { decoder }), signal);
}

/** The outdated reports, in batches as they arrive. */
export function readOutdatedDecodes(
  client: Archive,
  decoder: number,
  selection: ReportSelection,
  signal: AbortSignal,
): AsyncGenerator<readonly OutdatedReport[]> {
  return streamRows<OutdatedReport>(client, fromCurrentReports(REPORTS, selection, { decoder }), signal);
}
