import { randomBytes } from 'node:crypto';
import type { Archive } from '../../archive.ts';
import { inGroups } from '../../group-by.ts';
import { type Day, type DayRange, type DaySet, daySetOf, unionOf } from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import { type Scope, type TimeWindow, yearWindow } from '../../model/time-window.ts';
import { namedStatement, POINT_READ, selectRows, streamRows } from '../../statements/select.ts';
import { fillSql, readStatement } from '../../statements/sql.ts';
import type { StationDays } from '../station-days.ts';
import { ALL_STATIONS } from '../station-listings.ts';

/** The days `[firstDay, endDay)`, done up to `doneDay` and provisional from there on (D13). */
export type SliceRecord = {
  readonly source: Source;
  /** ICAO code, or `*` for every station that the source lists. */
  readonly station: string;
  readonly firstDay: Day;
  readonly doneDay: Day;
  readonly endDay: Day;
  /** Distinct reports that the source has for the slice. */
  readonly reports: number;
  /** How many of them the archive lacked, or had in a lower version. */
  readonly inserted: number;
  /** Rows of the source that are not reports, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly run: string;
  /** Distinct reports, NIL too, that the archive then holds of each day, from any source; empty if no day is done. */
  readonly reportsByDay: readonly number[];
};

export function newRun(now = new Date()): string {
  return `${now.toISOString()}-${randomBytes(4).toString('hex')}`;
}

export type ObservedHour = { readonly station: string; readonly observedAt: number };

/** Call this last, once the reports of the slices are in the archive and their hours recorded. */
export async function recordSlices(archive: Archive, records: readonly SliceRecord[]) {
  if (records.length > 0) await archive.insert({ table: 'slices', rows: records });
}

/** Whether the ledger has a row with as many reports of the same days, of any run. */
export async function hasSlice(
  archive: Archive,
  { source, station, firstDay, endDay, reports }: DaysOfSource & Pick<SliceRecord, 'reports'>,
): Promise<boolean> {
  const params = { source, station, firstDay, endDay, reports };
  return (await selectRows(archive, namedStatement('ledger/has_slice', params, POINT_READ))).length > 0;
}

const REPORT_HOURS = readStatement('ledger/report_hours');

/** @param reports what follows FROM, including a complete WHERE clause */
function insertHours(reports: string): string {
  const columns = 'station, year, source, hours, reportDays, lateReportDays, firstReport, lastReport';
  return `INSERT INTO coverage (${columns})\n${fillSql(REPORT_HOURS, { reports })}`;
}

/** @param select a statement that selects the reports from `input(…)`, whose data has this format */
export function insertHoursOf(select: string, format: string): string {
  return `${insertHours(`(\n${select})\nWHERE true`)}\nFORMAT ${format}`;
}

const INSERT_OBSERVED = insertHoursOf(readStatement('ledger/observed_reports'), 'JSONCompactEachRow');

/** Reports of one insert: a whole day of all stations would take 50 MB. */
const OBSERVED_AT_ONCE = 50_000;

/**
 * Records the hours of reports that the archive already had, and stations with only NIL reports, so that they are known. For
 * inserted reports the view does that. But a loader that was killed after an insert and before its view leaves coverage without
 * these hours, and the next loader has nothing to insert.
 */
export async function recordObservedHours(
  archive: Archive,
  source: Source,
  reports: readonly (ObservedHour & { readonly nil?: boolean })[],
) {
  for (const some of inGroups(reports, OBSERVED_AT_ONCE)) {
    const lines = some.map(({ station, observedAt, nil }) =>
      JSON.stringify([station, observedAt, nil || null]),
    );
    await archive.insertFile({ query: INSERT_OBSERVED, params: { source } }, Buffer.from(lines.join('\n')));
  }
}

const HOURS_OF_WINDOW = insertHours(
  "observations\nWHERE observedAt >= {from:DateTime('UTC')} AND observedAt < {to:DateTime('UTC')}",
);
const DONE_DAYS = fillSql(readStatement('ledger/done_days'), {
  slices: "firstDay < toDate({to:DateTime('UTC')}) AND provenDay > toDate({from:DateTime('UTC')})",
  days: "day >= toDate({from:DateTime('UTC')}) AND day < toDate({to:DateTime('UTC')})",
});

export async function rebuildReportHours(archive: Archive, { from, to }: TimeWindow): Promise<void> {
  await archive.command({ query: HOURS_OF_WINDOW, params: { from, to } });
}

