import type { BlockList } from 'node:net';
import type { ClickHouseClient } from '@clickhouse/client';
import { admission } from './admission.ts';
import { createApp } from './app.ts';
import { healthz, metricsPage, readyz } from './health.ts';
import { observations } from './history.ts';
import type { KeyStore } from './keys.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Counter } from './ratelimit.ts';
import { drain, listen } from './server.ts';
import { boundedStorage, type StorageLimits } from './storage.ts';

export type Stores = {
  readonly archive: ClickHouseClient;
  readonly keys: KeyStore;
  readonly count: Counter;
};

export type ServiceSettings = {
  readonly host: string;
  readonly port: number;
  readonly proxies: BlockList;
  readonly limits: StorageLimits;
};

export type Service = {
  readonly url: string;
  /** From now on `/readyz` says so. */
  open(): void;
  /**
   * Refuses probes, finishes what is under way, and stops listening. The stores stay open.
   *
   * @param listenNoMore closes the server, where that is not for us alone to decide
   */
  stop(listenNoMore?: () => void): Promise<void>;
};

/** Puts the rooms together and listens. */
export async function serve(
  stores: Stores,
  settings: ServiceSettings,
  log: Log,
  metrics: Metrics,
): Promise<Service> {
  const { archive, keys, count } = stores;
  const { host, proxies, limits } = settings;
  let state: 'starting' | 'serving' | 'closing' = 'starting';
  const checks = {
    storage: (signal: AbortSignal) => pingArchive(archive, signal),
    keyStore: () => keys.check(),
    isServing: () => state === 'serving',
  };
  const app = createApp({
    admit: admission(keys, count),
    proxies,
    doors: { '/v1/history/observations': observations(archive, boundedStorage(limits)) },
    open: { '/healthz': healthz, '/readyz': readyz(checks), '/metrics': metricsPage(metrics) },
    log,
    metrics,
    isClosing: () => state === 'closing',
  });
  const idleSeconds = limits.queryTimeoutSeconds + 60;
  const server = await listen(app.callback(), { ...settings, idleSeconds }, log, metrics);
  const address = server.address();
  return {
    url: urlOf(host, (typeof address === 'object' && address?.port) || settings.port),
    open() {
      state = 'serving';
    },
    async stop(listenNoMore) {
      state = 'closing';
      await drain(server, limits.queryTimeoutSeconds, listenNoMore);
    },
  };
}

export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function pingArchive(archive: ClickHouseClient, signal: AbortSignal): Promise<void> {
  const result = await archive.ping({ select: true, abort_signal: signal });
  if (!result.success) throw result.error;
}
