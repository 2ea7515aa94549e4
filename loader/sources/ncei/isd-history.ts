import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import { parseCsvLine } from '../csv.ts';
import { type Body, InvalidResponseError } from '../source.ts';
import { forEachLine } from '../split-lines.ts';

/** An ICAO station under one of its ISD station ids. */
export type IsdStation = {
  readonly station: string;
  /** USAF number (6 characters) and WBAN number (5). */
  readonly id: string;
  readonly firstYear: number;
  readonly lastYear: number;
};

const REQUIRED_COLUMNS = ['USAF', 'WBAN', 'ICAO', 'BEGIN', 'END'] as const;
type Columns = Readonly<Record<(typeof REQUIRED_COLUMNS)[number], number>>;

/**
 * Parses ISD's station list (https://www.ncei.noaa.gov/pub/data/noaa/isd-history.csv), the rows with an ICAO code. A
 * station has had several ids over time, so a code can have several rows.
 */
export async function parseHistory(body: Body): Promise<readonly IsdStation[]> {
  const stations: IsdStation[] = [];
  let columns: Columns | undefined;
  await forEachLine(body, (line) => {
    const values = parseCsvLine(line);
    if (columns === undefined) {
      columns = parseHeader(values);
      return;
    }
    const value = (name: (typeof REQUIRED_COLUMNS)[number]) => values[columns?.[name] ?? -1] ?? '';
    const station = value('ICAO').trim();
    const id = value('USAF') + value('WBAN');
    if (!ICAO_CODE.test(station) || !/^[A-Z0-9]{11}$/.test(id)) return;
    const year = (name: 'BEGIN' | 'END') => Number(value(name).slice(0, 4));
    stations.push({ station, id, firstYear: year('BEGIN'), lastYear: year('END') });
  });
  return stations;
}

function parseHeader(names: readonly string[]): Columns {
  const columns = Object.fromEntries(REQUIRED_COLUMNS.map((name) => [name, names.indexOf(name)])) as Columns;
  if (Object.values(columns).some((at) => at < 0))
    throw new InvalidResponseError(`no header ${REQUIRED_COLUMNS.join(', ')}`);
  return columns;
}
