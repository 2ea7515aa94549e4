import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { ArchiveSettings } from '../../clickhouse/client.ts';
import { formatUrl, type Service, type ServiceSettings } from '../compose.ts';
import type { Log } from '../ops/log.ts';
import { type FromWorker, isWorkerMessage, type ToWorker } from './messages.ts';
import { collectMetricsOfWorkers } from './primary-metrics.ts';

/** A worker that cannot start is started again once a second, not in a tight loop. */
const RESTART_DELAY_MS = 1000;
/** A worker that has not exited this long after its deadline does not respond, and is killed. */
const KILL_AFTER_SECONDS = 5;

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

type WorkerSettings = Pick<ServiceSettings, 'host' | 'port' | 'queryLimits' | 'connectionsPerAddress'> & {
  readonly workers: number;
  readonly archive: ArchiveSettings;
};

/**
 * Serves by several processes, each with its share of the concurrent queries. This process, the primary, has what may
 * exist only once: the counts of the rate limiter, unless Redis has them, and the metrics. Throws when a worker cannot
 * listen.
 */
export async function startWorkers(
  settings: WorkerSettings,
  log: Log,
  cancelled: AbortSignal,
): Promise<Service> {
  let isReady = false;
  let isClosing = false;
  let { port } = settings;
  // Workers accept connections themselves: a connection that the primary passes to a worker that exits never ends.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: WORKER });
  new RateLimiterClusterMaster();
  collectMetricsOfWorkers(liveWorkers);

  const listening = allListening(settings.workers, cancelled);
  for (let n = 0; n < settings.workers; n += 1) fork(settings, port);
  const actualPort = await listening;

  cluster.on('listening', (worker) => isReady && send(worker, { kind: 'setReady' }));
  cluster.on('message', (worker, message: unknown) => {
    if (!isWorkerMessage<FromWorker>(message) || message.kind !== 'startFailed') return;
    log('error', 'worker start failed', { reason: message.reason });
    kill(worker);
  });
  cluster.on('exit', async ({ process: { pid } }, code, signal) => {
    if (isClosing) return;
    log('error', 'worker exited', { worker: pid, code, signal });
    // With port 0 a new worker shares the port of the live workers; without any it would get another port.
    if (liveWorkers().length === 0) port = actualPort;
    await sleep(RESTART_DELAY_MS);
    if (!isClosing) fork(settings, port);
  });

  return {
    url: formatUrl(settings.host, actualPort),
    setReady() {
      isReady = true;
      for (const worker of liveWorkers()) send(worker, { kind: 'setReady' });
    },
    async stop() {
      isClosing = true;
      await stopAll(liveWorkers(), settings.queryLimits.queryTimeoutSeconds + KILL_AFTER_SECONDS);
    },
  };
}

function fork({ workers, queryLimits, connectionsPerAddress, archive }: WorkerSettings, port: number): void {
  const worker = cluster.fork({
    PORT: port,
    CLICKHOUSE_URL: archive.url,
    CLICKHOUSE_USER: archive.username,
    CLICKHOUSE_PASSWORD: archive.password,
    CLICKHOUSE_DATABASE: archive.database,
    QUERIES_AT_ONCE: Math.floor(queryLimits.queriesAtOnce / workers),
    CONNECTIONS_PER_ADDRESS: Math.max(1, Math.floor(connectionsPerAddress / workers)),
  });
  // A message to a worker that has just exited fails; the event `exit` follows.
  worker.on('error', () => {});
}

/** @returns the port on which all workers listen */
function allListening(workers: number, cancelled: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    let listening = 0;
    cluster.on('listening', (_, address) => {
      listening += 1;
      if (listening === workers) resolve(address.port);
    });
    cluster.on('message', (_, message: unknown) => {
      if (isWorkerMessage<FromWorker>(message) && message.kind === 'startFailed')
        reject(new Error(message.reason));
    });
    cluster.on('exit', (_, code, signal) =>
      reject(new Error(`A worker exited while it was starting: ${signal ?? `exit code ${code}`}`)),
    );
    cancelled.addEventListener('abort', () => reject(cancelled.reason), { once: true });
  });
}

/**
 * The port stays open until no worker needs it, and closes in the primary first: the primary holds the port and accepts
 * nothing, so connections that are made after the workers have closed it would be reset.
 */
async function stopAll(workers: readonly Worker[], deadlineSeconds: number): Promise<void> {
  const exited = workers.map((worker) => new Promise((resolve) => worker.process.once('exit', resolve)));
  const drained = workers.map(
    (worker) =>
      new Promise<void>((resolve) => {
        worker.on('message', (message: unknown) => {
          if (isWorkerMessage<FromWorker>(message) && message.kind === 'drained') resolve();
        });
      }),
  );
  const deadline = setTimeout(() => workers.forEach(kill), deadlineSeconds * 1000);
  for (const worker of workers) send(worker, { kind: 'stop' });
  await Promise.all(drained.map((each, n) => Promise.race([each, exited[n]])));
  for (const worker of workers) if (!worker.isDead()) worker.disconnect();
  await Promise.all(exited);
  clearTimeout(deadline);
}

function kill(worker: Worker): void {
  worker.process.kill('SIGKILL');
}

function send(worker: Worker, message: ToWorker): void {
  worker.send(message);
}

function liveWorkers(): readonly Worker[] {
  const workers = Object.values(cluster.workers ?? {});
  return workers.flatMap((worker) => (worker === undefined || worker.isDead() ? [] : [worker]));
}
