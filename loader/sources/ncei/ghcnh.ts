import { parseTime } from '../../../clickhouse/model/day.ts';
import { findColumns } from '../body.ts';
import { type RowFormat, rowOfText, rowTimeParser, type SkippedRow, UNREADABLE_ROW } from '../parse-rows.ts';
import { OTHER_KIND, type SourceRow, WRONG_STATION } from '../source.ts';
import { extractReport, NO_TEXT } from './isd.ts';

const STATION = ['Station_ID', 'STATION'] as const;
const TIME_PARTS = ['Year', 'Month', 'Day', 'Hour', 'Minute'] as const;

/**
 * The Global Historical Climatology Network hourly (https://www.ncei.noaa.gov/products/global-historical-climatology-network-hourly),
 * values between `|`: by station, with the parts of the time, or by year, with a column DATE. Its column `remarks` keeps the
 * text of ISD, or a text alone; most rows have none.
 */
export const GHCNH_FORMAT: RowFormat = {
  name: 'rows of Station_ID, Year, Month, Day, Hour, Minute or DATE, and remarks between |',
  open: (header) => {
    const names = header.split('|');
    const id = STATION.map((name) => names.indexOf(name)).find((at) => at >= 0);
    const parts = findColumns(names, TIME_PARTS);
    const columns = findColumns(names, ['remarks'], ['DATE']);
    if (id === undefined || columns === undefined || (parts === undefined && columns.DATE < 0))
      return undefined;
    const parseDate = rowTimeParser();
    return (line) => {
      const values = line.split('|');
      const value = (at: number) => values[at]?.trim() ?? '';
      const [year, month, day, hour, minute] = TIME_PARTS.map((name) => two(value(parts?.[name] ?? -1)));
      const filedAt =
        parts === undefined
          ? (parseDate(value(columns.DATE)) ?? Number.NaN)
          : parseTime(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
      if (values.length !== names.length || Number.isNaN(filedAt)) return { reason: UNREADABLE_ROW };
      return rowOf(value(id), value(columns.remarks), filedAt);
    };
  },
};

function rowOf(id: string, remarks: string, filedAt: number): SourceRow | SkippedRow {
  if (remarks === '') return { filedAt, reason: NO_TEXT };
  const isAlone = /^(METAR|SPECI) /.test(remarks);
  const report = isAlone ? { text: remarks } : extractReport(remarks, '');
  if ('reason' in report) return { filedAt, reason: report.reason === NO_TEXT ? OTHER_KIND : report.reason };
  const [, type] = /^(METAR|SPECI) /.exec(report.text) ?? [];
  // Without a keyword nothing says what it is.
  if (type === undefined) return { filedAt, reason: OTHER_KIND };
  const row = rowOfText(report.text, { filedAt, type: type as 'METAR' | 'SPECI' });
  const code = /^..I0000([A-Z][A-Z0-9]{3})$/.exec(id)?.[1];
  return code !== undefined && row.station !== undefined && row.station !== code
    ? { filedAt, reason: WRONG_STATION }
    : row;
}

const two = (digits: string): string => digits.padStart(2, '0');
