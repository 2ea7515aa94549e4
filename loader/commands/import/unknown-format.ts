import { decodeText } from '../../sources/body.ts';
import { openCsv } from '../../sources/csv.ts';
import { shown } from '../../sources/parse-rows.ts';

/** What a file is, by its first bytes, and what to do with it. */
const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  'it is UTF-16: save it as UTF-8': ['\xff\xfe', '\xfe\xff'],
  'it is a zip archive or a spreadsheet: unpack it, or save it as CSV': ['PK\x03\x04'],
  'it is a spreadsheet: save it as CSV': ['\xd0\xcf\x11\xe0'],
  'it is compressed with bzip2: unpack it first': ['BZh'],
  'it is compressed with xz: unpack it first': ['\xfd7zXZ'],
  'it is compressed with Zstandard: unpack it first': ['\x28\xb5\x2f\xfd'],
  'it is compressed: unpack it first': [
    '\x1f\x8b',
    '\x1f\x9d',
    '\x1f\xa0',
    '7z\xbc\xaf',
    'Rar!',
    '\x04\x22\x4d\x18',
  ],
  'it is Arrow: ask for Parquet': ['ARROW1', '\xff\xff\xff\xff'],
  'it is HDF5 or NetCDF-4: MADIS has files in NetCDF-3': ['\x89HDF'],
};

/** Texts that this program cannot read, by columns of their header or by their start, and what to do. The first match counts. */
const TEXTS: readonly (readonly [start: RegExp | readonly string[], reason: string])[] = [
  [/^[^\n]*\r[^\n]*$/, 'its lines end in CR alone: save it with line feeds'],
  [['station', 'valid'], 'it has no column metar: ask IEM for data=metar'],
  [['station', 'observedAt'], 'its records have no text: ask for include=raw'],
  [/^\{"id":"/, 'its records have no text: ask for include=raw'],
  [
    /hourly(?:DryBulb|SkyConditions)/i,
    'it is Local Climatological Data (LCD) with local times: load global hourly (ISD) or GHCNh',
  ],
  [['STATION', 'DATE', 'REPORT_TYPE'], 'it has no column REM: load whole files of global hourly (ISD)'],
  [['USAF', 'WBAN'], 'it is the list of stations of ISD: load it beside the files as isd-history.csv'],
  [['temp', 'dwpt', 'rhum'], 'it is data of Meteostat, which has no texts of reports: load another source'],
  [/^\s*<(?:!doctype html|html)/i, 'it is a page of HTML: download the text or the CSV'],
  [/^\s*</, "it is XML, but not that of AWC's API (format=xml)"],
  [
    /^\s*\{.*"historical-observations\/snapshot"/s,
    'it is the manifest of a snapshot: load its folder with the command restore',
  ],
  [/^\s*[[{]/, "it is JSON, but neither that of AWC's API nor that of this service with include=raw"],
  [
    /^\s*(?:(?:METAR|SPECI|COR) )*[A-Z][A-Z0-9]{3} \d{6}Z /,
    'its reports have no month and year: ask IEM without nometa, or AWC for format=json',
  ],
];

/** AWC's cache has five lines before its header, and so has IEM's `format=comma`. */
export const MAX_HEADER_LINES = 6;

/**
 * Why a file of no known format is not loaded, and what to do.
 *
 * @param start its first bytes
 */
export function unknownFormat(start: Buffer): string {
  if (start.length === 0) return 'it is empty';
  const bytes = start.toString('latin1');
  for (const [reason, starts] of Object.entries(SIGNATURES))
    if (starts.some((signature) => bytes.startsWith(signature))) return reason;
  if (bytes.startsWith('ustar', 257)) return 'it is a tar archive: let its name end in .tar or .tar.gz';
  if (bytes.includes('\0')) return 'it is no text: text is UTF-8 or Latin-1';
  const text = decodeText(start);
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const headers = lines.slice(0, MAX_HEADER_LINES);
  const known = TEXTS.find(([of]) => (of instanceof RegExp ? of.test(text) : headers.some(hasColumns(of))));
  return (
    known?.[1] ??
    `the format of the file is not known, its first line is ${shown(lines[0] ?? text.trim())}: see "Files" in docs/loading.md`
  );
}

const hasColumns = (columns: readonly string[]) => (line: string) =>
  openCsv(line, columns, [], () => ({ reason: '' })) !== undefined;
