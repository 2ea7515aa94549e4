import { buffer } from 'node:stream/consumers';
import { type Day, SECONDS_PER_HOUR } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE, REPORT_TYPES } from '../../../clickhouse/model/report.ts';
import { unzip } from '../body.ts';
import type { SkippedRow, SourceRow } from '../format.ts';
import { rowsOfSlice } from '../parse-rows.ts';
import { type Body, type ParsedBody, type RemoteSource, type Slice, windowOfSlice } from '../source.ts';
import { isNetcdf, type MadisRecord, readHourFile } from './netcdf.ts';

/** Earlier files have stations of the United States alone. */
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
    requests: (slice) =>
      hoursOf(slice).map((hour) => ({
        url: host + pathOf(hour),
        maxBytes: MAX_BYTES_OF_HOUR,
        mayBeAbsent: true,
      })),
    // Some 250,000 reports a day.
    maxRows: 400_000,
    parse,
    wholeFileFormats: [
      {
        name: 'an hour file of MADIS',
        maxBytes: MAX_UNZIPPED_BYTES,
        isStart: isNetcdf,
        rows: (file) => readHourFile(file).map(rowOf),
      },
    ],
  };
}

/** The hours, seconds since 1970-01-01T00:00:00Z, whose files can hold a report of the slice. */
function hoursOf(slice: Slice): readonly number[] {
  const { from, to } = windowOfSlice(slice);
  const first = hourOfFile(from);
  const files = (hourOfFile(to - 60) - first) / SECONDS_PER_HOUR + 1;
  return Array.from({ length: files }, (_, at) => first + at * SECONDS_PER_HOUR);
}

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
  for (const record of readHourFile(await unzip(await buffer(body), MAX_UNZIPPED_BYTES))) add(rowOf(record));
  return { rows, skipped };
}

/** The group `ddhhmmZ`, which keyword, correction and station precede. */
const DAY_TIME = /^(?:\S+ +){1,4}?\d{6}Z(?: |$)/;

function rowOf({ stationName, reportType, rawMETAR, timeObs }: MadisRecord): SourceRow | SkippedRow {
  if (rawMETAR === '') return { reason: 'empty text' };
  if (!ICAO_CODE.test(stationName)) return { reason: 'not an ICAO code' };
  if (!(timeObs > 0 && timeObs < Number.MAX_SAFE_INTEGER)) return { reason: 'no time' };
  if (!DAY_TIME.test(rawMETAR)) return { reason: 'text without time' };
  const filedAt = Math.floor(timeObs / 60) * 60;
  const type = REPORT_TYPES.find((known) => known === reportType);
  return { station: stationName, filedAt, text: rawMETAR, type };
}
