import type { Api } from '../api.ts';
import type { Query } from '../queries.ts';

export type ConcurrentResult = {
  /** Milliseconds of every page. */
  readonly times: ReadonlyMap<Query, readonly number[]>;
  /** How often each other status or failure occurred. */
  readonly errors: ReadonlyMap<string, number>;
};

/** Each connection sends its next request as soon as it has the response to the one before. */
export async function sendConcurrently(
  api: Api,
  nextQuery: () => Query,
  connections: number,
  seconds: number,
): Promise<ConcurrentResult> {
  const times = new Map<Query, number[]>();
  const errors = new Map<string, number>();
  const end = performance.now() + seconds * 1000;
  const connection = async () => {
    while (performance.now() < end) {
      const query = nextQuery();
      const outcome = await api.page(query).catch((error: Error) => error);
      if (!(outcome instanceof Error) && outcome.status === 200) {
        const known = times.get(query);
        if (known === undefined) times.set(query, [outcome.ms]);
        else known.push(outcome.ms);
      } else {
        const error = outcome instanceof Error ? outcome.message : String(outcome.status);
        errors.set(error, (errors.get(error) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { times, errors };
}
