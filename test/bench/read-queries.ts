import { writeCursor } from '../../api/observations/cursor.ts';
import type { Filters } from '../../api/observations/query-params.ts';
import type { Position } from '../../clickhouse/model/report.ts';
import type { BuiltArchive } from './read-archive.ts';
import type { Layout } from './read-layout.ts';

export type Query = {
  readonly name: string;
  readonly filters: Filters;
  readonly limit: number;
  /** The last record of the page before. */
  readonly after?: Position;
  readonly encoding?: 'gzip' | 'br';
};

type Place = 'first' | 'middle' | 'last';
type Sketch = Partial<Pick<Filters, 'type' | 'include'>> &
  Pick<Query, 'encoding'> & {
    readonly name: string;
    readonly stations: readonly string[] | 'one';
    readonly range: 'month' | 'years';
    readonly limit?: number;
    readonly place?: Place;
  };

const RANGES = {
  month: { from: Date.UTC(2024, 2), to: Date.UTC(2024, 3) },
  years: { from: Date.UTC(2005, 0), to: Date.UTC(2026, 0) },
} as const;

/** 1,000 records unless the name says otherwise; `raw` unless it does. */
function sketches({ fifty, thousand, sparse, unknown }: Layout): readonly Sketch[] {
  return [
    { name: '1 station, 1 month', stations: 'one', range: 'month' },
    { name: '1 station, 21 years, first page', stations: 'one', range: 'years' },
    { name: '1 station, 21 years, middle page', stations: 'one', range: 'years', place: 'middle' },
    { name: '1 station, 21 years, last page', stations: 'one', range: 'years', place: 'last' },
    { name: '1 station, 21 years, SPECI only', stations: 'one', range: 'years', type: 'speci' },
    { name: '1 station, 21 years, decoded', stations: 'one', range: 'years', include: ['decoded'] },
    {
      name: '1 station, 21 years, raw and decoded',
      stations: 'one',
      range: 'years',
      include: ['raw', 'decoded'],
    },
    { name: '1 station, 21 years, gzip', stations: 'one', range: 'years', encoding: 'gzip' },
    { name: '1 station, 21 years, brotli', stations: 'one', range: 'years', encoding: 'br' },
    { name: '10 reports a year, 21 years', stations: [sparse], range: 'years' },
    { name: 'unknown station, 21 years', stations: [unknown], range: 'years' },
    { name: '50 stations, 1 month', stations: fifty, range: 'month' },
    { name: '50 stations, 21 years', stations: fifty, range: 'years' },
    { name: '1,000 stations, 21 years', stations: thousand, range: 'years' },
    { name: 'limit 1', stations: 'one', range: 'years', limit: 1 },
    { name: 'limit 100', stations: 'one', range: 'years', limit: 100 },
    { name: 'limit 10,000', stations: 'one', range: 'years', limit: 10_000 },
    { name: 'limit 500: 1 station, 1 month', stations: 'one', range: 'month', limit: 500 },
    { name: 'limit 500: 1 station, 21 years', stations: 'one', range: 'years', limit: 500 },
    {
      name: 'limit 500: 1 station, 21 years, middle page',
      stations: 'one',
      range: 'years',
      limit: 500,
      place: 'middle',
    },
    { name: 'limit 500: 10 reports a year, 21 years', stations: [sparse], range: 'years', limit: 500 },
    { name: 'limit 500: unknown station, 21 years', stations: [unknown], range: 'years', limit: 500 },
    { name: 'limit 500: 50 stations, 21 years', stations: fifty, range: 'years', limit: 500 },
    { name: 'limit 500: 1,000 stations, 21 years', stations: thousand, range: 'years', limit: 500 },
  ];
}

/** Each query for one station has a station of its own, as far as they go. */
export async function queriesOf(archive: BuiltArchive): Promise<readonly Query[]> {
  const { hourly } = archive.layout;
  let next = 0;
  const queries: Query[] = [];
  for (const sketch of sketches(archive.layout)) {
    const { name, range, limit = 1000, place, encoding, type = 'all', include = ['raw'] } = sketch;
    const stations = sketch.stations === 'one' ? [hourly[next++ % hourly.length] ?? ''] : sketch.stations;
    const { from, to } = RANGES[range];
    const filters: Filters = { stations, from, to, type, include };
    const after =
      place === undefined ? undefined : await positionBefore(archive, stations[0] ?? '', place, limit);
    queries.push({ name, filters, limit, ...(after && { after }), ...(encoding && { encoding }) });
  }
  return queries;
}

async function positionBefore(
  { engine, database }: BuiltArchive,
  station: string,
  place: Place,
  limit: number,
): Promise<Position> {
  const from = `FROM ${database}.observations WHERE station = '${station}'`;
  const count = Number(await engine.command(`SELECT count() ${from} FORMAT TSV`));
  const offset = place === 'middle' ? Math.floor(count / 2) : count - limit - 1;
  const row = await engine.command(
    `SELECT toUnixTimestamp(observedAt), type, leftPad(lower(hex(fingerprint)), 8, '0') ${from}
     ORDER BY observedAt, station, type, fingerprint LIMIT 1 OFFSET ${Math.max(0, offset)} FORMAT TSV`,
  );
  const [observedAt, type, fingerprint = ''] = row.split('\t');
  return {
    station,
    observedAt: Number(observedAt),
    type: type === 'SPECI' ? 'SPECI' : 'METAR',
    fingerprint,
  };
}

/** Path and query of the request for a page. */
export function pathOf({ filters, limit, after }: Query): string {
  const query = new URLSearchParams({
    from: new Date(filters.from).toISOString(),
    to: new Date(filters.to).toISOString(),
    type: filters.type,
    limit: String(limit),
    ...(after && { cursor: writeCursor(after, filters) }),
  });
  const lists = `stations=${filters.stations.join(',')}&include=${filters.include.join(',')}`;
  return `/v1/history/observations?${lists}&${query}`;
}
