import type { Archive } from '../../archive.ts';
import type { Day } from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import { selectRows } from '../../statements/select.ts';
import { readSqlFile } from '../../statements/sql-file.ts';
import { ALL_STATIONS } from '../station-listings.ts';

/** A row of the ledger, about the days `[firstDay, doneDay)`. */
export type RecordedSlice = {
  readonly source: Source;
  /** ICAO code, or `*` for every station. */
  readonly station: string;
  readonly firstDay: Day;
  readonly doneDay: Day;
  readonly reports: number;
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly recordedAt: number;
};

const SLICE_HISTORY = readSqlFile('coverage/slice_history');

/** Every row of the ledger about these stations, or about all stations, in a calendar year. */
export async function readSliceHistory(
  client: Archive,
  year: number,
  stations: readonly string[],
  signal: AbortSignal,
): Promise<readonly RecordedSlice[]> {
  if (stations.length === 0) return [];
  const params = {
    stations: [...stations, ALL_STATIONS],
    firstDay: `${year}-01-01`,
    endDay: `${year + 1}-01-01`,
  };
  return selectRows<RecordedSlice>(client, { query: SLICE_HISTORY, params }, signal);
}

/**
 * Whether the newest two runs that brought a day received the same number of reports (D39), so that another run would
 * change nothing. The ledger has no id of a run, so rows that were recorded at different seconds count as different
 * runs: a run records a slice once, after it has received it.
 *
 * @param history rows of one source, about one station or about all stations
 */
export function isConfirmed(history: readonly RecordedSlice[], day: Day): boolean {
  const [newest, ...older] = history
    .filter(({ firstDay, doneDay }) => firstDay <= day && day < doneDay)
    .toSorted((a, b) => b.recordedAt - a.recordedAt);
  const before = older.find(({ recordedAt }) => recordedAt !== newest?.recordedAt);
  return newest !== undefined && newest.reports === before?.reports;
}
