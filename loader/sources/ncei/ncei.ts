import type { Listing } from '../../../clickhouse/coverage/station-listings.ts';
import type { Day } from '../../../clickhouse/model/day.ts';
import { groupBy } from '../../group-by.ts';
import {
  type Body,
  InvalidResponseError,
  type RemoteSource,
  type Slice,
  type SourceRequest,
} from '../source.ts';
import { parseIsd } from './isd.ts';
import { type IsdStation, parseHistory } from './isd-history.ts';

const HOST = 'https://www.ncei.noaa.gov';
/** ISD was frozen on this day; what was observed later is nowhere in it. */
const END_DAY = '2025-08-27' as Day;

/** NCEI's Integrated Surface Database: static files, a station and year each, with the words METAR and SPECI. */
export function ncei(host: string = HOST): RemoteSource {
  const stations = new Map<string, IsdStation[]>();
  return {
    kind: 'remote',
    source: 'ncei',
    rateLimit: { intervalSeconds: 0.25, parallel: 4 },
    givesAllStations: false,
    endDay: END_DAY,
    requests: (slice) =>
      filesOf(slice, stations).map((path): SourceRequest => ({ url: host + path, mayBeAbsent: true })),
    parse: parseIsd,
    stationDirectory: {
      kind: 'all stations',
      request: { url: `${host}/pub/data/noaa/isd-history.csv` },
      parse: (body) => readListings(body, stations),
    },
  };
}

function filesOf(
  { station, firstDay }: Slice,
  stations: ReadonlyMap<string, readonly IsdStation[]>,
): readonly string[] {
  const year = Number(firstDay.slice(0, 4));
  return (stations.get(station) ?? [])
    .filter(({ firstYear, lastYear }) => firstYear <= year && year <= lastYear)
    .map(({ id }) => `/data/global-hourly/access/${year}/${id}.csv`);
}

/**
 * All numbers of a code are asked. The list's days are no period of record of the station: they end with ISD, or with
 * a number.
 */
async function readListings(body: Body, stations: Map<string, IsdStation[]>): Promise<readonly Listing[]> {
  const history = await parseHistory(body);
  if (history.length === 0) throw new InvalidResponseError('a list without stations');
  stations.clear();
  for (const [station, numbered] of groupBy(history, (each) => each.station)) stations.set(station, numbered);
  return [...stations.keys()].map((station) => ({ source: 'ncei', station }));
}
