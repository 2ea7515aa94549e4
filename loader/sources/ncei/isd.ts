import { dayStart } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE, type ReportType } from '../../../clickhouse/model/report.ts';
import { type Columns, findColumns, parseCsvLine } from '../csv.ts';
import { parseRows, type RowFormat, type SkippedRow, UNREADABLE_ROW } from '../parse-rows.ts';
import type { Body, ParsedBody, Slice, SourceRow } from '../source.ts';
import { extractReport } from './isd-remarks.ts';

const COLUMNS = ['STATION', 'DATE', 'REPORT_TYPE', 'CALL_SIGN', 'REM'] as const;
/** Absent from a file in which no row has it. */
const QUALITY_COLUMN = 'EQD';
type IsdColumns = Columns<(typeof COLUMNS)[number] | typeof QUALITY_COLUMN>;

const TYPES: Readonly<Record<string, ReportType>> = { 'FM-15': 'METAR', 'FM-16': 'SPECI' };
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

/**
 * A year of a station in ISD's global-hourly CSV. All kinds of reports are in one file; METAR and SPECI have their text in
 * the column REM. Format: https://www.ncei.noaa.gov/data/global-hourly/doc/isd-format-document.pdf.
 *
 * @param stationOf the ICAO code of a row by its ISD station id and, where it is an ICAO code, its call sign
 */
export function isdFormat(
  stationOf: (id: string, callSign: string | undefined) => string | undefined,
): RowFormat {
  return {
    name: `rows of ${COLUMNS.join(', ')}`,
    open: (header) => {
      const columns = findColumns(parseCsvLine(header), COLUMNS, [QUALITY_COLUMN]);
      return columns && ((line) => parseRow(line, columns, stationOf));
    },
  };
}

/** Files are static, so a complete transfer is a complete response. */
export function parseIsd(body: Body, slice: Slice, maxRows: number): Promise<ParsedBody> {
  return parseRows(
    body,
    slice,
    isdFormat(() => slice.station),
    {
      window: { from: dayStart(slice.firstDay), to: dayStart(slice.endDay) },
      maxRows,
    },
  );
}

function parseRow(
  line: string,
  columns: IsdColumns,
  stationOf: (id: string, callSign: string | undefined) => string | undefined,
): SourceRow | SkippedRow {
  const values = parseCsvLine(line);
  const value = (name: keyof IsdColumns) => values[columns[name]] ?? '';
  const filedAt = DATE.test(value('DATE')) ? Date.parse(`${value('DATE')}Z`) / 1000 : Number.NaN;
  if (Number.isNaN(filedAt)) return { reason: UNREADABLE_ROW };
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
    ? { station, filedAt, text: copyOf(report.text), type }
    : { reason: report.reason, filedAt };
}

/** A part of a string keeps the whole string in memory, and here the whole is a chunk of the file. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
