import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import type { StationDescription } from '../../../clickhouse/stations/station-descriptions.ts';
import { isoCountryOfFips } from '../countries.ts';
import { type Columns, findColumns, parseCsvLine } from '../csv.ts';
import { toStationDescription } from '../description-values.ts';
import { type Body, InvalidResponseError } from '../source.ts';
import { forEachLine } from '../split-lines.ts';

/** An ICAO station under one of its ISD station ids. */
export type IsdStation = {
  readonly station: string;
  /** USAF number (6 characters) and WBAN number (5). */
  readonly id: string;
  readonly firstYear: number;
  readonly lastYear: number;
  /** `YYYYMMDD`. */
  readonly lastDay: string;
  readonly description: StationDescription;
};

const REQUIRED_COLUMNS = ['USAF', 'WBAN', 'ICAO', 'BEGIN', 'END'] as const;
const OPTIONAL_COLUMNS = ['STATION NAME', 'CTRY', 'STATE', 'LAT', 'LON', 'ELEV(M)'] as const;
type Column = (typeof REQUIRED_COLUMNS)[number] | (typeof OPTIONAL_COLUMNS)[number];

/** There are some 30,000 rows. */
const MAX_STATIONS = 100_000;

/**
 * Parses ISD's station list (https://www.ncei.noaa.gov/pub/data/noaa/isd-history.csv), the rows with an ICAO code. A
 * station has had several ids over time, so a code can have several rows.
 */
export async function parseHistory(body: Body): Promise<readonly IsdStation[]> {
  const stations: IsdStation[] = [];
  let columns: Columns<Column> | undefined;
  await forEachLine(body, (line) => {
    const values = parseCsvLine(line);
    if (columns === undefined) {
      columns = findColumns<Column>(values, REQUIRED_COLUMNS, OPTIONAL_COLUMNS);
      if (columns === undefined) throw new InvalidResponseError(`no header ${REQUIRED_COLUMNS.join(', ')}`);
      return;
    }
    const value = (name: Column) => values[columns?.[name] ?? -1] ?? '';
    const station = value('ICAO').trim();
    const id = value('USAF') + value('WBAN');
    if (!ICAO_CODE.test(station) || !/^[A-Z0-9]{11}$/.test(id)) return;
    const year = (name: 'BEGIN' | 'END') => Number(value(name).slice(0, 4));
    const description = describe(station, value);
    stations.push({
      station,
      id,
      firstYear: year('BEGIN'),
      lastYear: year('END'),
      lastDay: value('END'),
      description,
    });
    if (stations.length > MAX_STATIONS) throw new InvalidResponseError(`more than ${MAX_STATIONS} stations`);
  });
  return stations;
}

/** Countries are FIPS codes. */
function describe(station: string, value: (name: Column) => string): StationDescription {
  const number = (name: Column) => (/^[+-]?\d+(\.\d+)?$/.test(value(name)) ? Number(value(name)) : undefined);
  return toStationDescription('ncei', station, {
    name: value('STATION NAME'),
    country: isoCountryOfFips(value('CTRY'), value('STATE')),
    latitude: number('LAT'),
    longitude: number('LON'),
    elevation_m: number('ELEV(M)'),
  });
}
