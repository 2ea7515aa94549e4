import type { CachedStates, CoverageStateCache } from './state-cache.ts';

/**
 * Does work that needs the states of stations. Where they are in memory, it is done while loaders' changes are asked for,
 * and done again where these concern one of the stations: so what it reads is never older than the states (D16).
 *
 * @param discard closes a result that is not used
 */
export async function withStates<T>(
  cache: Pick<CoverageStateCache, 'read' | 'recall'>,
  stations: readonly string[],
  work: (states: CachedStates) => Promise<T>,
  signal: AbortSignal,
  discard: (result: T) => void = () => {},
): Promise<T> {
  const recalled = cache.recall(stations);
  if (recalled === undefined) return work(await cache.read(stations, signal));
  const [current, early] = await Promise.allSettled([cache.read(stations, signal), work(recalled)]);
  if (current.status === 'fulfilled' && current.value.readAt === recalled.readAt) {
    if (early.status === 'rejected') throw early.reason;
    return early.value;
  }
  if (early.status === 'fulfilled') discard(early.value);
  if (current.status === 'rejected') throw current.reason;
  return work(current.value);
}
