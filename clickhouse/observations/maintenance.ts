import type { Archive } from '../archive.ts';
import type { ReportType, Source } from '../model/report.ts';
import {
  calendarYears,
  clipToYear,
  NOMINAL_HOUR,
  type StationRange,
  type TimeWindow,
} from '../model/time-window.ts';
import { fromCurrentReports, REPORT_TABLES, type ReportSelection } from '../statements/current-reports.ts';
import { namedStatement, selectRows, streamRows } from '../statements/select.ts';
import { fillSql, readStatement, withinSql } from '../statements/sql.ts';
import type { HiddenReport } from './hidden-reports.ts';
import { ofStationWindow, type StationWindow, type StoredReport } from './stored-reports.ts';

const DELETE_ROWS = readStatement('maintenance/delete_rows');

/**
 * Deletes the rows of a table that meet a condition; they are gone when it resolves.
 *
 * @param condition SQL with typed placeholders, never a value
 */
export async function deleteRows(
  archive: Archive,
  table: string,
  condition: string,
  params: Readonly<Record<string, unknown>>,
): Promise<void> {
  const isOfReports = (REPORT_TABLES as readonly string[]).includes(table);
  // In a cluster replication deletes the rows of any other table on every server.
  const stored = isOfReports ? `${table}$SHARD$ON_ALL` : table;
  await archive.command({ query: fillSql(DELETE_ROWS, { table: stored, condition }), params });
}

const CONFLICTS = readStatement('maintenance/conflicts').replace('$nominalHour', NOMINAL_HOUR);
const IS_HIDDEN = `(station, observedAt, fingerprint) GLOBAL IN (${readStatement('maintenance/hidden_keys')})`;
const WITHOUT_HIDDEN = { canCount: 'nil IS NULL', orHidden: '' };
const WITH_HIDDEN = {
  canCount: `nil IS NULL AND NOT ${IS_HIDDEN}`,
  orHidden: `OR countIf(counts != 'no' AND ${IS_HIDDEN}) > 0`,
};

/** The stations of a window for which two loaders wrote at the same time, so that types or the choice of what counts conflict. */
export async function findConflicts(client: Archive, window: StationWindow, hidden: readonly HiddenReport[]) {
  const clauses = hidden.length === 0 ? WITHOUT_HIDDEN : WITH_HIDDEN;
  const rows = await selectRows<{ station: string }>(client, ofStationWindow(CONFLICTS, window, clauses));
  return rows.map(({ station }) => station);
}

const REPEATED = readStatement('maintenance/repeated_reports');

/**
 * The stations with a report under both types in one table, by calendar year. The cause is a fault of this program, or for a
 * moment two loaders that write.
 */
export async function* findRepeatedReports(archive: Archive, { stations, ...window }: StationRange) {
  const ofStations = stations.length === 0 ? 'true' : 'report.station IN {stations:Array(String)}';
  for (const year of calendarYears(window))
    for (const table of REPORT_TABLES) {
      const query = fillSql(REPEATED, { table, ofStations });
      const params = { stations, ...clipToYear(window, year) };
      const select = { query, params, settings: { optimize_aggregation_in_order: 1 } } as const;
      for (const row of await selectRows<{ station: string; reports: number }>(archive, select))
        yield { ...row, year };
    }
}

/** How many reports of one type a station has at one minute of the hour. */
type MinuteCount = {
  readonly station: string;
  readonly minute: number;
  readonly type: ReportType;
  /** Whether the source sent the type; otherwise it was inferred. */
  readonly typeSent: boolean;
  readonly reports: number;
};

/**
 * The minutes of every station in the seconds `[from, to)`, streamed: a year of all stations is large.
 *
 * @param typedSources sources that always send the type, even where the text has no keyword
 */
export async function* readMinuteHistogram(
  archive: Archive,
  params: TimeWindow & { readonly typedSources: readonly Source[] },
): AsyncGenerator<MinuteCount> {
  const select = namedStatement('maintenance/minute_histogram', params);
  for await (const rows of streamRows<MinuteCount>(archive, select)) yield* rows;
}

