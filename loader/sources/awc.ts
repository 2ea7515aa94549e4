import { ICAO_CODE, REPORT_TYPES } from '../../clickhouse/model/report.ts';
import type { StationDescription } from '../../clickhouse/stations.ts';
import { decodeText } from './body.ts';
import { openCsv, placeOf } from './csv.ts';
import type { RowFormat, SkippedRow, SourceRow, WholeFileFormat } from './format.ts';
import { rowTimeParser, shown, UNREADABLE_ROW } from './parse-rows.ts';
import { type Body, type FileSource, InvalidResponseError, LATEST_SECONDS } from './source.ts';
import { isObject, isoCountry, MAX_LIST_BYTES, parseJson, toStationDescription } from './station-lists.ts';

/**
 * NOAA's Aviation Weather Center (https://aviationweather.gov/data/cache/). It has only the newest reports, so they are
 * read from files; its station list is fetched.
 */
export function awc(host = 'https://aviationweather.gov'): FileSource {
  return {
    kind: 'files',
    source: 'awc',
    publisher: 'NOAA AWC',
    rank: 3,
    sendsTypes: true,
    fileFormats: () => [METARS_CACHE_FORMAT],
    wholeFileFormats: [AWC_XML, AWC_JSON],
    // The list has only the stations that exist today.
    descriptionRanks: { rank: 3, elevationRank: 2 },
    descriptionList: {
      request: { url: `${host}/data/cache/stations.cache.json.gz`, maxBytes: MAX_LIST_BYTES },
      parse: async (body) => ({ listings: [], descriptions: await parseAwcStations(body) }),
    },
  };
}

/** A file of all stations has 5 MB. A response of the API has at most 400 reports. */
const MAX_BYTES_OF_FILE = 64_000_000;

/** Names of the values of a report: columns of `metars.cache.csv`, elements of its XML. Answers of chosen fields lack others. */
const REPORT = ['raw_text', 'station_id', 'observation_time'] as const;
const OPTIONAL_COLUMNS = ['metar_type', 'latitude', 'longitude', 'elevation_m'] as const;
type AwcName = (typeof REPORT | typeof OPTIONAL_COLUMNS)[number];

/** A value that a report lacks is empty. */
function awcRowReader(): (value: (name: AwcName) => string) => SourceRow | SkippedRow {
  const parseTime = rowTimeParser();
  return (value) => {
    const filedAt = parseTime(value('observation_time'));
    if (filedAt === undefined) return { reason: UNREADABLE_ROW };
    const type = REPORT_TYPES.find((known) => known === value('metar_type'));
    const place = placeOf(value('latitude'), value('longitude'), value('elevation_m'));
    return { station: value('station_id'), filedAt, text: value('raw_text'), type, ...(place && { place }) };
  };
}

/** The XML of AWC: `metars.cache.xml`, and `format=xml` of its API. */
const AWC_XML: WholeFileFormat = {
  name: 'a response of METAR with raw_text, station_id and observation_time',
  maxBytes: MAX_BYTES_OF_FILE,
  isStart: (bytes) => /^\s*<.*(?:<raw_text>|<data num_results="0")/s.test(decodeText(bytes)),
  async *rows(file) {
    // Every command imports this file, and few read XML.
    const { SaxesParser } = await import('saxes');
    const readRow = awcRowReader();
    const reports: Map<string, string>[] = [];
    const parser = new SaxesParser();
    let [name, text] = ['', ''];
    parser.on('opentag', (tag) => {
      if (tag.name === 'METAR') reports.push(new Map());
      [name, text] = [tag.name, ''];
    });
    for (const event of ['text', 'cdata'] as const)
      parser.on(event, (more) => {
        text += more;
      });
    let failure: string | undefined;
    parser.on('closetag', (tag) => {
      if (tag.name === 'error') failure ??= `it says ${shown(text.trim())}`;
      if (tag.name === name) reports.at(-1)?.set(name, text.trim());
    });
    parser.on('error', ({ message }) => {
      failure ??= `damaged XML: ${message}`;
    });
    parser.write(decodeText(file)).close();
    for (const report of reports) yield readRow((each) => report.get(each) ?? '');
    if (failure !== undefined) throw new InvalidResponseError(failure);
  },
};

