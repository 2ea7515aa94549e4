import type { Archive } from '../../archive.ts';
import { type Day, type DaySet, daySetOf, unionOf } from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import type { Scope } from '../../model/time-window.ts';
import { POINT_READ, selectRows, streamRows } from '../../statements/select.ts';
import { fillSql, readStatement } from '../../statements/sql.ts';
import type { StationDays } from '../station-days.ts';
import { ALL_STATIONS } from '../station-listings.ts';
import type { SliceRecord } from './ledger.ts';

/** A row of the ledger that has made days done. */
export type RecordedSlice = Omit<SliceRecord, 'inserted' | 'skipped'> & {
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly recordedAt: number;
};

/** The days of a slice, of a station or of all. */
export type DaysOfSource = Pick<SliceRecord, 'source' | 'station' | 'firstDay' | 'endDay'>;

/** Over the table `$ledger`. */
export const SLICE_HISTORY = readStatement('ledger/slice_history');
const OF_ARCHIVE = fillSql(SLICE_HISTORY, { ledger: 'slices' });

/** Every such row of a calendar year for these stations and for all stations together; without stations, every row. */
export async function readSliceHistory(
  archive: Archive,
  year: number,
  stations: readonly string[],
): Promise<readonly RecordedSlice[]> {
  const params = { stations, firstDay: `${year}-01-01`, endDay: `${year + 1}-01-01` };
  return selectRows<RecordedSlice>(archive, { query: OF_ARCHIVE, params });
}

export function doneDaysOf({ firstDay, doneDay }: RecordedSlice): DaySet {
  return daySetOf({ firstDay, endDay: doneDay });
}

export function inRecordedOrder(rows: readonly RecordedSlice[]): readonly RecordedSlice[] {
  return rows.toSorted(
    (a, b) => a.recordedAt - b.recordedAt || compare(a.run, b.run) || a.reports - b.reports,
  );
}

/**
 * Whether the newest two runs that delivered a day received the same number of reports (D39), so another run would
 * change nothing.
 *
 * @param history rows of one source, for one station or for all stations
 */
export function isConfirmed(history: readonly RecordedSlice[], day: Day): boolean {
  const ofDay = history.filter(({ firstDay, doneDay }) => firstDay <= day && day < doneDay);
  const [newest, ...older] = inRecordedOrder(ofDay).toReversed();
  const before = older.find(({ run }) => run !== newest?.run);
  return newest !== undefined && newest.reports === before?.reports;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const USUAL_VOLUME = readStatement('ledger/usual_volume');

/** Reports a day in the nearest complete slices of the same source and station; `undefined` without any. */
export async function readUsualVolume(
  archive: Archive,
  { source, station, firstDay, endDay }: DaysOfSource,
): Promise<number | undefined> {
  const params = { source, station, firstDay, endDay };
  const select = { query: USUAL_VOLUME, params, settings: POINT_READ };
  const [row] = await selectRows<{ reportsPerDay: number }>(archive, select);
  return row?.reportsPerDay;
}

const SAMPLE_SLICES = readStatement('ledger/sample_slices');

/** Done slices, at most `sample` of them, at random. */
export async function sampleSlices(
  archive: Archive,
  asked: Scope & { readonly sample: number; readonly sources: readonly Source[] },
): Promise<readonly DaysOfSource[]> {
  return selectRows<DaysOfSource>(archive, { query: SAMPLE_SLICES, params: asked });
}

const ASKED_DAYS = readStatement('ledger/asked_days');

type AskedDays = {
  readonly station: string;
  readonly source: Source;
  readonly ranges: readonly (readonly [firstDay: Day, endDay: Day])[];
};

/**
 * The days of a station that loads have requested from any source except synthetic reports. A load of all stations
 * requests those that its source lists.
 *
 * @param stations empty for all
 */
export async function readAskedDays(
  archive: Archive,
  asked: Scope,
): Promise<(of: Pick<StationDays, 'station' | 'listings'>) => DaySet> {
  const byStation = new Map<string, DaySet>();
  const ofAllStations = new Map<Source, DaySet>();
  for await (const rows of streamRows<AskedDays>(archive, { query: ASKED_DAYS, params: asked }))
    for (const { station, source, ranges } of rows) {
      const days = unionOf(ranges.flatMap(([firstDay, endDay]) => daySetOf({ firstDay, endDay })));
      if (station === ALL_STATIONS) ofAllStations.set(source, days);
      else byStation.set(station, unionOf([...(byStation.get(station) ?? []), ...days]));
    }
  return ({ station, listings }) =>
    unionOf([
      ...(byStation.get(station) ?? []),
      ...listings.flatMap(({ source }) => ofAllStations.get(source) ?? []),
    ]);
}
