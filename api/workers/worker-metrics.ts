import { on } from 'node:events';
import { collectProcessMetrics, type Metrics } from '../ops/metrics.ts';
import { type FromWorker, isWorkerMessage, type ToWorker } from './messages.ts';

const TIMEOUT_MS = 1000;

/**
 * The metrics of a worker are in the primary, which counts for all workers: so each worker can serve the metrics of the
 * whole service, and the counts of a worker outlive it.
 */
export function forwardMetricsToPrimary(): Metrics {
  const send = (message: FromWorker) => process.send?.(message);
  const processMetrics = collectProcessMetrics();
  process.on('message', async (message: unknown) => {
    if (isWorkerMessage<ToWorker>(message) && message.kind === 'processMetricsRequest')
      send({ kind: 'processMetrics', metrics: await processMetrics.getMetricsAsJSON() });
  });
  return {
    request: (request) => void send({ kind: 'requestFinished', request }),
    async text() {
      const messages = on(process, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
      send({ kind: 'metricsRequest' });
      // The reply to a concurrent request is as recent as the reply to this one.
      for await (const [message] of messages)
        if (isWorkerMessage<ToWorker>(message) && message.kind === 'metrics') return message.text;
      throw new Error('The primary does not respond');
    },
  };
}
