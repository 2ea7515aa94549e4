import { addDays, type Day, parseDay } from '../../clickhouse/day.ts';
import type { Listing } from '../../clickhouse/stations.ts';
import { iemId, readAsos } from './asos.ts';
import { type Body, type RemoteOrigin, type Slice, textOf } from './origin.ts';

const HOST = 'https://mesonet.agron.iastate.edu';

/** The Iowa Environmental Mesonet: the widest archive, though without the words METAR and SPECI. */
export function iem(host: string = HOST): RemoteOrigin {
  return {
    kind: 'remote',
    source: 'iem',
    courtesy: { intervalSeconds: 2, parallel: 1 },
    requests: (slice) => [{ url: host + asosPath(slice) }],
    read: readAsos,
    periodRequest: (station) => ({ url: `${host}/api/1/station/${iemId(station)}.json`, mayBeAbsent: true }),
    readPeriod,
  };
}

/**
 * The window is `[sts, ets)`. Types 3 and 4 are what was sent out, 1 is made from 5-minute data. IEM's own guess at
 * routine (3) or special (4) is wrong outside the United States, so one request asks for both.
 */
function asosPath({ station, firstDay, endDay }: Slice): string {
  return (
    `/cgi-bin/request/asos.py?station=${iemId(station)}&data=metar&sts=${firstDay}T00:00Z&ets=${endDay}T00:00Z` +
    '&report_type=3&report_type=4&tz=UTC&format=onlycomma&latlon=no&elev=no&missing=empty&trace=T&direct=no'
  );
}

/**
 * The period of record: a station's rows of the ASOS networks, of which it may have several. IEM counts rebuilt rows
 * in, so the period bounds what there can be and proves nothing; its days are local, hence one more at either end.
 */
async function readPeriod(body: Body, station: string): Promise<Listing | undefined> {
  const rows = stationRows(await textOf(body)).filter(
    ({ id, network }) => id === iemId(station) && typeof network === 'string' && network.endsWith('ASOS'),
  );
  if (rows.length === 0) return undefined;
  const begins = rows.map(({ archive_begin }) => dayAt(archive_begin));
  const ends = rows.map(({ archive_end }) => dayAt(archive_end));
  const first = begins.every((day) => day !== undefined) ? begins.sort()[0] : undefined;
  const last = ends.every((day) => day !== undefined) ? ends.sort().at(-1) : undefined;
  return {
    source: 'iem',
    station,
    ...(first === undefined ? {} : { firstDay: addDays(first, -1) }),
    ...(last === undefined ? {} : { lastDay: addDays(last, 1) }),
  };
}

type StationRow = Readonly<Record<'id' | 'network' | 'archive_begin' | 'archive_end', unknown>>;

/** Both shapes that IEM has used: rows in a list, bare or under `data`. Anything else tells nothing. */
function stationRows(text: string): readonly StationRow[] {
  try {
    const parsed: unknown = JSON.parse(text);
    const list: unknown = Array.isArray(parsed) ? parsed : (parsed as { data?: unknown } | null)?.data;
    return Array.isArray(list) ? list.filter((row) => typeof row === 'object' && row !== null) : [];
  } catch {
    return [];
  }
}

function dayAt(value: unknown): Day | undefined {
  return typeof value === 'string' ? parseDay(value.slice(0, 10)) : undefined;
}
