import { NetCDFReader } from 'netcdfjs';
import { InvalidResponseError } from '../source.ts';

/** A record of an hour file, as MADIS sends it. */
export type MadisRecord = {
  /** Up to 5 characters, mostly an ICAO code. */
  readonly stationName: string;
  /** `METAR` or `SPECI`. */
  readonly reportType: string;
  /** Cut at 255 characters. */
  readonly rawMETAR: string;
  /** Seconds since 1970-01-01T00:00:00Z; 1.8e308 where MADIS knows none. */
  readonly timeObs: number;
};

/** An hour of all stations has some 10,000 records of 1 kB. */
const MAX_RECORDS = 60_000;

const MAGIC = 'CDF';

export function isHourFile(start: Buffer): boolean {
  return start.toString('latin1', 0, MAGIC.length) === MAGIC;
}

type Header = NetCDFReader['header'];

/**
 * Reads an hour file of MADIS: classic NetCDF (https://docs.unidata.ucar.edu/nug/current/file_format_specifications.html)
 * whose records are reports. Throws `InvalidResponseError` where it is damaged or another file.
 */
export function readHourFile(bytes: Buffer): readonly MadisRecord[] {
  const header = parseHeader(bytes);
  const records = { header, bytes, count: countRecords(header) };
  if (records.count === 0) return [];
  const stationName = textColumn(records, 'stationName');
  const reportType = textColumn(records, 'reportType');
  const rawMETAR = textColumn(records, 'rawMETAR');
  const timeObs = column(records, 'timeObs', 'double');
  return Array.from({ length: records.count }, (_, at) => ({
    stationName: stationName(at),
    reportType: reportType(at),
    rawMETAR: rawMETAR(at),
    timeObs: bytes.readDoubleBE(timeObs.offset + at * timeObs.step),
  }));
}

/** The package throws a RangeError where the header points outside the file. */
function parseHeader(bytes: Buffer): Header {
  try {
    return new NetCDFReader(bytes).header;
  } catch (error) {
    throw new InvalidResponseError(`no NetCDF file: ${(error as Error).message}`);
  }
}

function countRecords({ recordDimension: { length } }: Header): number {
  if (length > MAX_RECORDS) throw new InvalidResponseError(`a NetCDF file with ${length} records`);
  return length;
}

type Records = { readonly header: Header; readonly bytes: Buffer; readonly count: number };
type Column = { readonly offset: number; readonly step: number; readonly width: number };

/** Where a variable has its values, one a record. All of them lie in the file. */
function column({ header, bytes, count }: Records, name: string, type: 'char' | 'double'): Column {
  const { variables = [], dimensions = [], recordDimension } = header;
  const variable = variables.find((each) => each.name === name);
  if (variable?.record !== true || variable.type !== type)
    throw new InvalidResponseError(`a NetCDF file without the variable ${name}`);
  const { offset, size } = variable;
  const width = variable.dimensions
    .slice(1)
    .reduce((product, id) => product * (dimensions[id]?.size ?? 0), type === 'char' ? 1 : 8);
  const step = recordDimension.recordStep ?? 0;
  if (width > size || size > step || offset + (count - 1) * step + size > bytes.length)
    throw new InvalidResponseError(`a NetCDF file with less than ${count} values of ${name}`);
  return { offset, step, width };
}

/** Texts of one width, which NUL characters fill up. */
function textColumn(records: Records, name: string): (at: number) => string {
  const { offset, step, width } = column(records, name, 'char');
  return (at) => {
    const start = offset + at * step;
    const text = records.bytes.toString('latin1', start, start + width);
    const end = text.indexOf('\0');
    return (end < 0 ? text : text.slice(0, end)).trim();
  };
}
