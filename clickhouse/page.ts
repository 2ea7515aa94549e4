import type { ClickHouseClient } from '@clickhouse/client';
import { readQuery } from './query.ts';
import { type Seconds, within } from './range.ts';
import type { Position, ReportType } from './report.ts';
import { isRetracted, keyOf, positionOf, recordOf } from './row.ts';

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

const PAGE = readQuery('page');

/** Rows asked for beyond a full page, so that a few duplicates that no merge has met yet cost no second query. */
const SPARE_ROWS = 16;

/** The records of one page (D11, D12), each report once, whatever has been merged and whoever is inserting. */
export async function readPage(
  client: ClickHouseClient,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Page> {
  const records: string[] = [];
  const range = within(request);
  if (range === undefined) return { records };
  let after = request.after;
  let key = '';
  let last = '';
  for (;;) {
    signal.throwIfAborted();
    const wanted = request.limit - records.length + 1 + SPARE_ROWS;
    const rows = await readRows(client, { ...request, ...range, limit: wanted }, after, signal);
    for (const row of rows) {
      const repeats = keyOf(row) === key;
      key = keyOf(row);
      if (repeats || isRetracted(row)) continue;
      if (records.length === request.limit) return { records, next: positionOf(last) };
      records.push(recordOf(row));
      last = row;
    }
    if (rows.length < wanted) return { records };
    after = positionOf(rows.at(-1) as string);
  }
}

async function readRows(
  client: ClickHouseClient,
  asked: Omit<PageRequest, 'from' | 'to'> & Seconds,
  after: Position | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const result = await client.query({
    query: pageQuery(asked),
    query_params: {
      stations: asked.stations,
      types: asked.types,
      from: Math.max(asked.from, after?.observedAt ?? 0),
      to: asked.to,
      afterTime: after?.observedAt ?? asked.from,
      afterStation: after?.station ?? '',
      afterType: after === undefined ? 0 : TYPE_ORDER[after.type],
      afterFingerprint: Number.parseInt(after?.fingerprint ?? '0', 16),
      rows: asked.limit,
    },
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  const text = await result.text();
  return text === '' ? [] : text.trimEnd().split('\n');
}

/** As in the table's Enum: METAR before SPECI (D12). */
const TYPE_ORDER: Readonly<Record<ReportType, number>> = { METAR: 1, SPECI: 2 };

/** Only what was asked for is read: `raw` and `decoded` are the wide columns. */
function pageQuery({ raw, decoded }: Pick<PageRequest, 'raw' | 'decoded'>): string {
  const parseStatus = decoded ? "clean, 'parsed', decoder > 0, 'failed', 'raw_only'" : "'raw_only'";
  const representations = `${raw ? ', raw' : ''}${decoded ? ', decoded' : ''}`;
  return PAGE.replace('$parseStatus', parseStatus).replace('$representations', representations);
}
