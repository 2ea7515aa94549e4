import { type Api, requestPage } from '../read/api.ts';
import { median } from '../statistics.ts';
import type { FreshRange } from './fresh-ranges.ts';

/** Medians in milliseconds, of pages of 1,000 records. */
export type RepeatedPages = {
  /** The first request for a page. The coverage of its station is in memory. */
  readonly first: number;
  readonly again: number;
  /** With the entity tag of the first response, which is answered with 304. */
  readonly notModified: number;
  /** The same of other ranges, with `Accept-Encoding: gzip`. */
  readonly gzip: { readonly first: number; readonly again: number };
};

const WARM_UP_ROUNDS = 10;
const ROUNDS = 60;

export async function measureRepeatedPages(
  api: Api,
  stations: readonly string[],
  freshRange: FreshRange,
): Promise<RepeatedPages> {
  const times = { first: [] as number[], again: [] as number[], notModified: [] as number[] };
  const gzip = { first: [] as number[], again: [] as number[] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    const query = freshRange('repeated page', stations.at(round % stations.length) ?? '');
    const first = await requestPage(api, query);
    const again = await requestPage(api, query);
    const notModified = await api.page(query, { 'if-none-match': String(first.headers.etag) });
    if (notModified.status !== 304) throw new Error(`${notModified.status} in place of 304`);
    const compressed = {
      ...freshRange('repeated page', query.filters.stations[0] ?? ''),
      encoding: 'gzip',
    } as const;
    const firstGzip = await requestPage(api, compressed);
    const againGzip = await requestPage(api, compressed);
    if (round < 0) continue;
    times.first.push(first.ms);
    times.again.push(again.ms);
    times.notModified.push(notModified.ms);
    gzip.first.push(firstGzip.ms);
    gzip.again.push(againGzip.ms);
  }
  return {
    first: median(times.first),
    again: median(times.again),
    notModified: median(times.notModified),
    gzip: { first: median(gzip.first), again: median(gzip.again) },
  };
}
