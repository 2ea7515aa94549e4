import type { Archive } from '../../archive.ts';
import type { CoverageStateReader } from '../../coverage/state/state.ts';
import { dayStart, FIRST_DAY } from '../../model/day.ts';
import type { Position } from '../../model/report.ts';
import { clampToArchive, type TimeWindow } from '../../model/time-window.ts';
import { POINT_READ } from '../../statements/query-settings.ts';
import { selectRows } from '../../statements/select.ts';
import { fillSql, readSqlFile } from '../../statements/sql-file.ts';
import type { PageRequest } from '../page/page.ts';
import { lastPositionBefore } from '../page/records.ts';
import { ReportDensity } from '../report-density.ts';
import { bindSelection, meets, type RowSelection, selectedSql, selectedVersions } from '../row-selection.ts';
import { AND_MEETS } from './stream.ts';

/**
 * The rows of a stream. It has a position `last` exactly when another record follows that one, or with a condition also
 * where the search ended.
 */
export type StreamRange = Pick<RowSelection, 'window' | 'last'> & {
  /** The search for records that meet the condition ended before it had found `limit`. */
  readonly isShort?: boolean;
};

export type StreamRanges = {
  /** The whole requested range, where it has at most `rows` rows by an estimate from the coverage. No rows are counted. */
  expectWhole(request: PageRequest, rows: number, signal: AbortSignal): Promise<StreamRange | undefined>;
  /**
   * Fixes the end of a stream before its first byte (D33): the end of the requested range where its rows, counted with
   * replaced versions, are at most `limit`, else the position of the last record that belongs to the answer. With a
   * condition the rows that meet it count, among the first `JUDGED_ROWS`.
   *
   * @param spare records that the answer stays below `limit` where it ends at a position
   */
  read(request: PageRequest, signal: AbortSignal, spare?: number): Promise<StreamRange>;
  /** Whether a range holds more records than `limit` by now, because loaders have inserted some. */
  exceeds(request: PageRequest, range: StreamRange, signal: AbortSignal): Promise<boolean>;
  /**
   * Whether the requested range has at most `rows` rows, replaced versions included. Rows are counted only where the bound
   * from the indexes is higher.
   */
  hasAtMost(request: PageRequest, rows: number, signal: AbortSignal): Promise<boolean>;
  /** How many rows the requested range has, with a condition those that meet it: its records and replaced versions. */
  count(request: PageRequest, signal: AbortSignal): Promise<number>;
};

const ROW_COUNT = readSqlFile('observations/row_count');
const ROW_BOUND = readSqlFile('observations/row_bound');
const RANGE_END = readSqlFile('observations/range_end');

/** To judge so many rows takes two to three seconds (DESIGN.md): a stream that needs more ends there (D42). */
export const JUDGED_ROWS = 10_000_000;

const MINUTE = 60;
/** Below 1, so that the next window holds fewer rows for certain, also where they are not spread evenly. */
const SHRINK = 0.9;

/** No row: the statement prints what a format has without records. */
const EMPTY: TimeWindow = { from: dayStart(FIRST_DAY), to: dayStart(FIRST_DAY) };

export function streamRanges(
  client: Archive,
  readState: CoverageStateReader,
  judgedRows = JUDGED_ROWS,
): StreamRanges {
  const density = new ReportDensity(readState);
  return {
    async expectWhole(request, rows, signal) {
      const selected = select(request);
      // What a condition leaves is known only after a search.
      if (selected === undefined || selected.condition !== undefined) return undefined;
      const { stations, types, window } = selected;
      const end = await density.windows(stations, types).end(window, rows, signal);
      return end === window.to ? { window } : undefined;
    },
    async read(request, signal, spare = 0) {
      const selected = select(request);
      if (selected === undefined) return { window: EMPTY };
      const { stations, types, limit, condition } = request;
      const { from, to: end } = selected.window;
      const windows = density.windows(stations, types);
      let to = end;
      let rowsOfRecord = 1;
      if (condition !== undefined) {
        const judged = await readJudged(client, density, selected, judgedRows, signal);
        to = judged.to;
        const whole = to === end ? { window: { from, to } } : endOfSearch({ from, to }, stations);
        // Where no more rows are there than may be sent, none has to be judged before it is sent.
        if (judged.rows <= limit) return whole;
        const { matches } = await countRows(client, { ...selected, window: { from, to } }, signal);
        if (matches <= limit) return whole;
        rowsOfRecord = judged.rows / matches;
      }
      for (const within = { from, to }; ; windows.widen()) {
        const windowEnd = await windows.end(within, Math.ceil((limit + 1) * rowsOfRecord), signal);
        const window = { from, to: windowEnd };
        const selection = { ...selected, window };
        const isWhole = windowEnd === to;
        if (isWhole && condition === undefined && (await countRows(client, selection, signal)).rows <= limit)
          return { window };
        const last = await readLast(client, selection, Math.max(1, limit - spare), signal);
        if (last !== undefined) return { window: { from, to: last.observedAt + 1 }, last };
        if (isWhole) return to === end ? { window } : endOfSearch(window, stations);
      }
    },
    async exceeds(request, { window, last }, signal) {
      const selection = { ...request, window, last };
      const rows = { ...selection, condition: undefined };
      if ((await countRows(client, rows, signal)).rows <= request.limit) return false;
      if ((await countRows(client, selection, signal)).matches <= request.limit) return false;
      return (await readLast(client, selection, request.limit, signal)) !== undefined;
    },
    async hasAtMost(request, rows, signal) {
      const selection = select(request);
      if (selection === undefined || (await boundRows(client, selection, signal)) <= rows) return true;
      return (await countRows(client, selection, signal)).rows <= rows;
    },
    async count(request, signal) {
      const selection = select(request);
      return selection === undefined ? 0 : (await countRows(client, selection, signal)).matches;
    },
  };
}

