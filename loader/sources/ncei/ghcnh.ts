import { addDays, type Day } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import { splitLines } from '../body.ts';
import { forEachRow, numberIn, openCsv, placeOf } from '../csv.ts';
import { keywordOf, type RowFormat, type SkippedRow, type SourceRow } from '../format.ts';
import { parseRows, rowOfText, rowTimeParser, UNREADABLE_ROW } from '../parse-rows.ts';
import { type Body, OTHER_KIND, type RemoteSource, WRONG_STATION } from '../source.ts';
import {
  directoryOf,
  isoCountry,
  isoCountryOfFips,
  MAX_LIST_BYTES,
  type StationId,
  toStationDescription,
} from '../station-lists.ts';
import { extractReport, NO_TEXT } from './ncei.ts';

/** A year of UAAA has 10 MB; a row has 329 columns. */
const MAX_BYTES_OF_YEAR = 400_000_000;
/** A row for each of 38,000 stations and each of its years: 90 MB. */
const MAX_INVENTORY_BYTES = 400_000_000;

/**
 * The Global Historical Climatology Network hourly (GHCNh) of NCEI, the successor of ISD: static files, one for each station
 * and year. Its documentation is `doc/ghcnh_DOCUMENTATION.pdf` in the same folder. Names of files and columns are those that
 * github.com/openair-project/worldmet requests (R/import_ghcn_hourly.R, R/import_ghcn_stations.R), whose issues 32 and 49 tell
 * of the end of ISD. Archives of whole years have the date of their making in their name, which no list states.
 */
export function ghcnh(host = 'https://www.ncei.noaa.gov'): RemoteSource {
  const ids = new Map<string, readonly StationId[]>();
  const url = (path: string) => `${host}/oa/global-historical-climatology-network/hourly/${path}`;
  return {
    kind: 'remote',
    host,
    source: 'ghcnh',
    publisher: 'NOAA NCEI',
    rank: 5,
    sendsTypes: true,
    // Some producers of its remarks cut them there.
    textLimit: 200,
    fileFormats: () => [GHCNH_FORMAT],
    rateLimit: { intervalSeconds: 1, parallel: 2 },
    givesAllStations: false,
    givesWholeYears: true,
    // A file of the year was two days old, and ended two days before that; those of the year before were made again in July.
    growsForDays: 60,
    requests: ({ station, firstDay }) => {
      const year = firstDay.slice(0, 4);
      return (ids.get(station) ?? []).map(({ id }) => ({
        url: url(`access/by-year/${year}/psv/GHCNh_${id}_${year}.psv`),
        maxBytes: MAX_BYTES_OF_YEAR,
        mayBeAbsent: true,
      }));
    },
    maxRows: 200_000,
    parse: (body, slice, maxRows) => parseRows(body, slice, GHCNH_FORMAT, maxRows),
    stationList: {
      request: { url: url('doc/ghcnh-station-list.csv'), maxBytes: MAX_LIST_BYTES },
      parse: async (body) => directoryOf('ghcnh', await parseGhcnhStations(body), ids, (first) => first),
    },
    lists: (station) => ids.has(station),
    periodLists: (stations) => [
      {
        request: { url: url('doc/ghcnh-inventory.txt'), maxBytes: MAX_INVENTORY_BYTES, maxSeconds: 3600 },
        parse: (body) => parseInventory(body, ids, stations),
      },
    ],
    descriptionRanks: { rank: 5, elevationRank: 5 },
  };
}

const TIME = ['Year', 'Month', 'Day', 'Hour', 'Minute'] as const;
const OPTIONAL_COLUMNS = ['Station_ID', 'STATION', 'DATE', 'Latitude', 'Longitude', 'Elevation'] as const;

/**
 * Values between `|`: by station, with the parts of the time, or by year, with a column DATE. The column `remarks` keeps the
 * text of ISD, or a text alone; most rows have none.
 */
const GHCNH_FORMAT: RowFormat = {
  name: 'rows of Station_ID, Year, Month, Day, Hour, Minute or DATE, and remarks between |',
  open: (header) => {
    if (!/\b(?:Station_ID|STATION)\b.*\b(?:Minute|DATE)\b/.test(header)) return undefined;
    const parseDate = rowTimeParser();
    return openCsv(header, ['remarks'], [...TIME, ...OPTIONAL_COLUMNS], (value) => {
      const [year, ...parts] = TIME.map((name) => value(name).padStart(2, '0'));
      const [month, day, hour, minute] = parts;
      const parsed = parseDate(value('DATE') || `${year}-${month}-${day} ${hour}:${minute}`);
      if (parsed === undefined) return { reason: UNREADABLE_ROW };
      const row = rowOf(value('Station_ID') || value('STATION'), value('remarks'), parsed);
      const place = placeOf(value('Latitude'), value('Longitude'), value('Elevation'));
      return 'reason' in row ? row : { ...row, place };
    });
  },
};