/** A current report that was decoded by an older version of the decoder. */
export type OutdatedReport = StoredReport & {
  /** It was read as saying that there is none (D8). */
  readonly nil: boolean;
  /** The number of its correction, as stored. */
  readonly correction: number;
};

const OUTDATED_COUNTS = readStatement('maintenance/outdated_counts');
const OUTDATED_REPORTS = readStatement('maintenance/outdated_reports');

/**
 * Calendar years that may have outdated reports, the newest first. It reads one small column, so it is quick; it also
 * names years whose outdated rows have been replaced and are not merged yet.
 */
export async function readOutdatedYears(client: Archive, decoder: number, { from, to }: TimeWindow) {
  const select = namedStatement('maintenance/outdated_years', { decoder, from, to });
  const rows = await selectRows<{ year: number }>(client, select);
  return rows.map(({ year }) => year);
}

/** How many outdated reports each station has, in the order of the stations. */
export function countOutdatedDecodes(client: Archive, decoder: number, selection: ReportSelection) {
  const select = fromCurrentReports(OUTDATED_COUNTS, selection, { decoder }, true);
  return selectRows<{ station: string; reports: number }>(client, select);
}

/** The outdated reports, in batches as they arrive. */
export function readOutdatedDecodes(
  client: Archive,
  decoder: number,
  selection: ReportSelection,
): AsyncGenerator<readonly OutdatedReport[]> {
  return streamRows<OutdatedReport>(
    client,
    fromCurrentReports(OUTDATED_REPORTS, selection, { decoder }, true),
  );
}

/**
 * Listings go first: without them nothing of the source counts as covered, so an interrupted deletion does no harm. The
 * view knows of reports until they are gone, so coverage is never `none` while a page still has them.
 */
const TABLES_OF_SOURCE = [
  'stations',
  'station_descriptions',
  'slices',
  'loads',
  'observations',
  'station_observations',
  'coverage',
] as const;

const STATION_ROWS = readStatement('maintenance/station_rows');

/** Deletes the reports of stations in a window, from both tables and from the disk. */
export async function deleteReports(archive: Archive, range: StationRange): Promise<void> {
  const condition = `station IN {stations:Array(String)} AND ${withinSql('observedAt')}`;
  // The second table first, so that the first table has all of its rows, also after an interruption.
  for (const table of REPORT_TABLES.toReversed()) await deleteRows(archive, table, condition, { ...range });
}

/** Whether either table of reports has rows of stations in a window, of any version. */
export async function holdsRows(archive: Archive, range: StationRange): Promise<boolean> {
  const query = REPORT_TABLES.map((table) => fillSql(STATION_ROWS, { table })).join('UNION ALL\n');
  const rows = await selectRows<{ rows: number }>(archive, { query, params: range });
  return rows.some(({ rows: found }) => found > 0);
}

export async function deleteStations(
  archive: Archive,
  tables: readonly string[],
  stations: readonly string[],
): Promise<void> {
  for (const table of tables)
    await deleteRows(archive, table, 'station IN {stations:Array(String)}', { stations });
}

/** The first and last report of each month of stations (all if none is named) in a window, of one source if it is named. */
export function readMonthsWithReports(archive: Archive, range: StationRange, source = '') {
  const select = namedStatement('maintenance/station_months', { ...range, source });
  return selectRows<{ station: string; observedAt: number }>(archive, select);
}

/** The stations with reports of a source and of others. */
export async function readSharedStations(client: Archive, source: Source): Promise<readonly string[]> {
  const select = namedStatement('maintenance/shared_stations', { source });
  const rows = await selectRows<{ station: string }>(client, select);
  return rows.map(({ station }) => station);
}

export async function deleteSource(archive: Archive, source: Source): Promise<void> {
  for (const table of TABLES_OF_SOURCE)
    await deleteRows(archive, table, 'source = {source:String}', { source });
}

/**
 * Deletes what a writer has just written for a source that was deleted after the writer read it. `deleteSource` begins
 * with the listings and ends with the rows and their coverage, so either it deletes the new rows or this finds no
 * listing.
 */
export async function deleteSourceIfUnlisted(client: Archive, source: Source): Promise<void> {
  const listings = await selectRows(client, namedStatement('maintenance/source_listing', { source }));
  if (listings.length === 0) await deleteSource(client, source);
}