/** `format=json` and `format=geojson` of AWC's API; without reports also as an empty list. */
const AWC_JSON: WholeFileFormat = {
  name: 'a list of objects with icaoId, obsTime and rawOb',
  maxBytes: MAX_BYTES_OF_FILE,
  isStart: (bytes) => /^\s*(?:\[\s*\]|\{.*"features":\s*\[\s*\]|[[{].*"rawOb")/s.test(decodeText(bytes)),
  rows(file) {
    const parseTime = rowTimeParser();
    const list = jsonOf(file);
    const features = isObject(list) && !Array.isArray(list) ? (list.features ?? list.data) : list;
    return (Array.isArray(features) ? features : [undefined]).map((feature) =>
      readObject(feature, parseTime),
    );
  },
};

function readObject(feature: unknown, parseTime: ReturnType<typeof rowTimeParser>): SourceRow | SkippedRow {
  const report = isObject(feature) && isObject(feature.properties) ? feature.properties : feature;
  if (!isObject(report)) return { reason: UNREADABLE_ROW };
  const { icaoId, id, rawOb, obsTime, receiptTime, reportTime, metarType, lat, lon, elev } = report;
  const station = icaoId ?? id;
  const seconds = (time: unknown) => (typeof time === 'number' ? time : parseTime(String(time)));
  // A report is received after it was observed, so `receiptTime` is the later bound; `reportTime` is rounded to the hour.
  const received = seconds(receiptTime ?? reportTime);
  const observed = seconds(obsTime);
  const isNear = observed !== undefined && Math.abs((received ?? observed) - observed) <= LATEST_SECONDS;
  const filedAt = isNear ? observed : received;
  if (filedAt === undefined || typeof station !== 'string' || typeof rawOb !== 'string')
    return { reason: UNREADABLE_ROW };
  const type = REPORT_TYPES.find((known) => known === metarType);
  const place = { latitude: lat, longitude: lon, elevation_m: elev };
  return { station, filedAt, text: rawOb, type, ...(typeof lat === 'number' && { place }) };
}

/** A value, or the objects that follow each other. @throws InvalidResponseError where it is damaged */
export function jsonOf(file: Buffer): unknown {
  const text = decodeText(file);
  // Neither one value nor a text in it has a name there: pages that were saved one after the other have.
  const joined = text.replace(/\}\s*\{(?=\s*"\w+":)/g, '},{');
  try {
    return JSON.parse(joined === text ? text : `[${joined}]`);
  } catch (error) {
    throw new InvalidResponseError(`damaged JSON: ${(error as Error).message}`);
  }
}

/** metars.cache.csv: the newest report of every station. Until 2025 five lines precede its header, and texts lack keywords. */
const METARS_CACHE_FORMAT: RowFormat = {
  name: `rows of ${REPORT.join(', ')}, with times such as 2024-01-31T12:51:00Z`,
  open: (header) => openCsv(header, REPORT, OPTIONAL_COLUMNS, awcRowReader()),
};

/**
 * Parses the list of stations, a JSON array in a file of gzip. The elevation is in meters, the country an ISO code.
 * Stations without METAR reports are left out.
 */
async function parseAwcStations(body: Body): Promise<readonly StationDescription[]> {
  const rows = await parseJson(body);
  if (!Array.isArray(rows)) throw new InvalidResponseError('no list of stations');
  return rows.filter(isObject).flatMap(({ icaoId, site, country, state, lat, lon, elev, siteType }) => {
    if (typeof icaoId !== 'string' || !ICAO_CODE.test(icaoId)) return [];
    if (Array.isArray(siteType) && !siteType.includes('METAR')) return [];
    const sent = { name: site, country: isoCountry(country, state), latitude: lat, longitude: lon };
    return [toStationDescription('awc', icaoId, { ...sent, elevation_m: elev })];
  });
}
