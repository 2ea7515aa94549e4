import { REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { parseAwcStations } from './awc-stations.ts';
import { findColumns, parseCsvLine } from './csv.ts';
import { MAX_LIST_BYTES } from './json-body.ts';
import { type RowFormat, UNREADABLE_ROW } from './parse-rows.ts';
import type { FileSource } from './source.ts';

const HOST = 'https://aviationweather.gov';

/**
 * NOAA's Aviation Weather Center (https://aviationweather.gov/data/cache/). It has only the newest reports, so they are
 * read from files; its station list is fetched.
 */
export function awc(host: string = HOST): FileSource {
  return {
    kind: 'files',
    source: 'awc',
    publisher: 'NOAA AWC',
    rank: 3,
    sendsTypes: true,
    fileFormat: () => METARS_CACHE_FORMAT,
    stationList: {
      request: { url: `${host}/data/cache/stations.cache.json.gz`, maxBytes: MAX_LIST_BYTES },
      parse: parseAwcStations,
      // It has the stations of today.
      ranks: { rank: 3, elevationRank: 2 },
    },
  };
}

const COLUMNS = ['raw_text', 'station_id', 'observation_time', 'metar_type'] as const;
/** With milliseconds since 2026. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * metars.cache.csv: the newest report of every station. Files of 2025 and before have five lines before the header, and
 * reports without keyword.
 */
const METARS_CACHE_FORMAT: RowFormat = {
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
      if (values.length !== names.length || Number.isNaN(filedAt)) return { reason: UNREADABLE_ROW };
      const type = REPORT_TYPES.find((known) => known === value('metar_type'));
      const row = { station: value('station_id'), filedAt, text: value('raw_text') };
      return type === undefined ? row : { ...row, type };
    };
  },
};
