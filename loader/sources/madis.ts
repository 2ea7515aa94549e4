import { buffer } from 'node:stream/consumers';
import { type Day, SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from '../../clickhouse/model/day.ts';
import { ICAO_CODE, REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { decodeText, unzip } from './body.ts';
import type { SkippedRow, SourceRow } from './format.ts';
import { rowsOfSlice } from './parse-rows.ts';
import {
  type Body,
  InvalidResponseError,
  type ParsedBody,
  type RemoteSource,
  type Slice,
  type SourceRequest,
  windowOfSlice,
} from './source.ts';

/** Earlier files have only stations of the United States. */
const BEGIN_DAY = '2006-03-13' as Day;
/** A file of an hour has 0.5 to 1 MB, and about 10 MB without gzip. */
const MAX_BYTES_OF_HOUR = 16_000_000;
const MAX_UNZIPPED_BYTES = 64_000_000;

/** The file of an hour begins a quarter of an hour before it. */
const FILE_BEGINS_BEFORE = 15 * 60;

/**
 * MADIS of NOAA (https://madis.ncep.noaa.gov/madis_metar.shtml): static files, one an hour with the reports of the
 * whole world, with METAR or SPECI next to the text.
 */
export function madis(host = 'https://madis-data.ncep.noaa.gov'): RemoteSource {
  return {
    kind: 'remote',
    host,
    source: 'madis',
    publisher: 'NOAA MADIS',
    rank: 4,
    sendsTypes: true,
    textLimit: 255,
    rateLimit: { intervalSeconds: 0.5, parallel: 1 },
    givesAllStations: 'only',
    firstDay: BEGIN_DAY,
    requests: (slice) => {
      const { from, to } = windowOfSlice(slice);
      const requests: SourceRequest[] = [];
      for (let hour = hourOfFile(from); hour <= hourOfFile(to - 60); hour += SECONDS_PER_HOUR)
        requests.push({ url: host + pathOf(hour), maxBytes: MAX_BYTES_OF_HOUR, mayBeAbsent: true });
      return requests;
    },
    // Some 250,000 reports a day.
    maxRows: 400_000,
    parse,
    wholeFileFormats: [
      {
        name: 'an hour file of MADIS',
        maxBytes: MAX_UNZIPPED_BYTES,
        isStart: (bytes) => bytes.toString('latin1', 0, 3) === 'CDF',
        rows: readHourFile,
      },
    ],
  };
}

/** Seconds since 1970-01-01T00:00:00Z. */
function hourOfFile(observedAt: number): number {
  return Math.floor((observedAt + FILE_BEGINS_BEFORE) / SECONDS_PER_HOUR) * SECONDS_PER_HOUR;
}

function pathOf(hour: number): string {
  const [day = '', time = ''] = new Date(hour * 1000).toISOString().split('T');
  const name = `${day.replaceAll('-', '')}_${time.slice(0, 2)}00.gz`;
  return `/madisPublic1/data/archive/${day.replaceAll('-', '/')}/point/metar/netcdf/${name}`;
}

async function parse(body: Body, slice: Slice, maxRows: number): Promise<ParsedBody> {
  const { rows, skipped, add } = rowsOfSlice(slice, windowOfSlice(slice), maxRows);
  const file = await unzip(await buffer(body), MAX_UNZIPPED_BYTES);
  for await (const row of readHourFile(file)) add(row);
  return { rows, skipped };
}

/** NUL characters fill up the texts, which have a fixed length; `timeObs` is 1.8e308 if MADIS has none. */
const COLUMNS = { stationName: 'char', reportType: 'char', rawMETAR: 'char', timeObs: 'double' } as const;

/**
 * Reads an hour file: classic NetCDF, whose records are reports. The library reads texts character by character, and
 * does not notice where a file ends early, so the values are read here.
 *
 * @throws InvalidResponseError where it is damaged or another file
 */
export async function* readHourFile(bytes: Buffer) {
  const { recordDimension, dimensions, variables } = await readHeader(bytes);
  const { length: records, recordStep: step = 0 } = recordDimension;
  if (records === 0) return;
  /** Where the value of a record begins, and its bytes. */
  const column = (name: keyof typeof COLUMNS) => {
    const variable = variables.find((each) => each.name === name);
    if (variable?.record !== true || variable.type !== COLUMNS[name])
      throw new InvalidResponseError(`a NetCDF file without the variable ${name}`);
    const { offset, size } = variable;
    const [, ...shape] = variable.dimensions.map((id) => dimensions[id]?.size ?? Number.NaN);
    const width = shape.reduce((product, length) => product * length, variable.type === 'char' ? 1 : 8);
    if (!(width <= size && size <= step && offset + (records - 1) * step + size <= bytes.length))
      throw new InvalidResponseError(`a NetCDF file with fewer than ${records} values of ${name}`);
    return (at: number) => bytes.subarray(offset + at * step, offset + at * step + width);
  };
  const textColumn = (name: keyof typeof COLUMNS) => {
    const bytesOf = column(name);
    return (at: number) => {
      const value = bytesOf(at);
      const end = value.indexOf(0);
      return decodeText(end < 0 ? value : value.subarray(0, end)).trim();
    };
  };
  const [station, type] = [textColumn('stationName'), textColumn('reportType')];
  const [text, time] = [textColumn('rawMETAR'), column('timeObs')];
  for (let at = 0; at < records; at += 1)
    yield rowOf(station(at), type(at), text(at), time(at).readDoubleBE());
}

async function readHeader(bytes: Buffer) {
  // Every command imports this file, and few read NetCDF.
  const { NetCDFReader } = await import('netcdfjs');
  try {
    const { header } = new NetCDFReader(bytes);
    return { ...header, dimensions: header.dimensions ?? [], variables: header.variables ?? [] };
  } catch (error) {
    throw new InvalidResponseError(`not a readable NetCDF file: ${(error as Error).message}`);
  }
}

/** The group `ddhhmmZ`, which keyword, correction and station precede. */
const DAY_TIME = /^(?:\S+ +){1,4}?\d{6}Z(?: |$)/;

/** @param time seconds since 1970-01-01T00:00:00Z */
function rowOf(station: string, typeSent: string, text: string, time: number): SourceRow | SkippedRow {
  if (text === '') return { reason: 'empty text' };
  if (!ICAO_CODE.test(station)) return { reason: 'not an ICAO code' };
  if (!(time > 0 && time < Number.MAX_SAFE_INTEGER)) return { reason: 'no time' };
  if (!DAY_TIME.test(text)) return { reason: 'text without time' };
  const type = REPORT_TYPES.find((known) => known === typeSent);
  return { station, filedAt: time - (time % SECONDS_PER_MINUTE), text, type };
}
