import { writeCursor } from '../../../api/contract/cursor.ts';
import { readQuery } from '../../../api/contract/query.ts';
import { OBSERVATIONS } from '../../../api/observations/endpoint.ts';
import type { Position } from '../../../clickhouse/model/report.ts';
import { DATABASE } from '../engine.ts';
import type { HttpClient } from '../http-client.ts';
import type { BenchArchive } from './archive.ts';
import type { Layout } from './layout.ts';

/** The parameters of a request; times in seconds since 1970-01-01T00:00:00Z. */
type Filters = {
  readonly stations: readonly string[];
  readonly from: number;
  readonly to: number;
  readonly type: 'all' | 'metar' | 'speci';
  readonly include: readonly ('raw' | 'decoded')[];
};

export type Query = {
  readonly name: string;
  readonly filters: Filters;
  readonly limit: number;
  /** The last record of the previous page. */
  readonly after?: Position;
  readonly encoding?: 'gzip' | 'br';
};

type Definition = Partial<Pick<Filters, 'type' | 'include'> & Pick<Query, 'limit' | 'encoding'>> & {
  readonly name: string;
  /** One station where absent. */
  readonly stations?: readonly string[];
  /** 21 years where absent. */
  readonly range?: Pick<Filters, 'from' | 'to'>;
  /** The first page where absent. */
  readonly page?: 'middle' | 'last';
};

const YEARS_21 = { from: Date.UTC(2005, 0) / 1000, to: Date.UTC(2026, 0) / 1000 };
const MONTH = { from: Date.UTC(2024, 2) / 1000, to: Date.UTC(2024, 3) / 1000 };
const MINUTE_SECONDS = 60;

/** Pages have 1,000 records and `raw` unless the name says otherwise. */
const definitions = ({ fifty, thousand, sparse, unknown }: Layout): readonly Definition[] => [
  { name: '1 station, 1 month', range: MONTH },
  { name: '1 station, 21 years, first page' },
  { name: '1 station, 21 years, middle page', page: 'middle' },
  { name: '1 station, 21 years, last page', page: 'last' },
  { name: '1 station, 21 years, SPECI only', type: 'speci' },
  { name: '1 station, 21 years, decoded', include: ['decoded'] },
  { name: '1 station, 21 years, raw and decoded', include: ['raw', 'decoded'] },
  { name: '1 station, 21 years, gzip', encoding: 'gzip' },
  { name: '1 station, 21 years, brotli', encoding: 'br' },
  { name: '10 reports a year, 21 years', stations: [sparse] },
  { name: 'unknown station, 21 years', stations: [unknown] },
  { name: '50 stations, 1 month', stations: fifty, range: MONTH },
  { name: '50 stations, 21 years', stations: fifty },
  { name: '1,000 stations, 21 years', stations: thousand },
  { name: 'limit 1', limit: 1 },
  { name: 'limit 100', limit: 100 },
  { name: 'limit 10,000', limit: 10_000 },
];

/** Queries for one station get a station each, where there are enough. */
export async function queriesOf({ layout, engine }: BenchArchive): Promise<readonly Query[]> {
  let next = 0;
  const queries: Query[] = [];
  for (const { name, page, encoding, ...definition } of definitions(layout)) {
    const { range = YEARS_21, limit = 1000, type = 'all', include = ['raw'] } = definition;
    const stations = definition.stations ?? [layout.hourly[next++ % layout.hourly.length] ?? ''];
    const after = page && (await positionBefore(engine.http, stations[0] ?? '', page, limit));
    const filters: Filters = { stations, ...range, type, include };
    queries.push({ name, filters, limit, ...(after && { after }), ...(encoding && { encoding }) });
  }
  return queries;
}

async function positionBefore(
  http: HttpClient,
  station: string,
  page: 'middle' | 'last',
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

/** The first page of the 21 years of a station, with `raw`. */
export function yearsOf(station: string): Query {
  const filters = { stations: [station], ...YEARS_21, type: 'all', include: ['raw'] } as const;
  return { name: station, filters, limit: 1000 };
}

let minutes = 0;

/**
 * The same query, which begins a minute later each time. No two ranges are the same to the api, so nothing of a page is in its
 * memory, and each costs the same: reports come once an hour or every half hour.
 */
export function fresh(query: Query): Query {
  minutes += 1;
  const from = query.filters.from + minutes * MINUTE_SECONDS;
  return { ...query, filters: { ...query.filters, from } };
}

/** Path and query string of the request for a page. */
export function pathOf({ filters, limit, after }: Omit<Query, 'name'>): string {
  const times = new URLSearchParams({
    from: new Date(filters.from * 1000).toISOString(),
    to: new Date(filters.to * 1000).toISOString(),
    type: filters.type,
  });
  const query = `stations=${filters.stations.join(',')}&include=${filters.include.join(',')}&${times}`;
  const cursor = after && writeCursor(after, readQuery(OBSERVATIONS, query));
  return `/v1/history/observations?${query}&limit=${limit}${cursor === undefined ? '' : `&cursor=${cursor}`}`;
}

/** The same records as one stream in a form other than JSON. */
export function streamPathOf(query: Query, extension: string): string {
  return pathOf(query).replace('?', `.${extension}?`);
}
