import type { Metrics } from './metrics.ts';
import type { QueryRunners } from './query-limits.ts';

type Runners = Pick<QueryRunners, 'runQuery' | 'runIfIdle'>;

/** Measures how many queries run, and how many requests wait until they may query. */
export function measureQueries({ runQuery, runIfIdle }: Runners, addMetric: Metrics['add']): Runners {
  let requests = 0;
  let running = 0;
  let ahead = 0;
  addMetric({
    kind: 'gauge',
    name: 'history_queries_running',
    help: 'Queries of the archive that run, for requests or ahead of them.',
    read: () => running + ahead,
  });
  addMetric({
    kind: 'gauge',
    name: 'history_queries_waiting',
    help: 'Requests that wait until they may query the archive.',
    read: () => requests - running,
  });
  return {
    async runQuery(work, client, records) {
      requests += 1;
      try {
        return await runQuery(
          counted(work, (change) => (running += change)),
          client,
          records,
        );
      } finally {
        requests -= 1;
      }
    },
    runIfIdle(work, client, records) {
      runIfIdle(
        counted(work, (change) => (ahead += change)),
        client,
        records,
      );
    },
  };
}

/** @param count is called with 1 when the work starts, and with -1 when it ends */
function counted<T>(work: (signal: AbortSignal) => Promise<T>, count: (change: 1 | -1) => void) {
  return async (signal: AbortSignal): Promise<T> => {
    count(1);
    try {
      return await work(signal);
    } finally {
      count(-1);
    }
  };
}
