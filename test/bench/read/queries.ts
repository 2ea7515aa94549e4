import { writeCursor } from '../../../api/parameters/cursor.ts';
import { readQuery } from '../../../api/parameters/query.ts';
import type { Position } from '../../../clickhouse/model/report.ts';
import { DATABASE } from '../embedded-engine.ts';
import type { HttpClient } from '../http-client.ts';
import type { BenchArchive } from './archive.ts';
import { type Filters, type QueryDefinition, queryDefinitions } from './query-definitions.ts';

export type Query = {
  readonly name: string;
  readonly filters: Filters;
  readonly limit: number;
  /** The last record of the previous page. */
  readonly after?: Position;
  readonly encoding?: 'gzip' | 'br';
};

const RANGES = {
  month: { from: Date.UTC(2024, 2) / 1000, to: Date.UTC(2024, 3) / 1000 },
  years: { from: Date.UTC(2005, 0) / 1000, to: Date.UTC(2026, 0) / 1000 },
} as const;

/** Queries for one station get a station each, as long as there are enough. */
export async function queriesOf({ layout, engine }: BenchArchive): Promise<readonly Query[]> {
  let next = 0;
  const queries: Query[] = [];
  for (const definition of queryDefinitions(layout)) {
    const { name, range, limit = 1000, page, encoding, type = 'all', include = ['raw'] } = definition;
    const stations =
      definition.stations === 'one'
        ? [layout.hourly[next++ % layout.hourly.length] ?? '']
        : definition.stations;
    const filters: Filters = { stations, ...RANGES[range], type, include };
    const after = page && (await positionBefore(engine.http, stations[0] ?? '', page, limit));
    queries.push({ name, filters, limit, ...(after && { after }), ...(encoding && { encoding }) });
  }
  return queries;
}

async function positionBefore(
  http: HttpClient,
  station: string,
  page: NonNullable<QueryDefinition['page']>,
  limit: number,
): Promise<Position> {
  const from = `FROM ${DATABASE}.observations WHERE station = '${station}'`;
  const count = Number(await http.command(`SELECT count() ${from} FORMAT TSV`));
  const offset = page === 'middle' ? Math.floor(count / 2) : count - limit - 1;
  const row = await http.command(
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

/** Path and query string of the request for a page. */
export function pathOf({ filters, limit, after }: Query): string {
  const times = new URLSearchParams({
    from: new Date(filters.from * 1000).toISOString(),
    to: new Date(filters.to * 1000).toISOString(),
    type: filters.type,
  });
  const query = `stations=${filters.stations.join(',')}&include=${filters.include.join(',')}&${times}`;
  const cursor = after && writeCursor(after, readQuery('observations', query));
  return `/v1/history/observations?${query}&limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`;
}

/** The same records as one stream in a form other than JSON. */
export function streamPathOf(query: Query, extension: string): string {
  return pathOf(query).replace('?', `.${extension}?`);
}
