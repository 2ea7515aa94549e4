import { findColumns, parseCsvLine } from './body.ts';
import { csvParser, hasOpenQuote, type RowParser, type SkippedRow, UNREADABLE_ROW } from './parse-rows.ts';
import type { SentPlace, SourceRow } from './source.ts';

/** A tab with IEM's `format=tdf`, a semicolon where a spreadsheet of many languages has saved the file. */
export const SEPARATORS = [',', '\t', ';', '|'] as const;

/**
 * Opens CSV (RFC 4180) by its header, whatever separates and quotes its values. Columns are found by their names; blanks
 * around names and values are none of them, as in the header that IEM sent until February 2019.
 *
 * @param parseRow gets the values by name; that of an optional column which the file lacks is empty
 * @returns `undefined` where a required column is missing: the line is no header
 */
export function openCsv<Name extends string>(
  header: string,
  required: readonly Name[],
  optional: readonly Name[],
  parseRow: (value: (name: Name) => string) => SourceRow | SkippedRow,
): RowParser | undefined {
  for (const separator of SEPARATORS) {
    const names = parseCsvLine(header, separator).map((name) => name.trim());
    const columns = findColumns(names, required, optional);
    if (columns === undefined) continue;
    let values: readonly string[] = [];
    const value = (name: Name) => values[columns[name]]?.trim() ?? '';
    const parse = (line: string) => {
      values = line.includes('"') ? parseCsvLine(line, separator) : line.split(separator);
      // A stray quote hides columns after it, or makes two of one.
      const isRow = values.length === names.length || hasOpenQuote(line);
      return isRow ? parseRow(value) : { reason: UNREADABLE_ROW };
    };
    return csvParser(names.length, parse, separator);
  }
  return undefined;
}

/** The place in a row, in degrees and meters; `undefined` where it has none. */
export function placeOf(latitude: string, longitude: string, elevation_m: string): SentPlace | undefined {
  if (latitude === '' || longitude === '') return undefined;
  const place = { latitude: Number(latitude), longitude: Number(longitude) };
  return elevation_m === '' ? place : { ...place, elevation_m: Number(elevation_m) };
}
