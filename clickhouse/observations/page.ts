import type { ClickHouseClient } from '@clickhouse/client';
import type { Position, ReportType } from '../model/report.ts';
import { clampToArchive, type TimeWindow } from '../model/time-window.ts';
import { POINT_READ } from '../query-settings.ts';
import { readSqlFile } from '../sql-file.ts';
import { isRetracted, keyOf, positionOf, recordOf } from './page-row.ts';
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
  /** The JSON text of each record, as the contract prints it. */
  readonly records: readonly string[];
  /** The position of the last record, present exactly when another record follows it. */
  readonly next?: Position;
};

const PAGE = readSqlFile('page');
const BEHIND_CURSOR = readSqlFile('after_cursor');

/** Rows asked for beyond a full page, so that a few duplicates that no merge has met yet cost no second query. */
const SPARE_ROWS = 16;
/** Reports come in more than one an hour or fewer, by season and by fault: how far a stretch reaches beyond its estimate. */
const FIRST_STRETCH = 1.2;
/** How much further each next stretch reaches when one came back short. */
const WIDEN = 16;
/** Roughly what share of reports a type makes; a wrong guess costs a query more. */
const SHARE: Readonly<Record<ReportType, number>> = { METAR: 0.9, SPECI: 0.05 };

/** @param notBefore what has to be known before the first row is read */
export type PageReader = (
  request: PageRequest,
  signal: AbortSignal,
  notBefore?: Promise<unknown>,
) => Promise<Page>;

/**
 * Reads the records of one page (D11, D12), each report once, whatever has been merged and whoever is inserting.
 *
 * It asks for the stretch of time that should hold the page and goes on from its end when it does not, so that neither
 * the length of the range nor the depth of the cursor costs anything. How far a stretch reaches never decides what is
 * read, only in how many queries.
 */
export function pageReader(client: ClickHouseClient): PageReader {
  const density = new ReportDensity(client);
  return async (request, signal, notBefore) => {
    const records: string[] = [];
    const range = clampToArchive(request);
    if (range === undefined) return { records };
    let after = request.after;
    let from = Math.max(range.from, after?.observedAt ?? 0);
    let key = '';
    let last = '';
    let reach = FIRST_STRETCH / request.types.reduce((sum, type) => sum + SHARE[type], 0);
    while (from < range.to) {
      signal.throwIfAborted();
      const missing = request.limit - records.length + 1 + SPARE_ROWS;
      const to = await density.endOfStretch(
        request.stations,
        { from, to: range.to },
        missing * reach,
        signal,
      );
      await notBefore;
      const rows = await readRows(client, request, { from, to }, after, missing, signal);
      for (const row of rows) {
        const repeats = keyOf(row) === key;
        key = keyOf(row);
        if (repeats || isRetracted(row)) continue;
        if (records.length === request.limit) return { records, next: positionOf(last) };
        records.push(recordOf(row));
        last = row;
      }
      if (rows.length === missing) {
        after = positionOf(rows.at(-1) as string);
        from = after.observedAt;
      } else {
        from = to;
        reach *= WIDEN;
      }
    }
    return { records };
  };
}

async function readRows(
  client: ClickHouseClient,
  asked: PageRequest,
  { from, to }: TimeWindow,
  after: Position | undefined,
  rows: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [station, type] = [asked.stations.length === 1, asked.types.length === 1];
  const result = await client.query({
    query: pageQuery(asked, after !== undefined),
    // Only what the statement names: a list of stations goes over with every request.
    query_params: {
      ...(station ? { station: asked.stations[0] } : { stations: asked.stations }),
      ...(type && { type: asked.types[0] }),
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
    format: 'JSONEachRow',
    clickhouse_settings: POINT_READ,
    abort_signal: signal,
  });
  const text = await result.text();
  return text === '' ? [] : text.trimEnd().split('\n');
}

/** As in the table's Enum: METAR before SPECI (D12). */
const TYPE_ORDER: Readonly<Record<ReportType, number>> = { METAR: 1, SPECI: 2 };

/**
 * The statement with the clauses that a request needs: only what was asked for is read (`raw` and `decoded` are the wide
 * columns), and a condition that holds for every row would still cost a fifth of a page.
 */
function pageQuery(
  { stations, types, raw, decoded }: Pick<PageRequest, 'stations' | 'types' | 'raw' | 'decoded'>,
  isContinued: boolean,
): string {
  const clauses = {
    $parseStatus: decoded ? "clean, 'parsed', decoder > 0, 'failed', 'raw_only'" : "'raw_only'",
    $representations: `${raw ? ', raw' : ''}${decoded ? ', decoded' : ''}`,
    $ofStations: stations.length === 1 ? 'station = {station:String}' : 'station IN {stations:Array(String)}',
    $ofType: types.length === 1 ? 'AND type = {type:String}' : '',
    $behindCursor: isContinued ? BEHIND_CURSOR : '',
  };
  return Object.entries(clauses).reduce((text, [name, clause]) => text.replace(name, clause), PAGE);
}
