import type { ClickHouseClient } from '@clickhouse/client';
import { type CoverageStateReader, coverageStateReader } from '../coverage/state.ts';
import type { Position, ReportType } from '../model/report.ts';
import { clampToArchive, type TimeWindow } from '../model/time-window.ts';
import { POINT_READ } from '../query-settings.ts';
import { selectBytes } from '../select.ts';
import { fillSql, readSqlFile } from '../sql-file.ts';
import { extractRecords } from './extract-records.ts';
import { decodedExpression } from './observation-columns.ts';
import { joinRecords, orderKeyAt, positionOf, type Records } from './records.ts';
import { ReportDensity } from './report-density.ts';

export type PageRequest = {
  readonly stations: readonly string[];
  /** Milliseconds since 1970-01-01T00:00:00Z, inclusive. */
  readonly from: number;
  /** The same, exclusive. */
  readonly to: number;
  readonly types: readonly ReportType[];
  readonly raw: boolean;
  readonly decoded: boolean;
  /** Records at most. */
  readonly limit: number;
  /** The last record of the page before. */
  readonly after?: Position;
};

export type Page = {
  readonly records: Records;
  /** The position of the last record, present exactly when another record follows it. */
  readonly next?: Position;
};

const PAGE = readSqlFile('page');
const AFTER_CURSOR = readSqlFile('after_cursor');
const DECODED = decodedExpression();

/** Rows beyond a full page, so that a few replaced versions that are not merged yet cost no second statement. */
const SPARE_ROWS = 16;
/**
 * How far the first window reaches beyond its estimate: the estimate counts hours with a report, by season and by
 * outage.
 */
const FIRST_REACH = 1.2;
/** How much further each next window reaches when one held too few records. */
const WIDEN = 16;
/** The rough share of a type among all reports; a wrong one costs a statement more. */
const SHARE: Readonly<Record<ReportType, number>> = { METAR: 0.9, SPECI: 0.05 };

export type PageReader = (request: PageRequest, signal: AbortSignal) => Promise<Page>;

/**
 * Reads the records of one page (D11, D12), each report once, whatever has been merged and while loaders insert.
 *
 * It reads the time window that should hold the page, and goes on from its end when it does not, so neither the length
 * of the range nor the depth of the cursor costs anything. The size of a window never decides what is read, only by how
 * many statements.
 */
export function pageReader(
  client: ClickHouseClient,
  readState: CoverageStateReader = coverageStateReader(client),
): PageReader {
  const density = new ReportDensity(readState);
  return async (request, signal) => {
    const parts: Records[] = [];
    let missing = request.limit;
    const range = clampToArchive(request);
    if (range === undefined) return { records: joinRecords(parts) };
    let after = request.after;
    let from = Math.max(range.from, after?.observedAt ?? 0);
    let reach = FIRST_REACH / request.types.reduce((sum, type) => sum + SHARE[type], 0);
    while (from < range.to) {
      signal.throwIfAborted();
      const rows = missing + 1 + SPARE_ROWS;
      const to = await density.windowEnd(request.stations, { from, to: range.to }, rows * reach, signal);
      const printed = await readRows(client, request, { from, to }, after, rows, signal);
      const found = extractRecords(printed, missing, request.decoded);
      if (found.records.count > 0) parts.push(found.records);
      missing -= found.records.count;
      if (found.isCut) return fullPage(joinRecords(parts));
      if (found.rows === rows && found.lastKey !== undefined) {
        after = positionOf(found.lastKey);
        from = after.observedAt;
      } else {
        from = to;
        reach *= WIDEN;
      }
    }
    return { records: joinRecords(parts) };
  };
}

function fullPage(records: Records): Page {
  return { records, next: positionOf(orderKeyAt(records, records.count - 1)) };
}

async function readRows(
  client: ClickHouseClient,
  request: PageRequest,
  { from, to }: TimeWindow,
  after: Position | undefined,
  rows: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const [station, type] = [request.stations.length === 1, request.types.length === 1];
  return selectBytes(
    client,
    {
      query: pageStatement(request, after !== undefined),
      // Only what the statement names: the parameters are part of the URL of every request.
      params: {
        ...(station ? { station: request.stations[0] } : { stations: request.stations }),
        ...(type && { type: request.types[0] }),
        from,
        to,
        ...(after && {
          afterTime: after.observedAt,
          afterStation: after.station,
          afterType: TYPE_ORDER[after.type],
          afterFingerprint: Number.parseInt(after.fingerprint, 16),
        }),
        rows,
      },
      settings: POINT_READ,
    },
    signal,
  );
}

/** As in the table's Enum: METAR before SPECI (D12). */
const TYPE_ORDER: Readonly<Record<ReportType, number>> = { METAR: 1, SPECI: 2 };

/**
 * The statement with only the clauses that a request needs: `raw` and `decoded` are the wide columns, and a condition
 * that is true for every row would still cost a fifth of a page.
 */
function pageStatement(
  { stations, types, raw, decoded }: Pick<PageRequest, 'stations' | 'types' | 'raw' | 'decoded'>,
  continues: boolean,
): string {
  return fillSql(PAGE, {
    parseStatus: decoded ? "clean, 'parsed', decoder > 0, 'failed', 'raw_only'" : "'raw_only'",
    representations: `${raw ? ', raw' : ''}${decoded ? `, ${DECODED} AS decoded` : ''}`,
    ofStations: stations.length === 1 ? 'station = {station:String}' : 'station IN {stations:Array(String)}',
    ofType: types.length === 1 ? 'AND type = {type:String}' : '',
    afterCursor: continues ? AFTER_CURSOR : '',
  });
}
