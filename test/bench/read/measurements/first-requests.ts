import { median } from '../../statistics.ts';
import { type Api, requestPage } from '../api.ts';
import type { BenchArchive } from '../archive.ts';
import { type Query, queriesOf } from '../queries.ts';

/** Medians in milliseconds, of pages of 500 records. */
export type FirstRequests = {
  readonly stations: number;
  /** The first request for a station since the api started. */
  readonly p50: number;
  /** The same request repeated. */
  readonly repeatedP50: number;
};

const WARM_UP_REQUESTS = 100;

/** Has to be measured before anything else: the api keeps what it knows of a station. */
export async function measureFirstRequests(archive: BenchArchive, api: Api): Promise<FirstRequests> {
  const query = (await queriesOf(archive)).find(({ name }) => name === 'limit 500: 1 station, 21 years');
  if (query === undefined) throw new Error('No query for one station');
  const forStation = (station: string): Query => ({
    ...query,
    filters: { ...query.filters, stations: [station] },
  });
  for (let n = 0; n < WARM_UP_REQUESTS; n += 1) await requestPage(api, forStation(archive.layout.sparse));
  const [first, repeated]: [number[], number[]] = [[], []];
  for (const station of archive.layout.fifty) {
    first.push((await requestPage(api, forStation(station))).ms);
    repeated.push((await requestPage(api, forStation(station))).ms);
  }
  return { stations: first.length, p50: median(first), repeatedP50: median(repeated) };
}
