import type { BlockList } from 'node:net';
import type { ClickHouseClient } from '@clickhouse/client';
import { createAuthenticator } from './auth/authenticate.ts';
import type { KeyStore } from './auth/key-store.ts';
import { createApp } from './http/app.ts';
import { drain, listen } from './http/server.ts';
import { observationsRoute } from './observations/route.ts';
import { healthz, metricsPage, readyz } from './ops/health.ts';
import type { Log } from './ops/log.ts';
import type { Metrics } from './ops/metrics.ts';
import { limitQueries, type QueryLimits } from './ops/query-limits.ts';
import type { RequestCounter } from './rate-limit/rate-limit.ts';

export type Connections = {
  readonly archive: ClickHouseClient;
  readonly keys: KeyStore;
  readonly count: RequestCounter;
};

export type ServiceSettings = {
  readonly host: string;
  readonly port: number;
  readonly proxies: BlockList;
  readonly limits: QueryLimits;
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
export async function startService(
  stores: Connections,
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
    admit: createAuthenticator(keys, count),
    proxies,
    doors: { '/v1/history/observations': observationsRoute(archive, limitQueries(limits)) },
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
