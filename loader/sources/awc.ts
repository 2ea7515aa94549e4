import { ICAO_CODE, type ReportType } from '../../clickhouse/model/report.ts';
import { parseCsvLine } from './csv.ts';
import type { RowParser } from './source.ts';

const REQUIRED_COLUMNS = ['raw_text', 'station_id', 'observation_time', 'metar_type'] as const;
/** With milliseconds since 2026. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * Parses the metars.cache.csv of NOAA's Aviation Weather Center (https://aviationweather.gov/data/cache/): the newest
 * report of every station. Files of 2025 and before have five lines before the header, and reports without keyword.
 *
 * @returns `undefined` where the line is not the header
 */
export function awcRowParser(header: string): RowParser | undefined {
  const names = parseCsvLine(header);
  const [raw, id, time, kind] = REQUIRED_COLUMNS.map((name) => names.indexOf(name));
  if ([raw, id, time, kind].some((at) => at === undefined || at < 0)) return undefined;
  return (line) => {
    const values = parseCsvLine(line);
    const value = (at: number | undefined) => values[at ?? -1] ?? '';
    if (values.length !== names.length || !TIME.test(value(time))) return 'unreadable row';
    const filedAt = Date.parse(value(time)) / 1000;
    if (Number.isNaN(filedAt)) return 'unreadable row';
    const station = value(id);
    if (!ICAO_CODE.test(station)) return 'not an ICAO code';
    const type = value(kind);
    const row = { station, filedAt, text: value(raw) };
    return isReportType(type) ? { ...row, type } : row;
  };
}

function isReportType(text: string): text is ReportType {
  return text === 'METAR' || text === 'SPECI';
}
