import { parseCsvLine, splitLines } from './body.ts';
import type { RowParser, SentPlace, SkippedRow, SourceRow } from './format.ts';
import { UNREADABLE_ROW } from './parse-rows.ts';
import { type Body, InvalidResponseError } from './source.ts';

/** A tab with IEM's `format=tdf`, a semicolon where a spreadsheet of many languages has saved the file. */
export const SEPARATORS = [',', '\t', ';', '|'] as const;

/**
 * Opens CSV (RFC 4180) by its header, whatever separates and quotes its values. Columns are found by their names; blanks
 * around names and values are none of them, as in the header that IEM sent until February 2019.
 *
 * @param parseRow gets the values by name; that of an optional column which the file lacks is empty
 * @returns `undefined` where a required column is missing: the line is no header
 */
export function openCsv<Required extends string, Optional extends string>(
  header: string,
  required: readonly Required[],
  optional: readonly Optional[],
  parseRow: (value: (name: Required | Optional) => string) => SourceRow | SkippedRow,
): RowParser | undefined {
  for (const separator of SEPARATORS) {
    const names = parseCsvLine(header, separator).map((name) => name.trim());
    const columns = findColumns<Required | Optional>(names, required, optional);
    if (columns === undefined) continue;
    const split = (line: string) =>
      line.includes('"') ? parseCsvLine(line, separator) : line.split(separator);
    let values: readonly string[] = [];
    const value = (name: Required | Optional) => values[columns[name]]?.trim() ?? '';
    const parse = (line: string) => {
      values = split(line);
      // A stray quote hides columns after it, or makes two of one.
      const isRow = values.length === names.length || hasOpenQuote(line, separator);
      return isRow ? parseRow(value) : { reason: UNREADABLE_ROW };
    };
    const isRow = (line: string) => line.split('"').length % 2 === 1 && split(line).length === names.length;
    return joinLines(parse, separator, isRow);
  }
  return undefined;
}

/**
 * The positions of columns in a header, -1 of those that it lacks; `undefined` where it lacks a required one. A database may
 * have written their names in capitals.
 */
function findColumns<Name extends string>(
  header: readonly string[],
  required: readonly Name[],
  optional: readonly Name[],
): Readonly<Record<Name, number>> | undefined {
  const names = header.map((name) => name.toLowerCase());
  if (required.some((name) => !names.includes(name.toLowerCase()))) return undefined;
  const columns = [...required, ...optional].map((name) => [name, names.indexOf(name.toLowerCase())]);
  return Object.fromEntries(columns) as Record<Name, number>;
}

/** Reads a list of stations: CSV without line ends in values. @throws InvalidResponseError where the header lacks a column */
export async function forEachRow<Required extends string, Optional extends string>(
  body: Body,
  required: readonly Required[],
  optional: readonly Optional[],
  take: (value: (name: Required | Optional) => string) => void,
): Promise<void> {
  let columns: ReturnType<typeof findColumns<Required | Optional>>;
  for await (const { lines } of splitLines(body))
    for (const line of lines) {
      const values = parseCsvLine(line);
      if (columns !== undefined) take((name) => values[columns?.[name] ?? -1]?.trim() ?? '');
      else columns = findColumns<Required | Optional>(values, required, optional);
      if (columns === undefined) throw new InvalidResponseError(`no header ${required.join(', ')}`);
    }
}

/** The most characters of a row. Rows of sources have less than a tenth. */
const MAX_ROW = 65_536;

/**
 * Joins the lines of a row whose quoted values contain line ends: after an open quote, the row continues in the next lines. A line
 * that is a row by itself, with an even number of quotes, is not joined, so a stray quote affects no other report.
 */
function joinLines(parseRow: RowParser, separator: string, isRow: (line: string) => boolean) {
  let begun: string | undefined;
  const take = (next?: string) => {
    const row = begun;
    begun = next;
    return row === undefined ? undefined : parseRow(row);
  };
  const parse = (line: string): ReturnType<RowParser> => {
    if (begun === undefined && !hasOpenQuote(line, separator)) return parseRow(line);
    if (begun === undefined || !hasOpenQuote(begun, separator) || isRow(line)) return take(line);
    begun += `\n${line}`;
    return hasOpenQuote(begun, separator) && begun.length < MAX_ROW ? undefined : take();
  };
  return Object.assign(parse, { end: () => take() });
}

function hasOpenQuote(line: string, separator: string): boolean {
  // A quote within a value, such as that of 3" of snow, opens none.
  const canOpen = line.startsWith('"') || line.includes(`${separator}"`);
  return canOpen && line.split('"').length % 2 === 0;
}

export const numberIn = (value: string): number | undefined => (value === '' ? undefined : Number(value));

/** The place in a row, in degrees and meters; `undefined` where it has none. */
export function placeOf(latitude: string, longitude: string, elevation_m: string): SentPlace | undefined {
  if (latitude === '' || longitude === '') return undefined;
  const place = { latitude: Number(latitude), longitude: Number(longitude) };
  return elevation_m === '' ? place : { ...place, elevation_m: Number(elevation_m) };
}
