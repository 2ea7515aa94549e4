import { parseTime } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE, type ReportType, SOURCE_ENDS } from '../../../clickhouse/model/report.ts';
import { forEachRow, numberIn, openCsv, placeOf } from '../csv.ts';
import type { RowFormat, SkippedRow, SkipReason, SourceRow } from '../format.ts';
import { CUT_SHORT, parseRows, rowTimeParser, UNREADABLE_ROW } from '../parse-rows.ts';
import { type Body, OTHER_KIND, type RemoteSource, WRONG_STATION } from '../source.ts';
import {
  directoryOf,
  isoCountryOfFips,
  MAX_LIST_BYTES,
  type StationId,
  toStationDescription,
} from '../station-lists.ts';

/** A row of 600 bytes every five minutes of a year; some of them are METAR and SPECI. */
const MAX_BYTES_OF_YEAR = 64_000_000;

/**
 * The Integrated Surface Database (ISD, "global hourly") of NCEI: static files, one for each station and year, with the
 * keywords METAR and SPECI. https://www.ncei.noaa.gov/data/global-hourly/
 */
export function ncei(host = 'https://www.ncei.noaa.gov'): RemoteSource {
  const stations = new Map<string, readonly IsdStation[]>();
  let stationById = new Map<string, string>();
  const list = {
    request: { url: `${host}/pub/data/noaa/isd-history.csv`, maxBytes: MAX_LIST_BYTES },
    // BEGIN and END of the list are not the station's period of record: they end with an id, or with ISD.
    parse: async (body: Body) => {
      const history = await parseHistory(body);
      stationById = new Map(history.map(({ id, station }) => [id, station]));
      return directoryOf('ncei', history, stations, (a, b) => (b.lastDay >= a.lastDay ? b : a));
    },
  };
  return {
    kind: 'remote',
    host,
    source: 'ncei',
    publisher: 'NOAA NCEI',
    rank: 5,
    sendsTypes: true,
    fileFormats: (icaoCodes) => {
      const reason = icaoCodes.size === 0 ? NO_HISTORY : 'not an ICAO code';
      const stationOf: StationOf = (id, callSign) => icaoCodes.get(id) ?? callSign ?? { reason };
      return [isdFormat(stationOf), isdFixedWidthFormat(stationOf)];
    },
    rateLimit: { intervalSeconds: 0.25, parallel: 4 },
    givesAllStations: false,
    givesWholeYears: true,
    // A year of all stations has some gigabytes in one archive, as much as a thousand files of stations.
    yearArchives: {
      request: (year) => ({
        url: `${host}/data/global-hourly/archive/csv/${year}.tar.gz`,
        maxBytes: 20e9,
        maxSeconds: 12 * 3600,
      }),
      minStations: 1000,
      stations: () => [...stations.keys()],
      stationOf: (file) => stationById.get(/(\w{11})\.csv$/.exec(file)?.[1] ?? ''),
    },
    endDay: SOURCE_ENDS.ncei,
    // One file for each id that the station had in the year.
    requests: ({ station, firstDay }) => {
      const year = Number(firstDay.slice(0, 4));
      const isOfYear = (id: IsdStation) => id.firstYear <= year && year <= id.lastYear;
      return (stations.get(station) ?? []).filter(isOfYear).map(({ id }) => ({
        url: `${host}/data/global-hourly/access/${year}/${id}.csv`,
        maxBytes: MAX_BYTES_OF_YEAR,
        mayBeAbsent: true,
      }));
    },
    maxRows: 200_000,
    parse: (body, slice, maxRows) => {
      const format = isdFormat(() => slice.station);
      return parseRows(body, slice, format, maxRows);
    },
    stationList: list,
    lists: (station) => stations.has(station),
    descriptionList: list,
    // Names in capitals, positions to three decimals, and several rows a code.
    descriptionRanks: { rank: 4, elevationRank: 3 },
  };
}

/** The id has a USAF number (6 characters) and a WBAN number (5). */
type IsdStation = StationId & {
  readonly firstYear: number;
  readonly lastYear: number;
  /** `YYYYMMDD`. */
  readonly lastDay: string;
};

const HISTORY_COLUMNS = ['USAF', 'WBAN', 'ICAO', 'BEGIN', 'END'] as const;
const OPTIONAL_HISTORY_COLUMNS = ['STATION NAME', 'CTRY', 'STATE', 'LAT', 'LON', 'ELEV(M)'] as const;

/**
 * Parses ISD's station list (https://www.ncei.noaa.gov/pub/data/noaa/isd-history.csv), the rows with an ICAO code. A
 * station has had several ids over time, so a code can have several rows.
 */
