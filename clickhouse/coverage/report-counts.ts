import type { Archive } from '../archive.ts';
import type { Day } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { fromCurrentReports, type ReportSelection } from '../statements/current-reports.ts';
import { selectRows, streamRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';

const DAILY_COUNTS = readStatement('coverage/daily_counts');
const YEARLY_COUNTS = readStatement('coverage/yearly_counts');

/** Current reports by UTC day; days without reports are omitted. */
export type DailyCounts = {
  readonly station: string;
  readonly days: readonly (readonly [day: Day, observations: number, nilReports: number])[];
};

/** Station by station, as they arrive. */
export async function* readDailyCounts(
  client: Archive,
  selection: ReportSelection,
  signal: AbortSignal,
): AsyncGenerator<DailyCounts> {
  for await (const rows of streamRows<DailyCounts>(
    client,
    fromCurrentReports(DAILY_COUNTS, selection),
    signal,
  ))
    yield* rows;
}

/** Current reports by the source of their text, not counting replaced or retracted versions or NIL reports. */
type YearlyCount = { readonly station: string; readonly source: Source; readonly reports: number };

/** Reports of a calendar year by station and source; of all stations if none is named. */
export async function readYearlyCounts(
  client: Archive,
  year: number,
  stations: readonly string[],
  signal: AbortSignal,
): Promise<readonly YearlyCount[]> {
  const selection = { stations, from: Date.UTC(year, 0) / 1000, to: Date.UTC(year + 1, 0) / 1000 };
  return selectRows<YearlyCount>(client, fromCurrentReports(YEARLY_COUNTS, selection), signal);
}
