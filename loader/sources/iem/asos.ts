import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { dayStart } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import { type SkipCounts, type SkipReason, skip } from '../skip-reasons.ts';
import {
  type Body,
  InvalidResponseError,
  type ParsedBody,
  type RowParser,
  type Slice,
  type SourceRow,
} from '../source.ts';
import { forEachLine } from '../split-lines.ts';
import {
  type AsosColumns,
  type AsosRow,
  findColumns,
  parseRow,
  skipReasonOf,
  validParser,
  withoutIemLabel,
} from './asos-row.ts';
import { icaoCodeCache } from './station-id.ts';

/** A body that is cut between two lines looks complete, but a station seldom is silent for so long. */
const MAX_SILENCE_SECONDS = 3 * 3600;
/** Over all stations there is a report every minute. */
const MAX_SILENCE_SECONDS_ALL_STATIONS = 600;

/**
 * Parses the CSV of IEM's `asos.py`, rows in order of time. IEM sends `200 OK` before the first row and only logs a
 * later failure, so a response that is cut can look complete: hence `suspicion`.
 * Format: pylib/iemweb/request/asos.py of github.com/akrherz/iem.
 */
export async function parseAsos(body: Body, slice: Slice): Promise<ParsedBody> {
  const window = { from: dayStart(slice.firstDay), to: dayStart(slice.endDay) };
  const parseValid = validParser();
  const icaoCodeOf = icaoCodeCache();
  const skipped: SkipCounts = {};
  const rows: SourceRow[] = [];
  let columns: AsosColumns | undefined;
  let lastFiledAt = window.from;
  let isOutOfOrder = false;

  const { ended } = await forEachLine(body, (line) => {
    if (columns === undefined) {
      // `format=comma` has five lines `#DEBUG: ...` before the header.
      if (!line.startsWith('#')) columns = parseHeader(line);
      return;
    }
    const row = parseRow(line, columns, parseValid);
    if (row === undefined) return skip(skipped, 'unreadable row');
    isOutOfOrder ||= row.filedAt < lastFiledAt;
    lastFiledAt = row.filedAt;
    const station = icaoCodeOf(row.id);
    const reason = skipReasonInSlice(row, station, window, slice);
    if (reason !== undefined) return skip(skipped, reason);
    rows.push({ station, filedAt: row.filedAt, text: withoutIemLabel(row.text) });
  });
  if (columns === undefined) throw new InvalidResponseError('an empty body');
  if (!ended) throw new InvalidResponseError('the last line is cut');

  const suspicion = suspicionOf({
    rowCount: rows.length,
    hasUnreadableRows: skipped['unreadable row'] !== undefined,
    isOutOfOrder,
    lastFiledAt,
    windowEnd: Math.min(window.to, Date.now() / 1000),
    maxSilenceSeconds:
      slice.station === ALL_STATIONS ? MAX_SILENCE_SECONDS_ALL_STATIONS : MAX_SILENCE_SECONDS,
  });
  return { rows, skipped, ...(suspicion === undefined ? {} : { suspicion }) };
}

/** Parses files in this format; `undefined` where the line is not the header. */
export function asosRowParser(header: string): RowParser | undefined {
  const columns = findColumns(header);
  if (columns === undefined) return undefined;
  const parseValid = validParser();
  const icaoCodeOf = icaoCodeCache();
  return (line) => {
    const row = parseRow(line, columns, parseValid);
    if (row === undefined) return 'unreadable row';
    const station = icaoCodeOf(row.id);
    if (!ICAO_CODE.test(station)) return 'not an ICAO code';
    const { filedAt, text } = row;
    return skipReasonOf(text) ?? { station, filedAt, text: withoutIemLabel(text) };
  };
}

function parseHeader(line: string): AsosColumns {
  const columns = findColumns(line);
  if (columns === undefined)
    throw new InvalidResponseError(
      `no header station, valid, metar but ${JSON.stringify(line.slice(0, 80))}`,
    );
  return columns;
}

function skipReasonInSlice(
  { filedAt, text }: AsosRow,
  station: string,
  window: { readonly from: number; readonly to: number },
  slice: Slice,
): SkipReason | undefined {
  if (filedAt < window.from || filedAt >= window.to) return 'outside the window';
  if (slice.station === ALL_STATIONS) {
    if (!ICAO_CODE.test(station)) return 'not an ICAO code';
  } else if (station !== slice.station) return 'wrong station';
  return skipReasonOf(text);
}

function suspicionOf(body: {
  readonly rowCount: number;
  readonly hasUnreadableRows: boolean;
  readonly isOutOfOrder: boolean;
  readonly lastFiledAt: number;
  readonly windowEnd: number;
  readonly maxSilenceSeconds: number;
}): string | undefined {
  if (body.hasUnreadableRows) return 'unreadable rows';
  if (body.isOutOfOrder) return 'rows out of order';
  if (body.rowCount === 0) return 'no reports';
  return body.lastFiledAt < body.windowEnd - body.maxSilenceSeconds
    ? `no rows after ${new Date(body.lastFiledAt * 1000).toISOString()}`
    : undefined;
}
