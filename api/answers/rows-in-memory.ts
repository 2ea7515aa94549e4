import { hash } from 'node:crypto';
import type { Moment } from '../../clickhouse/concurrency.ts';
import type { Clock } from '../../clickhouse/zones/clocks.ts';
import type { CoverageText, Memory } from './coverage.ts';
import type { CachedText } from './envelope.ts';

/** Rows as JSON. They stay valid as long as a page read at the same time would. */
export type CachedRows = CachedText & { readonly readFrom: Moment };

/** The clocks of `local` and `standard` change when a source states other zones. */
export function keyOfRows(asked: readonly unknown[], clocks: readonly Clock[]): string {
  const ofStations = clocks.map(({ offsets, stations, range }) => [offsets, stations.toSorted(), range]);
  return hash('sha256', JSON.stringify([asked, ofStations]), 'base64url');
}

/** Rows that are in memory, and no older than the coverage. */
export function findRows<Rows extends CachedRows>({ cache }: Memory, key: string, { readAt }: CoverageText) {
  const rows = cache.get(key) as Rows | undefined;
  return rows !== undefined && rows.readFrom >= readAt ? rows : undefined;
}
