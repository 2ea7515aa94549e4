import type { Metrics } from './metrics.ts';
import type { RunQuery } from './query-limits.ts';

/** Measures how many requests query, and how many wait until they may. */
export function measureQueries(runQuery: RunQuery, addMetric: Metrics['add']): RunQuery {
  let admitted = 0;
  let running = 0;
  addMetric({
    kind: 'gauge',
    name: 'history_queries_running',
    help: 'Requests that query the archive.',
    read: () => running,
  });
  addMetric({
    kind: 'gauge',
    name: 'history_queries_waiting',
    help: 'Requests that wait until they may query the archive.',
    read: () => admitted - running,
  });
  return async (work, origin, records) => {
    const measuredWork = async (signal: AbortSignal) => {
      running += 1;
      try {
        return await work(signal);
      } finally {
        running -= 1;
      }
    };
    admitted += 1;
    try {
      return await runQuery(measuredWork, origin, records);
    } finally {
      admitted -= 1;
    }
  };
}
