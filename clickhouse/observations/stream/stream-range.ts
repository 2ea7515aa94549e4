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
import { bindSelection, meets, type RowSelection, selectedSql, selectedVersions } from '../row-selection.ts';
import { AND_MEETS } from './stream.ts';

/** The rows of a stream. It has a position `last` exactly when another record follows that one. */
export type StreamRange = Pick<RowSelection, 'window' | 'last'>;

export type StreamRanges = {
  /**
   * Fixes the end of a stream before its first byte (D33): the end of the requested range where its rows (with a condition
   * those that meet it), counted with replaced versions, are at most `limit`, else the position of the last record that
   * belongs to the answer.
   *
   * @param spare records that the answer stays below `limit` where it ends at a position
   */
  read(request: PageRequest, signal: AbortSignal, spare?: number): Promise<StreamRange>;
  /** Whether a range holds more records than `limit` by now, because loaders have inserted some. */
  exceeds(request: PageRequest, range: StreamRange, signal: AbortSignal): Promise<boolean>;
  /** How many rows the requested range has, with a condition those that meet it: its records and replaced versions. */
  count(request: PageRequest, signal: AbortSignal): Promise<number>;
};

const ROW_COUNT = readSqlFile('observations/row_count');
const RANGE_END = readSqlFile('observations/range_end');

/** No row: the statement prints what a format has without records. */
const EMPTY: TimeWindow = { from: dayStart(FIRST_DAY), to: dayStart(FIRST_DAY) };

export function streamRanges(client: Archive, readState: CoverageStateReader): StreamRanges {
  const density = new ReportDensity(readState);
  return {
    async read(request, signal, spare = 0) {
      const selected = select(request);
      if (selected === undefined) return { window: EMPTY };
      const { stations, types, limit } = request;
      const { from, to: end } = selected.window;
      const windows = density.windows(stations, types);
      let rowsOfRecord = 1;
      if (request.condition !== undefined) {
        // The windows are sized by the share of rows that meet the condition.
        const { rows, matches } = await countRows(client, selected, signal);
        if (matches <= limit) return { window: selected.window };
        rowsOfRecord = rows / matches;
      }
      for (;;) {
        signal.throwIfAborted();
        const to = await windows.end({ from, to: end }, Math.ceil((limit + 1) * rowsOfRecord), signal);
        const selection = { ...selected, window: { from, to } };
        const isWhole = to === end;
        if (isWhole && (await countRows(client, selection, signal)).matches <= limit)
          return { window: { from, to } };
        const last = await readLast(client, selection, Math.max(1, limit - spare), signal);
        if (last !== undefined) return { window: { from, to: last.observedAt + 1 }, last };
        if (isWhole) return { window: { from, to } };
        windows.widen();
      }
    },
    async exceeds(request, { window, last }, signal) {
      const selection = { ...request, window, last };
      if ((await countRows(client, selection, signal)).matches <= request.limit) return false;
      return (await readLast(client, selection, request.limit, signal)) !== undefined;
    },
    async count(request, signal) {
      const selection = select(request);
      return selection === undefined ? 0 : (await countRows(client, selection, signal)).matches;
    },
  };
}

/** The rows of a request, whatever its limit. */
function select(request: PageRequest): RowSelection | undefined {
  const range = clampToArchive(request);
  if (range === undefined) return undefined;
  const from = Math.max(range.from, request.after?.observedAt ?? 0);
  return { ...request, window: { from, to: range.to } };
}

type RowCount = {
  readonly rows: number /** Rows that meet the condition: all where there is none. */;
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
