import { REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { findColumns, parseCsvLine } from './csv.ts';
import type { RowFormat } from './parse-rows.ts';

const COLUMNS = ['raw_text', 'station_id', 'observation_time', 'metar_type'] as const;
/** With milliseconds since 2026. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * The metars.cache.csv of NOAA's Aviation Weather Center (https://aviationweather.gov/data/cache/): the newest report of
 * every station. Files of 2025 and before have five lines before the header, and reports without keyword.
 */
export const METARS_CACHE_FORMAT: RowFormat = {
  name: `rows of ${COLUMNS.join(', ')}`,
  open: (header) => {
    const names = parseCsvLine(header);
    const columns = findColumns(names, COLUMNS);
    if (columns === undefined) return undefined;
    return (line) => {
      const values = parseCsvLine(line);
      const value = (name: (typeof COLUMNS)[number]) => values[columns[name]] ?? '';
      const time = value('observation_time');
      const filedAt = TIME.test(time) ? Date.parse(time) / 1000 : Number.NaN;
      if (values.length !== names.length || Number.isNaN(filedAt)) return { reason: 'unreadable row' };
      const type = REPORT_TYPES.find((known) => known === value('metar_type'));
      const row = { station: value('station_id'), filedAt, text: value('raw_text') };
      return type === undefined ? row : { ...row, type };
    };
  },
};
