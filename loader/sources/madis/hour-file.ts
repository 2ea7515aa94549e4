import { InvalidResponseError } from '../source.ts';
import { CHAR, DOUBLE, type NetcdfHeader, readNetcdfHeader } from './netcdf-header.ts';

/** A record of an hour file, as MADIS sends it. */
export type MadisRecord = {
  /** Up to 5 characters, mostly an ICAO code. */
  readonly stationName: string;
  /** `METAR` or `SPECI`. */
  readonly reportType: string;
  /** Cut at 255 characters. */
  readonly rawMETAR: string;
  /** Seconds since 1970-01-01T00:00:00Z; 1.8e308 if MADIS has none. */
  readonly timeObs: number;
};

/** An hour of all stations has some 10,000 records of 1 kB. */
const MAX_RECORDS = 60_000;

/**
 * Reads an hour file of MADIS: classic NetCDF (https://docs.unidata.ucar.edu/nug/current/file_format_specifications.html)
 * whose records are reports. Throws `InvalidResponseError` where it is damaged or another file.
 */
export function readHourFile(bytes: Buffer): readonly MadisRecord[] {
  const header = readNetcdfHeader(bytes);
  const { records: count } = header;
  if (count > MAX_RECORDS) throw new InvalidResponseError(`a NetCDF file with ${count} records`);
  if (count === 0) return [];
  const records = { header, bytes, count };
  const stationName = textColumn(records, 'stationName');
  const reportType = textColumn(records, 'reportType');
  const rawMETAR = textColumn(records, 'rawMETAR');
  const timeObs = column(records, 'timeObs', DOUBLE);
  return Array.from({ length: count }, (_, at) => ({
    stationName: stationName(at),
    reportType: reportType(at),
    rawMETAR: rawMETAR(at),
    timeObs: bytes.readDoubleBE(timeObs.offset + at * timeObs.step),
  }));
}

type Records = { readonly header: NetcdfHeader; readonly bytes: Buffer; readonly count: number };
type Column = { readonly offset: number; readonly step: number; readonly width: number };

/** Where a variable has its values, one a record. All of them lie in the file. */
function column({ header, bytes, count }: Records, name: string, type: typeof CHAR | typeof DOUBLE): Column {
  const { variables, recordStep: step } = header;
  const variable = variables.find((each) => each.name === name);
  if (variable?.isOfRecord !== true || variable.type !== type)
    throw new InvalidResponseError(`a NetCDF file without the variable ${name}`);
  const { offset, size, shape } = variable;
  const width = shape.reduce((product, length) => product * length, type === CHAR ? 1 : 8);
  if (width > size || size > step || offset + (count - 1) * step + size > bytes.length)
    throw new InvalidResponseError(`a NetCDF file with less than ${count} values of ${name}`);
  return { offset, step, width };
}

/** Texts of one width, which NUL characters fill up. */
function textColumn(records: Records, name: string): (at: number) => string {
  const { offset, step, width } = column(records, name, CHAR);
  return (at) => {
    const start = offset + at * step;
    const text = records.bytes.toString('latin1', start, start + width);
    const end = text.indexOf('\0');
    return (end < 0 ? text : text.slice(0, end)).trim();
  };
}
