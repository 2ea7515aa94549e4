import { textOf } from '../body.ts';
import { InvalidResponseError } from '../source.ts';

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

/**
 * Reads an hour file of MADIS: classic NetCDF (https://docs.unidata.ucar.edu/nug/current/file_format_specifications.html)
 * whose records are reports. Throws `InvalidResponseError` where it is damaged or another file.
 */
export function readHourFile(bytes: Buffer): readonly MadisRecord[] {
  const header = readNetcdfHeader(bytes);
  const { records: count } = header;
  if (count === 0) return [];
  const stationName = textColumn(header, bytes, 'stationName');
  const reportType = textColumn(header, bytes, 'reportType');
  const rawMETAR = textColumn(header, bytes, 'rawMETAR');
  const timeObs = column(header, bytes, 'timeObs', DOUBLE);
  return Array.from({ length: count }, (_, at) => ({
    stationName: stationName(at),
    reportType: reportType(at),
    rawMETAR: rawMETAR(at),
    timeObs: bytes.readDoubleBE(timeObs.offset + at * timeObs.step),
  }));
}

/** Where a variable has its values, one a record. All of them lie in the file. */
function column(
  { records, recordStep: step, variables }: NetcdfHeader,
  bytes: Buffer,
  name: string,
  type: number,
) {
  const variable = variables.find((each) => each.name === name);
  if (variable?.isOfRecord !== true || variable.type !== type)
    throw new InvalidResponseError(`a NetCDF file without the variable ${name}`);
  const { offset, size, shape } = variable;
  const width = shape.reduce((product, length) => product * length, type === CHAR ? 1 : 8);
  if (width > size || size > step || offset + (records - 1) * step + size > bytes.length)
    throw new InvalidResponseError(`a NetCDF file with fewer than ${records} values of ${name}`);
  return { offset, step, width };
}

/** Texts of one width, which NUL characters fill up. */
function textColumn(header: NetcdfHeader, bytes: Buffer, name: string): (at: number) => string {
  const { offset, step, width } = column(header, bytes, name, CHAR);
  return (at) => {
    const start = offset + at * step;
    const value = bytes.subarray(start, start + width);
    const end = value.indexOf(0);
    return textOf(end < 0 ? value : value.subarray(0, end)).trim();
  };
}

type NetcdfVariable = {
  readonly name: string;
  readonly type: number;
  /** The sizes of the dimensions of one value, without that of the records. */
  readonly shape: readonly number[];
  readonly isOfRecord: boolean;
  /** Bytes of a record, or of the whole variable. */
  readonly size: number;
  readonly offset: number;
};

type NetcdfHeader = {
  readonly records: number;
  /** Bytes from one record to the next. */
  readonly recordStep: number;
  readonly variables: readonly NetcdfVariable[];
};

const CHAR = 2;
const DOUBLE = 6;
const BYTES_OF_TYPE: readonly number[] = [0, 1, 1, 2, 4, 4, 8];

const MAGIC = 'CDF';
const [ABSENT, DIMENSIONS, VARIABLES, ATTRIBUTES] = [0, 10, 11, 12];

export function isNetcdf(start: Buffer): boolean {
  return start.toString('latin1', 0, MAGIC.length) === MAGIC;
}

/** The header of a file of classic NetCDF (CDF-1 or CDF-2), without the values of attributes. */
function readNetcdfHeader(bytes: Buffer): NetcdfHeader {
  const version = bytes[MAGIC.length];
  if (!isNetcdf(bytes) || (version !== 1 && version !== 2))
    throw new InvalidResponseError('not a NetCDF file');
  const header = headerReader(bytes, MAGIC.length + 1);
  const records = header.number();
  const dimensions = header.list(DIMENSIONS, 'dimensions', () => {
    header.name();
    return header.number();
  });
  const skipAttributes = () => header.list(ATTRIBUTES, 'attributes', header.skipAttribute);
  skipAttributes();
  const variables = header.list(VARIABLES, 'variables', (): NetcdfVariable => {
    const name = header.name();
    const sizes = header.repeat(header.number(), () => {
      const size = dimensions[header.number()];
      if (size === undefined) throw new InvalidResponseError('a NetCDF file with an unknown dimension');
      return size;
    });
    skipAttributes();
    const type = header.number();
    const size = header.number();
    if (version === 2 && header.number() !== 0)
      throw new InvalidResponseError('a NetCDF file of more than 4 GB');
    // The dimension of the records is stated as 0.
    const isOfRecord = sizes[0] === 0;
    return { name, type, shape: sizes.slice(isOfRecord ? 1 : 0), isOfRecord, size, offset: header.number() };
  });
  const recordStep = variables.reduce((sum, { isOfRecord, size }) => sum + (isOfRecord ? size : 0), 0);
  return { records, recordStep, variables };
}

/** Reads big-endian numbers and texts in turn, each at a multiple of four bytes. */
function headerReader(bytes: Buffer, start: number) {
  let at = start;
  const skip = (length: number): void => {
    at += Math.ceil(length / 4) * 4;
    if (at > bytes.length) throw new InvalidResponseError('a NetCDF file with a cut header');
  };
  const number = (): number => {
    const from = at;
    skip(4);
    return bytes.readUInt32BE(from);
  };
  /** A count that is too high ends at the end of the file. */
  const repeat = <T>(count: number, read: () => T): readonly T[] => {
    const found: T[] = [];
    while (found.length < count) found.push(read());
    return found;
  };
  const name = (): string => {
    const length = number();
    const from = at;
    skip(length);
    return bytes.toString('latin1', from, from + length);
  };
  const list = <T>(tag: number, what: string, read: () => T): readonly T[] => {
    const [found, length] = [number(), number()];
    if (found !== tag && (found !== ABSENT || length > 0))
      throw new InvalidResponseError(`a NetCDF file without its list of ${what}`);
    return repeat(length, read);
  };
  const skipAttribute = (): void => {
    name();
    const bytesOfValue = BYTES_OF_TYPE[number()];
    if (bytesOfValue === undefined) throw new InvalidResponseError('a NetCDF file with an unknown type');
    skip(bytesOfValue * number());
  };
  return { number, repeat, name, list, skipAttribute };
}