export async function rebuildDoneDays(archive: Archive, year: number): Promise<void> {
  const query = `INSERT INTO coverage (station, year, source, days, lateDays)\n${DONE_DAYS}`;
  await archive.command({ query, params: yearWindow(year) });
}

export type LoadRecord = DayRange & {
  readonly source: Source;
  /** ICAO codes, or `*` alone; empty for a cycle of `follow`, whose days are in the ledger. */
  readonly stations: readonly string[];
  readonly slices: number;
  readonly inserted: number;
  /** Why the first failed slice failed; empty if none did. */
  readonly failure: string;
};

export async function recordLoad(archive: Archive, load: LoadRecord, now: Date) {
  const endedAt = Math.floor(now.getTime() / 1000);
  await archive.insert({ table: 'loads', rows: [{ ...load, endedAt }] });
}

/** `loadedAt` and `failedAt`: seconds since 1970-01-01T00:00:00Z; 0 if there was no such load. */
type LastLoad = Pick<LoadRecord, 'source' | 'inserted' | 'failure'> & Record<'loadedAt' | 'failedAt', number>;

export function readLastLoads(archive: Archive): Promise<readonly LastLoad[]> {
  return selectRows(archive, namedStatement('ledger/last_loads'));
}

export type RecordedSlice = Omit<SliceRecord, 'inserted' | 'skipped'> & {
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly recordedAt: number;
};

export type DaysOfSource = Pick<SliceRecord, 'source' | 'station' | 'firstDay' | 'endDay'>;

/** Selects rows of the table `$ledger`. */
export const SLICE_HISTORY = readStatement('ledger/slice_history');
const OF_ARCHIVE = fillSql(SLICE_HISTORY, { ledger: 'slices' });

/** The rows of a calendar year that have done days, of these stations (all if none is named) and of the slices of all stations. */
export async function readSliceHistory(archive: Archive, year: number, stations: readonly string[]) {
  const params = { stations, firstDay: `${year}-01-01`, endDay: `${year + 1}-01-01` };
  return selectRows<RecordedSlice>(archive, { query: OF_ARCHIVE, params });
}

export function doneDaysOf({ firstDay, doneDay }: RecordedSlice): DaySet {
  return daySetOf({ firstDay, endDay: doneDay });
}

export function inRecordedOrder(rows: readonly RecordedSlice[]): readonly RecordedSlice[] {
  return rows.toSorted(
    (a, b) => a.recordedAt - b.recordedAt || a.run.localeCompare(b.run) || a.reports - b.reports,
  );
}

/** Whether the newest two runs received the same number of reports (D39). `history`: of one source and station, or of `*`. */
export function isConfirmed(history: readonly RecordedSlice[], day: Day): boolean {
  const ofDay = history.filter(({ firstDay, doneDay }) => firstDay <= day && day < doneDay);
  const [newest, ...older] = inRecordedOrder(ofDay).toReversed();
  const before = older.find(({ run }) => run !== newest?.run);
  return newest !== undefined && newest.reports === before?.reports;
}

/** Reports a day in the nearest complete slices of the same source and station; `undefined` without any. */
export async function readUsualVolume(archive: Archive, { source, station, firstDay, endDay }: DaysOfSource) {
  const params = { source, station, firstDay, endDay };
  const select = namedStatement('ledger/usual_volume', params, POINT_READ);
  const [row] = await selectRows<{ reportsPerDay: number }>(archive, select);
  return row?.reportsPerDay;
}

export async function sampleSlices(
  archive: Archive,
  asked: Scope & { readonly sample: number; readonly sources: readonly Source[] },
): Promise<readonly DaysOfSource[]> {
  return selectRows<DaysOfSource>(archive, namedStatement('ledger/sample_slices', asked));
}

type AskedDays = {
  readonly key: string;
  readonly ranges: readonly (readonly [firstDay: Day, endDay: Day])[];
};

/** Days that loads have requested from any source but `demo`. A load of all stations requests those that its source lists. */
export async function readAskedDays(archive: Archive, asked: Scope) {
  const byKey = new Map<string, DaySet>();
  for await (const rows of streamRows<AskedDays>(archive, namedStatement('ledger/asked_days', asked)))
    for (const { key, ranges } of rows)
      byKey.set(key, unionOf(ranges.flatMap(([firstDay, endDay]) => daySetOf({ firstDay, endDay }))));
  return ({ station, listings }: Pick<StationDays, 'station' | 'listings'>) => {
    const keys = [station, ...listings.map(({ source }) => `${ALL_STATIONS} ${source}`)];
    return unionOf(keys.flatMap((key) => byKey.get(key) ?? []));
  };
}
