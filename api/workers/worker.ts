import { type Service, startService } from '../compose.ts';
import { readConfig } from '../config.ts';
import { type OpenConnections, openConnections } from '../connections.ts';
import { createLog, formatError } from '../ops/log.ts';
import { primaryCounter } from '../rate-limit/rate-limit.ts';
import { type FromWorker, isWorkerMessage, type ToWorker } from './messages.ts';
import { forwardMetricsToPrimary } from './worker-metrics.ts';

/** The program of a worker: one of several processes that serve one port. The primary (workers.ts) starts and stops it. */
type Started = { readonly service: Service; readonly connections: OpenConnections };

const log = createLog((line) => process.stdout.write(line), { worker: process.pid });

// A terminal and some supervisors send the signal to all processes of the group. Here the primary decides when to stop.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});

const starting = start();
starting.catch((error) =>
  send({ kind: 'startFailed', reason: error instanceof Error ? error.message : String(error) }),
);
process.on('message', (message: unknown) => {
  if (isWorkerMessage<ToWorker>(message))
    starting.then((started) => handleMessage(message, started)).catch(() => {});
});

async function start(): Promise<Started> {
  const config = readConfig();
  if (config.archive.kind !== 'server') throw new Error('Only api/main.ts can start a worker');
  const connections = await openConnections(config, config.archive.settings, primaryCounter, log);
  return { connections, service: await startService(connections, config, log, forwardMetricsToPrimary()) };
}

async function handleMessage({ kind }: ToWorker, { service, connections }: Started): Promise<void> {
  if (kind === 'setReady') service.setReady();
  if (kind !== 'stop') return;
  // The primary closes the port, first in itself (see workers.ts).
  await service.stop(() => send({ kind: 'drained' }));
  await connections.close().catch((error) => log('error', 'close failed', { error: formatError(error) }));
  process.exit();
}

function send(message: FromWorker): void {
  process.send?.(message);
}
