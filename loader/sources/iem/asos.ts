import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { type Day, dayStart, parseDay } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import { type SkipCounts, type SkipReason, skip } from '../../pipeline/skip-reasons.ts';
import {
  type Body,
  InvalidResponseError,
  type ParsedBody,
  type RowParser,
  type Slice,
  type SourceRow,
} from '../source.ts';
import { forEachLine } from '../split-lines.ts';

/** A body cut between two lines looks whole, but reports seldom end this long before their window does. */
const QUIET_SECONDS = 3 * 3600;
/** Somewhere in the world somebody reports every minute. */
const QUIET_SECONDS_OF_THE_WORLD = 600;

type Columns = {
  readonly station: number;
  readonly valid: number;
  readonly metar: number;
  readonly count: number;
};
type Row = { readonly id: string; readonly filedAt: number; readonly text: string };

/**
 * Reads the CSV of IEM's `asos.py`: rows in order of time, commas in a report turned to blanks. IEM streams the rows
 * after `200 OK` and only logs a failure half way, so a short answer looks like a whole one: hence the doubts.
 */
export async function parseAsos(body: Body, slice: Slice): Promise<ParsedBody> {
  const window = { from: dayStart(slice.firstDay), to: dayStart(slice.endDay) };
  const readValid = validReader();
  const codeOf = codeReader();
  const skipped: SkipCounts = {};
  const rows: SourceRow[] = [];
  let columns: Columns | undefined;
  let last = window.from;
  let disorder = false;

  const { ended } = await forEachLine(body, (line) => {
    if (columns === undefined) {
      if (!line.startsWith('#')) columns = readHeader(line);
      return;
    }
    const row = readRow(line, columns, readValid);
    if (row === undefined) return skip(skipped, 'unreadable row');
    disorder ||= row.filedAt < last;
    last = row.filedAt;
    const station = codeOf(row.id);
    const reason = noReport(row, station, window, slice);
    if (reason !== undefined) return skip(skipped, reason);
    rows.push(sentOf(station, row));
  });
  if (columns === undefined) throw new InvalidResponseError('an empty body');
  if (!ended) throw new InvalidResponseError('the last line is cut');

  const mayBeQuiet = slice.station === ALL_STATIONS ? QUIET_SECONDS_OF_THE_WORLD : QUIET_SECONDS;
  const suspicion = suspicionOf({
    skipped,
    disorder,
    last,
    sent: rows.length,
    quietFrom: Math.min(window.to, Date.now() / 1000) - mayBeQuiet,
  });
  return { rows, skipped, ...(suspicion === undefined ? {} : { suspicion }) };
}

/** The rows of a file in this format; `undefined` where the line is no header of it. */
export function asosRowParser(header: string): RowParser | undefined {
  const columns = columnsIn(header);
  if (columns === undefined) return undefined;
  const readValid = validReader();
  const codeOf = codeReader();
  return (line) => {
    const row = readRow(line, columns, readValid);
    if (row === undefined) return 'unreadable row';
    const station = codeOf(row.id);
    if (!ICAO_CODE.test(station)) return 'not an ICAO code';
    return noText(row.text) ?? sentOf(station, row);
  };
}

function readHeader(line: string): Columns {
  const columns = columnsIn(line);
  if (columns === undefined)
    throw new InvalidResponseError(
      `no header station, valid, metar but ${JSON.stringify(line.slice(0, 80))}`,
    );
  return columns;
}

function columnsIn(line: string): Columns | undefined {
  const names = line.split(',');
  const columns = {
    station: names.indexOf('station'),
    valid: names.indexOf('valid'),
    metar: names.indexOf('metar'),
  };
  const known = columns.station >= 0 && columns.valid >= 0 && columns.metar >= 0;
  return known ? { ...columns, count: names.length } : undefined;
}

function readRow(
  line: string,
  columns: Columns,
  readValid: (text: string) => number | undefined,
): Row | undefined {
  const fields = line.split(',');
  if (fields.length !== columns.count) return undefined;
  const id = fields[columns.station] ?? '';
  const filedAt = readValid(fields[columns.valid] ?? '');
  return filedAt === undefined ? undefined : { id, filedAt, text: fields[columns.metar] ?? '' };
}

/** `YYYY-MM-DD HH:MM` in UTC; a day's midnight is worked out once, for rows come in their order. */
function validReader(): (text: string) => number | undefined {
  let day = '';
  let midnight: number | undefined;
  return (text) => {
    const match = /^(\d{4}-\d\d-\d\d) ([01]\d|2[0-3]):([0-5]\d)$/.exec(text);
    if (match === null) return undefined;
    if (match[1] !== day) {
      day = match[1] ?? '';
      const known: Day | undefined = parseDay(day);
      midnight = known === undefined ? undefined : dayStart(known);
    }
    return midnight === undefined ? undefined : midnight + Number(match[2]) * 3600 + Number(match[3]) * 60;
  };
}

/** IEM drops the K of the contiguous United States: KJFK is JFK there. */
export function iemId(station: string): string {
  return station.startsWith('K') ? station.slice(1) : station;
}

export function icaoCode(id: string): string {
  return id.length === 3 ? `K${id}` : id;
}

/** All rows of a station share one text of its code, which spares a day of the world a quarter of a million. */
function codeReader(): (id: string) => string {
  const codes = new Map<string, string>();
  return (id) => {
    const known = codes.get(id);
    if (known !== undefined) return known;
    const code = icaoCode(id);
    codes.set(id, code);
    return code;
  };
}

function noReport(
  { filedAt, text }: Row,
  station: string,
  window: { readonly from: number; readonly to: number },
  slice: Slice,
): SkipReason | undefined {
  if (filedAt < window.from || filedAt >= window.to) return 'outside the window';
  if (slice.station === ALL_STATIONS) {
    if (!ICAO_CODE.test(station)) return 'not an ICAO code';
  } else if (station !== slice.station) return 'wrong station';
  return noText(text);
}

function sentOf(station: string, { filedAt, text }: Row): SourceRow {
  return { station, filedAt, text: text.replace(/ IEM_GHCNH$/, '') };
}

function noText(text: string): SkipReason | undefined {
  // IEM's mark of a missing value, where the request did not say `missing=empty`.
  if (text === '' || text === 'M') return 'empty text';
  return madeByIem(text);
}

/**
 * Rows that IEM built from other data, none of which were ever sent as a report. `IEM_GHCNH` stands behind real
 * reports too: only those that begin with the keyword and AUTO are rebuilt.
 */
function madeByIem(text: string): SkipReason | undefined {
  if (text.endsWith(' MADISHF')) return 'synthetic 5-minute data (MADISHF)';
  if (text.endsWith(' IEM_DS3505')) return 'rebuilt from fields (IEM_DS3505)';
  const rebuilt = text.endsWith(' IEM_GHCNH') && /^METAR [A-Z0-9]{4} \d{6}Z AUTO\b/.test(text);
  return rebuilt ? 'rebuilt from fields (IEM_GHCNH)' : undefined;
}

function suspicionOf(found: {
  readonly skipped: SkipCounts;
  readonly disorder: boolean;
  readonly last: number;
  readonly sent: number;
  readonly quietFrom: number;
}): string | undefined {
  if (found.skipped['unreadable row'] !== undefined) return 'rows that cannot be read';
  if (found.disorder) return 'rows out of order';
  if (found.sent === 0) return 'no reports at all';
  return found.last < found.quietFrom
    ? `nothing after ${new Date(found.last * 1000).toISOString()}`
    : undefined;
}