export async function parseHistory(body: Body): Promise<readonly IsdStation[]> {
  const stations: IsdStation[] = [];
  await forEachRow(body, HISTORY_COLUMNS, OPTIONAL_HISTORY_COLUMNS, (value) => {
    const station = value('ICAO');
    const id = value('USAF') + value('WBAN');
    if (!ICAO_CODE.test(station) || !/^[A-Z0-9]{11}$/.test(id)) return;
    const year = (name: 'BEGIN' | 'END') => Number(value(name).slice(0, 4));
    const years = { firstYear: year('BEGIN'), lastYear: year('END'), lastDay: value('END') };
    const description = toStationDescription('ncei', station, {
      name: value('STATION NAME'),
      country: isoCountryOfFips(value('CTRY'), value('STATE')),
      latitude: numberIn(value('LAT')),
      longitude: numberIn(value('LON')),
      elevation_m: numberIn(value('ELEV(M)')),
    });
    stations.push({ station, id, ...years, description });
  });
  return stations;
}

const ISD_COLUMNS = ['STATION', 'DATE', 'REPORT_TYPE', 'CALL_SIGN', 'REM'] as const;
/** The file of a year lacks EQD where no row has it. */
const OPTIONAL_ISD_COLUMNS = ['EQD', 'LATITUDE', 'LONGITUDE', 'ELEVATION'] as const;

export const NO_TEXT = 'no text';
export const NO_HISTORY: SkipReason = 'ISD station id, and no isd-history.csv among the files';
/** `SY-MT` is a SYNOP and a METAR in one row. */
const TYPE_OF_KIND: Readonly<Record<string, ReportType>> = {
  'FM-15': 'METAR',
  'FM-16': 'SPECI',
  'SY-MT': 'METAR',
};

/**
 * A year of a station in ISD's global-hourly CSV. All kinds of reports are in one file. A METAR or SPECI has its text in
 * the column REM; the text decides, because ISD merges reports of one time under other kinds too. Format: https://www.ncei.noaa.gov/data/global-hourly/doc/isd-format-document.pdf.
 */
function isdFormat(stationOf: StationOf): RowFormat {
  return {
    name: `rows of ${ISD_COLUMNS.join(', ')}, with times such as 2024-01-31T12:51:00 in UTC`,
    open: (header) => {
      const parseDate = rowTimeParser();
      return openCsv(header, ISD_COLUMNS, OPTIONAL_ISD_COLUMNS, (value) => {
        const filedAt = parseDate(value('DATE'));
        if (filedAt === undefined) return { reason: UNREADABLE_ROW };
        const [id, reportType, callSign] = [value('STATION'), value('REPORT_TYPE'), value('CALL_SIGN')];
        const place = placeOf(value('LATITUDE'), value('LONGITUDE'), value('ELEVATION'));
        const [remarks, qualityData] = [value('REM'), value('EQD')];
        return rowOf({ id, filedAt, reportType, callSign, place, remarks, qualityData }, stationOf);
      });
    },
  };
}

/**
 * The control data of a line of ISD's own format, at fixed positions: USAF and WBAN number, date, time, source, position in
 * thousandths of a degree, kind of report, elevation in meters, call sign.
 */
const CONTROL_DATA =
  /^\d{4}([A-Z0-9]{6}\d{5})(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)[A-Z0-9]([+-]\d{5})([+-]\d{6})(.{5})([+-]\d{4})(.{5})/;
/** Mandatory and additional data come before the remarks. */
const REMARKS = /REM(?=(?:MET|SYN|SOD|SOM|AWY|HPD)\d{3})/;

