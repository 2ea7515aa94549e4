import type { Archive } from '../../archive.ts';
import type { CoverageStateReader } from '../../coverage/state/state.ts';
import { dayStart, FIRST_DAY } from '../../model/day.ts';
import type { Position } from '../../model/report.ts';
import { clampToArchive, type TimeWindow } from '../../model/time-window.ts';
import { POINT_READ } from '../../statements/query-settings.ts';
import { selectRows } from '../../statements/select.ts';
import { fillSql, readSqlFile } from '../../statements/sql-file.ts';
import type { PageRequest } from '../page/page.ts';
import { ReportDensity } from '../report-density.ts';
import {
  bindSelection,
  currentReportsInOrder,
  type RowSelection,
  selectionClauses,
} from '../row-selection.ts';

/** The rows of a stream. It has a position `last` exactly when another record follows that one. */
export type StreamRange = Pick<RowSelection, 'window' | 'last'>;

/**
 * @param onCount is called while the rows of a window are counted, with the result: whether the window is the range. Mostly
 * it is.
 */
export type StreamRangeReader = (
  request: PageRequest,
  signal: AbortSignal,
  onCount?: (window: TimeWindow, isRange: Promise<boolean>) => void,
) => Promise<StreamRange>;

const ROW_COUNT = readSqlFile('observations/row_count');
const RANGE_END = readSqlFile('observations/range_end');

/** No row: the statement prints what a format has without records. */
const EMPTY: TimeWindow = { from: dayStart(FIRST_DAY), to: dayStart(FIRST_DAY) };

/**
 * Fixes the end of a stream before its first byte (D33): the end of the requested range where its rows, counted with
 * replaced versions, are at most `limit`, else the position of the last record that belongs to the answer.
 *
 * A stream that is opened later may hold more records than `limit`, because loaders insert, never fewer than those
 * counted here.
 */
export function streamRangeReader(client: Archive, readState: CoverageStateReader): StreamRangeReader {
  const density = new ReportDensity(readState);
  return async (request, signal, onCount) => {
    const range = clampToArchive(request);
    if (range === undefined) return { window: EMPTY };
    const { limit, after } = request;
    const from = Math.max(range.from, after?.observedAt ?? 0);
    const windows = density.windows(request.stations, request.types);
    for (;;) {
      signal.throwIfAborted();
      const to = await windows.end({ from, to: range.to }, limit + 1, signal);
      const selection = { ...request, window: { from, to } };
      const isWhole = to === range.to;
      if (isWhole) {
        const isRange = countRows(client, selection, signal).then((rows) => rows <= limit);
        onCount?.(selection.window, isRange);
        if (await isRange) return { window: selection.window };
      }
      const last = await readLast(client, selection, limit, signal);
      if (last !== undefined) return { window: { from, to: last.observedAt + 1 }, last };
      if (isWhole) return { window: selection.window };
      windows.widen();
    }
  };
}

async function countRows(client: Archive, selection: RowSelection, signal: AbortSignal): Promise<number> {
  const query = fillSql(ROW_COUNT, selectionClauses(selection));
  const select = { query, ...bindSelection(selection), settings: POINT_READ };
  const [row] = await selectRows<{ rows: number }>(client, select, signal);
  return row?.rows ?? 0;
}

/** The record with this number, when another one follows it. */
async function readLast(
  client: Archive,
  selection: RowSelection,
  number: number,
  signal: AbortSignal,
): Promise<Position | undefined> {
  const query = fillSql(RANGE_END, { currentReports: currentReportsInOrder(selection, []) });
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