/** The end of the first `most` rows of a selection, or its own end where it has no more; and how many there are. */
async function readJudged(
  client: Archive,
  density: ReportDensity,
  { condition, ...selection }: RowSelection,
  most: number,
  signal: AbortSignal,
): Promise<{ readonly to: number; readonly rows: number }> {
  const { stations, types, window } = selection;
  let to = await density.windows(stations, types).end(window, most, signal);
  for (;;) {
    const within = { ...selection, window: { from: window.from, to } };
    const { rows } = await countRows(client, within, signal);
    const minutes = Math.floor((to - window.from) / MINUTE);
    if (rows <= most || minutes <= 1) return { to, rows };
    // Too long, because the estimate counts hours with a report, and an hour may have several reports.
    to = window.from + Math.max(1, Math.floor((minutes * SHRINK * most) / rows)) * MINUTE;
  }
}

function endOfSearch(window: TimeWindow, stations: readonly string[]): StreamRange {
  return { window, last: lastPositionBefore(window.to, stations), isShort: true };
}

/** The rows of a request, whatever its limit. */
function select(request: PageRequest): RowSelection | undefined {
  const range = clampToArchive(request);
  if (range === undefined) return undefined;
  const from = Math.max(range.from, request.after?.observedAt ?? 0);
  return { ...request, window: { from, to: range.to } };
}

type RowCount = {
  readonly rows: number;
  /** Rows that meet the condition: all where there is none. */
  readonly matches: number;
};

async function countRows(client: Archive, selection: RowSelection, signal: AbortSignal): Promise<RowCount> {
  const { condition } = selection;
  const matches = condition === undefined ? 'rows' : `toUInt32(countIf(${meets(condition).sql}))`;
  const query = fillSql(ROW_COUNT, { selected: selectedSql(selection), matches });
  const select = { query, ...bindSelection(selection), settings: POINT_READ };
  const [row] = await selectRows<RowCount>(client, select, signal);
  return row ?? { rows: 0, matches: 0 };
}

/** The most rows that a selection can have. To count them takes two to seven times as long (DESIGN.md). */
async function boundRows(client: Archive, selection: RowSelection, signal: AbortSignal): Promise<number> {
  const query = fillSql(ROW_BOUND, { selected: selectedSql(selection) });
  const select = { query, ...bindSelection(selection), settings: POINT_READ };
  const bounds = await selectRows<{ table: string; rows: string }>(client, select, signal);
  // In a cluster it knows the shard of one server alone, which is another table.
  const isKnown = bounds.length > 0 && bounds.every(({ table }) => table === 'observations');
  return isKnown ? bounds.reduce((sum, { rows }) => sum + Number(rows), 0) : Number.POSITIVE_INFINITY;
}

/** The record with this number, when another one follows it. */
async function readLast(
  client: Archive,
  selection: RowSelection,
  number: number,
  signal: AbortSignal,
): Promise<Position | undefined> {
  const query = fillSql(RANGE_END, {
    highestVersions: selectedVersions(selection, []),
    meets: selection.condition === undefined ? '' : AND_MEETS,
  });
  const { params, ofStations } = bindSelection(selection);
  const select = {
    query,
    params: { ...params, recordsBefore: number - 1 },
    ofStations,
    settings: POINT_READ,
  };
  const [last, next] = await selectRows<Position>(client, select, signal);
  return next && last;
}
