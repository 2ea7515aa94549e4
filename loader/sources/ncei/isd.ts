import { type Day, dayOf, dayStart } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE, type ReportType } from '../../../clickhouse/model/report.ts';
import { parseCsvLine } from '../csv.ts';
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
import { extractReport } from './isd-remarks.ts';

const REQUIRED_COLUMNS = ['STATION', 'DATE', 'REPORT_TYPE', 'CALL_SIGN', 'REM'] as const;
type Columns = Readonly<Record<(typeof REQUIRED_COLUMNS)[number] | 'EQD', number>>;

/** A row without usable report; without `filedAt` its date is not readable. */
type SkippedRow = { readonly reason: SkipReason; readonly filedAt?: number };

const TYPES: Readonly<Record<string, ReportType>> = { 'FM-15': 'METAR', 'FM-16': 'SPECI' };
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/**
 * Parses a year of a station in ISD's global-hourly CSV. All kinds of reports are in one file; METAR and SPECI have
 * their text in the column REM. Files are static, so a complete transfer is a complete response.
 * Format: https://www.ncei.noaa.gov/data/global-hourly/doc/isd-format-document.pdf.
 */
export async function parseIsd(body: Body, slice: Slice): Promise<ParsedBody> {
  const window = { from: dayStart(slice.firstDay), to: dayStart(slice.endDay) };
  const skipped: SkipCounts = {};
  const rows: SourceRow[] = [];
  const incompleteDays = new Set<Day>();
  let columns: Columns | undefined;
  const { ended } = await forEachLine(body, (line) => {
    if (columns === undefined) {
      columns = parseHeader(line);
      return;
    }
    const row = parseRow(line, columns, () => slice.station);
    const isInside = row.filedAt === undefined || (row.filedAt >= window.from && row.filedAt < window.to);
    if (!isInside) return skip(skipped, 'outside the window');
    if (!('reason' in row)) return void rows.push(row);
    skip(skipped, row.reason);
    if (row.reason === 'cut short' && row.filedAt !== undefined) incompleteDays.add(dayOf(row.filedAt));
  });
  if (columns === undefined) throw new InvalidResponseError('an empty body');
  if (!ended) throw new InvalidResponseError('the last line is cut');
  return { rows, skipped, ...(incompleteDays.size === 0 ? {} : { incompleteDays: [...incompleteDays] }) };
}

/**
 * Parses files in this format; `undefined` where the line is not the header.
 *
 * @param stations ICAO codes by ISD station id; the call sign of a row counts where its id is not listed
 */
export function isdRowParser(header: string, stations: ReadonlyMap<string, string>): RowParser | undefined {
  const columns = findColumns(header);
  if (columns === undefined) return undefined;
  return (line) => {
    const row = parseRow(line, columns, (id, callSign) => stations.get(id) ?? callSign);
    return 'reason' in row ? row.reason : row;
  };
}

function parseHeader(line: string): Columns {
  const columns = findColumns(line);
  if (columns === undefined)
    throw new InvalidResponseError(
      `no header ${REQUIRED_COLUMNS.join(', ')} but ${JSON.stringify(line.slice(0, 80))}`,
    );
  return columns;
}

/** EQD is absent from a file in which no row has it. */
function findColumns(line: string): Columns | undefined {
  const names = parseCsvLine(line);
  const at = (name: string) => names.indexOf(name);
  if (REQUIRED_COLUMNS.some((name) => at(name) < 0)) return undefined;
  return Object.fromEntries([...REQUIRED_COLUMNS, 'EQD'].map((name) => [name, at(name)])) as Columns;
}

function parseRow(
  line: string,
  columns: Columns,
  stationOf: (id: string, callSign: string | undefined) => string | undefined,
): SourceRow | SkippedRow {
  const values = parseCsvLine(line);
  const value = (name: keyof Columns) => values[columns[name]] ?? '';
  const filedAt = DATE.test(value('DATE')) ? Date.parse(`${value('DATE')}Z`) / 1000 : Number.NaN;
  if (Number.isNaN(filedAt)) return { reason: 'unreadable row' };
  const type = TYPES[value('REPORT_TYPE').trim()];
  if (type === undefined) return { reason: 'another kind of report', filedAt };
  // Outside the United States it is mostly 99999. Several stations can share an ICAO code in the station list: a call
  // sign that is another code shows that the row belongs to another station.
  const sign = value('CALL_SIGN').trim();
  const callSign = ICAO_CODE.test(sign) ? sign : undefined;
  const station = stationOf(value('STATION'), callSign);
  if (station === undefined) return { reason: 'not an ICAO code', filedAt };
  if (callSign !== undefined && callSign !== station) return { reason: 'wrong station', filedAt };
  const report = extractReport(value('REM'), value('EQD'));
  return report.kind === 'report'
    ? { station, filedAt, text: report.text, type }
    : { reason: report.reason, filedAt };
}
