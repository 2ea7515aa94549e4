import { REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { textOf } from './body.ts';
import { placeOf } from './csv.ts';
import type { SkippedRow, SourceRow, WholeFileFormat } from './format.ts';
import { rowTimeParser, UNREADABLE_ROW } from './parse-rows.ts';
import { InvalidResponseError, LATEST_SECONDS } from './source.ts';
import { isObject } from './station-lists.ts';

/** All stations have 5 MB, an answer of the API at most 400 reports. */
const MAX_BYTES_OF_FILE = 64_000_000;

const REPORT = ['raw_text', 'station_id', 'observation_time', 'metar_type'] as const;
const PLACE = ['latitude', 'longitude', 'elevation_m'] as const;
export type AwcName = (typeof REPORT | typeof PLACE)[number];

/** Names of the values of a report: columns of `metars.cache.csv`, elements of its XML. */
export const AWC_NAMES = { required: REPORT, optional: PLACE };

/** A value that a report lacks is empty. */
export function awcRowReader(): (value: (name: AwcName) => string) => SourceRow | SkippedRow {
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
export const AWC_XML: WholeFileFormat = {
  name: 'a response of METAR with raw_text, station_id and observation_time',
  maxBytes: MAX_BYTES_OF_FILE,
  isStart: (bytes) => /^\s*<.*<raw_text>/s.test(textOf(bytes)),
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
    parser.on('closetag', (tag) => {
      if (tag.name === name) reports.at(-1)?.set(name, text.trim());
    });
    let damage: Error | undefined;
    parser.on('error', (error) => {
      damage ??= error;
    });
    parser.write(textOf(file)).close();
    for (const report of reports) yield readRow((each) => report.get(each) ?? '');
    if (damage !== undefined) throw new InvalidResponseError(`damaged XML: ${damage.message}`);
  },
};

/** `format=json` and `format=geojson` of AWC's API. */
export const AWC_JSON: WholeFileFormat = {
  name: 'a list of objects with icaoId, obsTime and rawOb',
  maxBytes: MAX_BYTES_OF_FILE,
  isStart: (bytes) => /^\s*[[{].*"rawOb"/s.test(textOf(bytes)),
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
  // It is received after it was observed; the time of the report is that of its hour.
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

/** A value, or one in each line. @throws InvalidResponseError where it is damaged */
export function jsonOf(file: Buffer): unknown {
  const text = textOf(file).trim();
  try {
    return JSON.parse(/\}\r?\n\{/.test(text) ? `[${text.replaceAll('\n', ',')}]` : text);
  } catch (error) {
    throw new InvalidResponseError(`damaged JSON: ${(error as Error).message}`);
  }
}
