import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { ArchiveSettings } from '../../clickhouse/client.ts';
import { type Service, type ServiceSettings, urlOf } from '../compose.ts';
import type { Log } from '../ops/log.ts';
import { collectMetrics } from '../ops/metrics.ts';
import { type FromWorker, isWorkerMessage, type ToWorker } from './messages.ts';

/** A worker that died is replaced after a rest: one that cannot live costs a start a second, not a storm of them. */
const REST_MILLISECONDS = 1000;
/** A worker that has not ended so long after its deadline is stuck. */
const STUCK_SECONDS = 5;

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

type Place = Pick<ServiceSettings, 'host' | 'port' | 'limits'> & {
  readonly workers: number;
  /** Where the archive is that we have joined for all. */
  readonly archive: ArchiveSettings;
};

/**
 * Serves by several processes, each with its share of the queries at once. Here is what there may be only one of: the
 * counts of the rate limiter, where Redis does not hold them, and the metrics. Throws when a worker cannot listen.
 */
export async function serveByWorkers(place: Place, log: Log, givenUp: AbortSignal): Promise<Service> {
  let isServing = false;
  let isClosing = false;
  let { port } = place;
  // Workers accept connections themselves: one that the primary was handing to a dying worker would hang for ever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: WORKER });
  new RateLimiterClusterMaster();
  countAnswers();

  const listening = everyoneListening(place.workers, givenUp);
  for (let n = 0; n < place.workers; n += 1) fork(place, port);
  const servedAt = await listening;

  cluster.on('listening', (worker) => isServing && tell(worker, { kind: 'open' }));
  cluster.on('message', (worker, message: unknown) => {
    if (!isWorkerMessage<FromWorker>(message) || message.kind !== 'failed') return;
    log('error', 'worker failed', { reason: message.reason });
    kill(worker);
  });
  cluster.on('exit', async ({ process: { pid: lost } }, code, killedBy) => {
    if (isClosing) return;
    log('error', 'worker lost', { lost, code, killedBy });
    // Port 0 stands for the port that the living share, and for another one when there are none.
    if (living().length === 0) port = servedAt;
    await sleep(REST_MILLISECONDS);
    if (!isClosing) fork(place, port);
  });

  return {
    url: urlOf(place.host, servedAt),
    open() {
      isServing = true;
      for (const worker of living()) tell(worker, { kind: 'open' });
    },
    async stop() {
      isClosing = true;
      await stopAll(living(), place.limits.queryTimeoutSeconds + STUCK_SECONDS);
    },
  };
}

function fork({ workers, limits, archive }: Place, port: number): void {
  const worker = cluster.fork({
    PORT: port,
    CLICKHOUSE_URL: archive.url,
    CLICKHOUSE_USER: archive.username,
    CLICKHOUSE_PASSWORD: archive.password,
    CLICKHOUSE_DATABASE: archive.database,
    QUERIES_AT_ONCE: Math.floor(limits.queriesAtOnce / workers),
  });
  // What is said to a worker that has just died fails. Of its death we hear anyway.
  worker.on('error', () => {});
}

/** @returns the port on which all listen */
function everyoneListening(workers: number, givenUp: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    let listening = 0;
    cluster.on('listening', (_, address) => {
      listening += 1;
      if (listening === workers) resolve(address.port);
    });
    cluster.on('message', (_, message: unknown) => {
      if (isWorkerMessage<FromWorker>(message) && message.kind === 'failed')
        reject(new Error(message.reason));
    });
    cluster.on('exit', (_, code, killedBy) =>
      reject(new Error(`A worker ended as it started: ${killedBy ?? `exit code ${code}`}`)),
    );
    givenUp.addEventListener('abort', () => reject(givenUp.reason), { once: true });
  });
}

/** For a worker that dies takes none of its counts along, and each can tell those of all. */
function countAnswers(): void {
  const residentBytes = new Map<number, number>();
  const metrics = collectMetrics(() =>
    [...residentBytes.values()].reduce((sum, bytes) => sum + bytes, process.memoryUsage.rss()),
  );
  cluster.on('exit', ({ id }) => residentBytes.delete(id));
  cluster.on('message', async (worker, message: unknown) => {
    if (!isWorkerMessage<FromWorker>(message)) return;
    if (message.kind === 'metricsWanted') tell(worker, { kind: 'metrics', text: await metrics.text() });
    if (message.kind !== 'answered') return;
    residentBytes.set(worker.id, message.residentBytes);
    metrics.request(message.answer);
  });
}

/**
 * The port stays open until no worker needs it, and then closes in the primary first: it holds the port and accepts
 * nothing, so that connections made when the workers have gone would be reset.
 */
async function stopAll(workers: readonly Worker[], deadlineSeconds: number): Promise<void> {
  const ended = workers.map((worker) => new Promise((resolve) => worker.process.once('exit', resolve)));
  const woundDown = workers.map(
    (worker) =>
      new Promise<void>((resolve) => {
        worker.on('message', (message: unknown) => {
          if (isWorkerMessage<FromWorker>(message) && message.kind === 'woundDown') resolve();
        });
      }),
  );
  const stuck = setTimeout(() => workers.forEach(kill), deadlineSeconds * 1000);
  for (const worker of workers) tell(worker, { kind: 'stop' });
  await Promise.all(woundDown.map((each, n) => Promise.race([each, ended[n]])));
  for (const worker of workers) if (!worker.isDead()) worker.disconnect();
  await Promise.all(ended);
  clearTimeout(stuck);
}

function kill(worker: Worker): void {
  worker.process.kill('SIGKILL');
}

function tell(worker: Worker, message: ToWorker): void {
  worker.send(message);
}

function living(): readonly Worker[] {
  const known = Object.values(cluster.workers ?? {});
  return known.flatMap((worker) => (worker === undefined || worker.isDead() ? [] : [worker]));
}
