import cluster, { type Worker } from 'node:cluster';
import { on } from 'node:events';
import {
  aggregateProcessMetrics,
  collectMetrics,
  collectProcessMetrics,
  type ProcessMetrics,
} from '../ops/metrics.ts';
import { type FromWorker, isWorkerMessage } from './messages.ts';

/** Less than a worker waits for the metrics of all (worker-metrics.ts). */
const TIMEOUT_MS = 500;

/** Counts the requests of all workers, and sends the metrics of the service to the worker that asks for them. */
export function collectMetricsOfWorkers(workers: () => readonly Worker[]): void {
  const ownMetrics = collectProcessMetrics();
  const metrics = collectMetrics(async () =>
    aggregateProcessMetrics([
      await ownMetrics.getMetricsAsJSON(),
      ...(await Promise.all(workers().map(requestProcessMetrics))),
    ]),
  );
  cluster.on('message', async (worker, message: unknown) => {
    if (!isWorkerMessage<FromWorker>(message)) return;
    if (message.kind === 'requestFinished') metrics.request(message.request);
    if (message.kind === 'metricsRequest') worker.send({ kind: 'metrics', text: await metrics.text() });
  });
}

/** Nothing of a worker that does not respond: its process metrics are missing in this response. */
async function requestProcessMetrics(worker: Worker): Promise<ProcessMetrics> {
  const messages = on(worker, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
  worker.send({ kind: 'processMetricsRequest' });
  try {
    for await (const [message] of messages)
      if (isWorkerMessage<FromWorker>(message) && message.kind === 'processMetrics') return message.metrics;
  } catch {}
  return [];
}
