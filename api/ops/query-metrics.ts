import type { Metrics } from './metrics.ts';
import type { QueryRunners } from './query-limits.ts';

type Runners = Pick<QueryRunners, 'runQuery' | 'runSpareQuery'>;

/** Measures how many queries run, and how many requests wait until they may query. */
export function measureQueries({ runQuery, runSpareQuery }: Runners, addMetric: Metrics['add']): Runners {
  let waiting = 0;
  let running = 0;
  addMetric({
    kind: 'gauge',
    name: 'history_queries_running',
    help: 'Queries of the archive that run, for requests or ahead of them.',
    read: () => running,
  });
  addMetric({
    kind: 'gauge',
    name: 'history_queries_waiting',
    help: 'Requests that wait until they may query the archive.',
    read: () => waiting,
  });
  const measured =
    <T>(work: (signal: AbortSignal) => Promise<T>) =>
    async (signal: AbortSignal) => {
      running += 1;
      try {
        return await work(signal);
      } finally {
        running -= 1;
      }
    };
  return {
    async runQuery(work, origin, records) {
      waiting += 1;
      let waits = true;
      const stopWaiting = () => {
        if (waits) waiting -= 1;
        waits = false;
      };
      try {
        const start = (signal: AbortSignal) => {
          stopWaiting();
          return measured(work)(signal);
        };
        return await runQuery(start, origin, records);
      } finally {
        stopWaiting();
      }
    },
    runSpareQuery: (work, client, records) => runSpareQuery(measured(work), client, records),
  };
}