function rowOf(id: string, remarks: string, filedAt: number): SourceRow | SkippedRow {
  if (remarks === '') return { filedAt, reason: NO_TEXT };
  const report = keywordOf(remarks) === undefined ? extractReport(remarks, '') : { text: remarks };
  if ('reason' in report) return { filedAt, reason: report.reason === NO_TEXT ? OTHER_KIND : report.reason };
  const type = keywordOf(report.text);
  // Without a keyword, the kind of report is unknown.
  if (type === undefined) return { filedAt, reason: OTHER_KIND };
  const row = rowOfText(report.text, { filedAt, type });
  const code = codeOf(id);
  return code !== undefined && row.station !== undefined && row.station !== code
    ? { filedAt, reason: WRONG_STATION }
    : row;
}

/** The ICAO code in an id of network I, whose numbers are ICAO codes. */
function codeOf(id: string): string | undefined {
  return /^..I0000([A-Z][A-Z0-9]{3})$/.exec(id)?.[1];
}

const LIST_COLUMNS = ['GHCN_ID', 'LATITUDE', 'LONGITUDE', 'NAME'] as const;
const OPTIONAL_LIST_COLUMNS = ['ELEVATION', 'STATE', 'ICAO', 'ISO_CODE'] as const;

/**
 * `ghcnh-station-list.csv`. An id has a FIPS country, a network and a number. In network I the number is an ICAO code, as in
 * `UKI0000EGLL`. For other networks the column ICAO, which older lists lack, may have the code: `NLMU0029295` is EHAM. A code can
 * have several ids.
 */
async function parseGhcnhStations(body: Body): Promise<readonly StationId[]> {
  const found: StationId[] = [];
  await forEachRow(body, LIST_COLUMNS, OPTIONAL_LIST_COLUMNS, (value) => {
    const id = value('GHCN_ID');
    const station = value('ICAO') || codeOf(id) || '';
    if (!ICAO_CODE.test(station) || !/^[A-Z0-9-]{11}$/.test(id)) return;
    const description = toStationDescription('ghcnh', station, {
      name: value('NAME'),
      country:
        isoCountry(value('ISO_CODE'), value('STATE')) ?? isoCountryOfFips(id.slice(0, 2), value('STATE')),
      latitude: numberIn(value('LATITUDE')),
      longitude: numberIn(value('LONGITUDE')),
      elevation_m: numberIn(value('ELEVATION')),
    });
    found.push({ station, id, description });
  });
  return found;
}

/**
 * `ghcnh-inventory.txt`: `GHCNh_ID YEAR JAN … DEC`, separated by blanks, with the number of rows of each month. It counts rows of
 * every kind, so a station has no report before its first month with rows. It is older than the files, so a station with rows of
 * this year or the last one has not ended.
 */
async function parseInventory(
  body: Body,
  ids: ReadonlyMap<string, readonly StationId[]>,
  stations: readonly string[],
) {
  const stationOf = new Map(stations.flatMap((code) => (ids.get(code) ?? []).map(({ id }) => [id, code])));
  const months = new Map<string, { first: string; last: string }>();
  const take = (line: string) => {
    const station = stationOf.get(line.slice(0, line.indexOf(' ')));
    if (station === undefined) return;
    const [, year = '', ...counts] = line.trim().split(/\s+/);
    for (const [at, count] of counts.slice(0, 12).entries()) {
      if (!/^\d{4}$/.test(year) || !(Number(count) > 0)) continue;
      const month = `${year}-${String(at + 1).padStart(2, '0')}`;
      const { first, last } = months.get(station) ?? { first: month, last: month };
      months.set(station, { first: month < first ? month : first, last: month > last ? month : last });
    }
  };
  for await (const { lines } of splitLines(body)) lines.forEach(take);
  const lastYear = `${new Date().getUTCFullYear() - 1}`;
  const listings = [...months].map(([station, { first, last }]) => ({
    source: 'ghcnh',
    station,
    firstDay: `${first}-01` as Day,
    ...(last < lastYear && { lastDay: lastDayOf(last) }),
  }));
  return { listings, descriptions: [] };
}

function lastDayOf(month: string): Day {
  const [year, of] = month.split('-').map(Number) as [number, number];
  return addDays(new Date(Date.UTC(year, of)).toISOString().slice(0, 10) as Day, -1);
}
