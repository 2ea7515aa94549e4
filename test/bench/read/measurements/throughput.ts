import { sum } from '../../statistics.ts';
import type { Api } from '../api.ts';
import type { Query } from '../queries.ts';
import { sendConcurrently } from './concurrent-requests.ts';

export const CONNECTIONS = [1, 8, 32] as const;

export type Throughput = { readonly pagesPerSecond: number; readonly failed: number };

/** One result for each number of connections. */
export async function measureThroughput(
  api: Api,
  query: Query,
  seconds: number,
): Promise<readonly Throughput[]> {
  const results: Throughput[] = [];
  for (const connections of CONNECTIONS) {
    const started = performance.now();
    const { times, errors } = await sendConcurrently(api, () => query, connections, seconds);
    const pages = times.get(query)?.length ?? 0;
    // The last responses arrive after `seconds`.
    const elapsed = (performance.now() - started) / 1000;
    results.push({ pagesPerSecond: pages / elapsed, failed: sum(errors.values()) });
  }
  return results;
}