/** The files of `https://www.ncei.noaa.gov/pub/data/noaa/`, in which NCEI wrote ISD before its CSV. */
function isdFixedWidthFormat(stationOf: StationOf): RowFormat {
  const parse = (line: string) => {
    const [, id = '', year, month, day, hour, minute, latitude, longitude, kind = '', elevation, sign = ''] =
      CONTROL_DATA.exec(line) ?? [];
    const filedAt = parseTime(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
    if (Number.isNaN(filedAt)) return { reason: UNREADABLE_ROW };
    const [, ...remarks] = line.split(REMARKS);
    const place = {
      latitude: Number(latitude) / 1000,
      longitude: Number(longitude) / 1000,
      elevation_m: Number(elevation),
    };
    const row = { id, filedAt, reportType: kind.trim(), callSign: sign.trim(), place };
    return rowOf({ ...row, remarks: remarks.join('REM'), qualityData: '' }, stationOf);
  };
  return {
    name: 'lines of ISD in fixed width',
    open: (first) => (CONTROL_DATA.test(first) ? parse : undefined),
    isRow: () => true,
    // The first number counts the characters after the 105 that every line has.
    isWhole: (line) => line.length === 105 + Number(line.slice(0, 4)),
  };
}

/** The ICAO code of a row by its ISD station id and, where it is an ICAO code, its call sign; else why it has none. */
type StationOf = (id: string, callSign: string | undefined) => string | SkippedRow;

type IsdRow = Pick<SourceRow, 'filedAt' | 'place'> &
  Readonly<Record<'id' | 'reportType' | 'callSign' | 'remarks' | 'qualityData', string>>;

function rowOf(
  { id, filedAt, reportType, callSign: sign, remarks, qualityData, place }: IsdRow,
  stationOf: StationOf,
): SourceRow | SkippedRow {
  const type = TYPE_OF_KIND[reportType];
  const report = extractReport(remarks, qualityData);
  if (type === undefined && 'reason' in report && report.reason === NO_TEXT)
    return { reason: OTHER_KIND, filedAt };
  // Outside the United States it is mostly 99999. Several stations can share an ICAO code in the station list: a call
  // sign that is another code shows that the row belongs to another station.
  const callSign = ICAO_CODE.test(sign) ? sign : undefined;
  const station = stationOf(id, callSign);
  if (typeof station !== 'string') return { ...station, filedAt };
  if (callSign !== undefined && callSign !== station) return { reason: WRONG_STATION, filedAt };
  if ('reason' in report) return { ...report, filedAt };
  // A part of a string keeps the whole string in memory, and here the whole is a chunk of the file.
  const text = Buffer.from(report.text, 'utf8').toString('utf8');
  return { station, filedAt, text, type, ...(place && { place }) };
}

/**
 * REM holds blocks: a name, the length of the text in three digits, the text. MET is a METAR or SPECI; the others are
 * SYNOP, daily and monthly summaries, and remarks (ISD format document, "Remarks Data Section").
 */
const BLOCK = /^(MET|SYN|SOD|SOM|AWY|HPD)(\d{3})/;
const NEXT_BLOCK = /(?:MET|SYN|SOD|SOM|AWY|HPD)\d{3}/;

/**
 * The "Element Quality Data Section" follows REM: the letters EQD, then elements of mostly 16 characters that hold the
 * original value of a corrected element, such as `D07+000000ADE726` or `D100ADE726`. It is not part of the report.
 */
const EQD_SECTION = /EQD[CDNPQR]\d\d.*$/s;
const EQD_ELEMENT_LENGTH = 16;

/** Local standard time of the observer's computer; not the observation time. */
const STAMP = /^\d\d\/\d\d\/\d\d \d\d:\d\d:\d\d /;
const OBSERVER_INITIALS = /\s*\([A-Z]{2,3}\)\s*$/;

/** Returns the METAR or SPECI of a row, without stamp and initials, else as it was sent. `qualityData`: the column EQD. */
export function extractReport(remarks: string, qualityData: string): { text: string } | { reason: string } {
  const block = findMetBlock(remarks);
  if (block === undefined) return { reason: NO_TEXT };
  if (isCutShort(block, qualityData)) return { reason: CUT_SHORT };
  const text = block.text.replace(EQD_SECTION, '').replace(STAMP, '').replace(OBSERVER_INITIALS, '').trim();
  return text === '' ? { reason: NO_TEXT } : { text };
}

/**
 * A text that ends before its stated length is cut short, with two exceptions. Its last character can show that it is
 * complete: `=` ends a report, `)` ends the initials. And the stated length of most US texts includes the EQD section
 * that follows, or the first of two (KAUS 2014: 563 of 719 rows with EQD).
 */
function isCutShort({ text, missing }: MetBlock, qualityData: string): boolean {
  if (missing === 0 || /[=)]\s*$/.test(text)) return false;
  const elements = missing - 'EQD'.length;
  const isSection = elements > 0 && elements <= qualityData.length;
  return !isSection || (elements !== qualityData.length && elements % EQD_ELEMENT_LENGTH !== 0);
}

type MetBlock = NonNullable<ReturnType<typeof findMetBlock>>;

/**
 * Where a stated length does not end at a block or at the end of the field, the text goes on to the next block or the end.
 *
 * @returns also by how many characters the stated length exceeds the field
 */
function findMetBlock(remarks: string) {
  for (let rest = remarks; ; ) {
    const [head, name, stated] = BLOCK.exec(rest) ?? [];
    if (head === undefined) return undefined;
    const text = rest.slice(head.length);
    const length = Number(stated);
    const isBlockEnd = length === text.length || BLOCK.test(text.slice(length));
    const next = text.search(NEXT_BLOCK);
    const last = next < 0 ? text.length : next;
    const end = isBlockEnd ? length : last;
    if (name === 'MET') return { text: text.slice(0, end), missing: Math.max(0, length - text.length) };
    rest = text.slice(end);
  }
}
