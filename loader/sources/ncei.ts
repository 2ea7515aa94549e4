import type { Day } from '../../clickhouse/day.ts';
import type { Listing } from '../../clickhouse/stations.ts';
import { readCsvLine } from '../csv.ts';
import { readLines } from '../lines.ts';
import { readIsd } from './isd.ts';
import { type Body, NoAnswer, type RemoteOrigin, type Request, type Slice } from './origin.ts';

const HOST = 'https://www.ncei.noaa.gov';
/** ISD was frozen on this day; what was observed later is nowhere in it. */
const END_DAY = '2025-08-27' as Day;

/** One of the numbers, USAF and WBAN, under which ISD has kept an ICAO station over the years. */
type Kept = { readonly id: string; readonly firstYear: number; readonly lastYear: number };

/** NCEI's Integrated Surface Database: static files, a station and year each, with the words METAR and SPECI. */
export function ncei(host: string = HOST): RemoteOrigin {
  const stations = new Map<string, Kept[]>();
  return {
    kind: 'remote',
    source: 'ncei',
    courtesy: { intervalSeconds: 0.25, parallel: 4 },
    worldDays: false,
    endDay: END_DAY,
    requests: (slice) =>
      filesOf(slice, stations).map((path): Request => ({ url: host + path, mayBeAbsent: true })),
    read: readIsd,
    directory: {
      kind: 'whole',
      request: { url: `${host}/pub/data/noaa/isd-history.csv` },
      read: (body) => readHistory(body, stations),
    },
  };
}

function filesOf(
  { station, firstDay }: Slice,
  stations: ReadonlyMap<string, readonly Kept[]>,
): readonly string[] {
  const year = Number(firstDay.slice(0, 4));
  return (stations.get(station) ?? [])
    .filter(({ firstYear, lastYear }) => firstYear <= year && year <= lastYear)
    .map(({ id }) => `/data/global-hourly/access/${year}/${id}.csv`);
}

const NEEDED = ['USAF', 'WBAN', 'ICAO', 'BEGIN', 'END'] as const;
type Columns = Readonly<Record<(typeof NEEDED)[number], number>>;

/**
 * One ICAO code stands for several numbers over time, so all of them are asked. The list's days are no period of
 * record of the station: they end with ISD, or with a number.
 */
async function readHistory(body: Body, stations: Map<string, Kept[]>): Promise<readonly Listing[]> {
  let columns: Columns | undefined;
  stations.clear();
  await readLines(body, (line) => {
    const values = readCsvLine(line);
    if (columns === undefined) {
      const at = Object.fromEntries(NEEDED.map((name) => [name, values.indexOf(name)])) as Columns;
      if (Object.values(at).some((index) => index < 0)) throw new NoAnswer('no header of isd-history.csv');
      columns = at;
      return;
    }
    const value = (name: (typeof NEEDED)[number]) => values[columns?.[name] ?? -1] ?? '';
    const station = value('ICAO').trim();
    const id = value('USAF') + value('WBAN');
    if (!/^[A-Z][A-Z0-9]{3}$/.test(station) || !/^[A-Z0-9]{11}$/.test(id)) return;
    const kept = {
      id,
      firstYear: Number(value('BEGIN').slice(0, 4)),
      lastYear: Number(value('END').slice(0, 4)),
    };
    stations.set(station, [...(stations.get(station) ?? []), kept]);
  });
  if (stations.size === 0) throw new NoAnswer('a list without stations');
  return [...stations.keys()].map((station) => ({ source: 'ncei', station }));
}
