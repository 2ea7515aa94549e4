import { dayStart } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE, type ReportType } from '../../../clickhouse/model/report.ts';
import { type SkipCounts, type SkipReason, skip } from '../../pipeline/skip-reasons.ts';
import { parseCsvLine } from '../csv.ts';
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

const NEEDED = ['STATION', 'DATE', 'REPORT_TYPE', 'CALL_SIGN', 'REM'] as const;
type Column = (typeof NEEDED)[number];
type Columns = Readonly<Record<Column, number>>;

const TYPES: Readonly<Record<string, ReportType>> = { 'FM-15': 'METAR', 'FM-16': 'SPECI' };
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/**
 * Reads a year of a station in ISD's global-hourly CSV: all kinds of reports of the station merged, METAR and SPECI
 * among them with their text in the column REM. The files are static, so a whole transfer is a whole answer.
 */
export async function parseIsd(body: Body, slice: Slice): Promise<ParsedBody> {
  const window = { from: dayStart(slice.firstDay), to: dayStart(slice.endDay) };
  const skipped: SkipCounts = {};
  const rows: SourceRow[] = [];
  let columns: Columns | undefined;
  const { ended } = await forEachLine(body, (line) => {
    if (columns === undefined) {
      columns = readHeader(line);
      return;
    }
    const row = readRow(line, columns, () => slice.station);
    if (typeof row === 'string') skip(skipped, row);
    else if (row.filedAt < window.from || row.filedAt >= window.to) skip(skipped, 'outside the window');
    else rows.push(row);
  });
  if (columns === undefined) throw new InvalidResponseError('an empty body');
  if (!ended) throw new InvalidResponseError('the last line is cut');
  return { rows, skipped };
}

/**
 * The rows of a file in this format; `undefined` where the line is no header of it.
 *
 * @param stations ICAO codes by ISD's number; without one, a row's call sign tells the station
 */
export function isdRowParser(header: string, stations: ReadonlyMap<string, string>): RowParser | undefined {
  const columns = columnsIn(header);
  if (columns === undefined) return undefined;
  return (line) => readRow(line, columns, (id, callSign) => stations.get(id) ?? callSign);
}

function readHeader(line: string): Columns {
  const columns = columnsIn(line);
  if (columns === undefined)
    throw new InvalidResponseError(`no header ${NEEDED.join(', ')} but ${JSON.stringify(line.slice(0, 80))}`);
  return columns;
}

function columnsIn(line: string): Columns | undefined {
  const names = parseCsvLine(line);
  const columns = Object.fromEntries(NEEDED.map((name) => [name, names.indexOf(name)])) as Columns;
  return Object.values(columns).some((at) => at < 0) ? undefined : columns;
}

function readRow(
  line: string,
  columns: Columns,
  stationOf: (id: string, callSign: string | undefined) => string | undefined,
): SourceRow | SkipReason {
  const values = parseCsvLine(line);
  const date = values[columns.DATE] ?? '';
  const filedAt = DATE.test(date) ? Date.parse(`${date}Z`) / 1000 : Number.NaN;
  if (Number.isNaN(filedAt)) return 'unreadable row';
  const type = TYPES[(values[columns.REPORT_TYPE] ?? '').trim()];
  if (type === undefined) return 'another kind of report';
  // Abroad it is mostly 99999. One that names another station shows that several share an ICAO code in ISD's list.
  const sign = (values[columns.CALL_SIGN] ?? '').trim();
  const callSign = ICAO_CODE.test(sign) ? sign : undefined;
  const station = stationOf(values[columns.STATION] ?? '', callSign);
  if (station === undefined) return 'not an ICAO code';
  if (callSign !== undefined && callSign !== station) return 'wrong station';
  const report = extractReport(values[columns.REM] ?? '');
  return report.kind === 'report' ? { station, filedAt, text: report.text, type } : report.reason;
}
