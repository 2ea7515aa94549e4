import { type Service, startService } from '../compose.ts';
import { readConfig } from '../config.ts';
import { type OpenConnections, openConnections } from '../connections.ts';
import { createLog, formatError } from '../ops/log.ts';
import { primaryCounter } from '../rate-limit/rate-limit.ts';
import { type FromWorker, isWorkerMessage, type ToWorker } from './messages.ts';
import { forwardMetricsToPrimary } from './metrics-in-primary.ts';

/** One of several processes that answer on one port: forked, told what to do, and outlived by the primary (workers.ts). */
type Serving = { readonly service: Service; readonly stores: OpenConnections };

const log = createLog((line) => process.stdout.write(line), { worker: process.pid });

// A terminal, and some supervisors, signal the whole group. When to stop is for the primary to say.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});

const serving = start();
serving.catch((error) =>
  tell({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
);
process.on('message', (message: unknown) => {
  if (isWorkerMessage<ToWorker>(message)) serving.then((served) => obey(message, served)).catch(() => {});
});

async function start(): Promise<Serving> {
  const config = readConfig();
  if (config.archive.kind !== 'server') throw new Error('A worker is started by api/main.ts alone');
  const stores = await openConnections(config, config.archive.place, primaryCounter, log);
  return { stores, service: await startService(stores, config, log, forwardMetricsToPrimary()) };
}

async function obey({ kind }: ToWorker, { service, stores }: Serving): Promise<void> {
  if (kind === 'open') service.open();
  if (kind !== 'stop') return;
  // The primary closes the port, in itself first (see workers.ts).
  await service.stop(() => tell({ kind: 'woundDown' }));
  await stores.close().catch((error) => log('error', 'not closed', { error: formatError(error) }));
  process.exit();
}

function tell(message: FromWorker): void {
  process.send?.(message);
}
