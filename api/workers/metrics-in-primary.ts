import { on } from 'node:events';
import type { Metrics } from '../ops/metrics.ts';
import { type FromWorker, isWorkerMessage, type ToWorker } from './messages.ts';

const PATIENCE_MILLISECONDS = 1000;

/**
 * The metrics as a worker has them: each answer is told to the primary, which counts for all. So they are those of the
 * whole service whichever worker is asked, and outlive a worker that dies.
 */
export function forwardMetricsToPrimary(): Metrics {
  const tell = (message: FromWorker) => process.send?.(message);
  return {
    request(answer) {
      tell({ kind: 'answered', answer, residentBytes: process.memoryUsage.rss() });
    },
    async text() {
      const replies = on(process, 'message', { signal: AbortSignal.timeout(PATIENCE_MILLISECONDS) });
      tell({ kind: 'metricsWanted' });
      // Any reply will do, also that to another scrape: it is from now.
      for await (const [message] of replies)
        if (isWorkerMessage<ToWorker>(message) && message.kind === 'metrics') return message.text;
      throw new Error('The primary has gone');
    },
  };
}
