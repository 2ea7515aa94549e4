import type { Archive } from '../../clickhouse/archive.ts';
import { newRun } from '../../clickhouse/coverage/ledger/ledger.ts';
import type { Config } from '../config.ts';
import { createSourceClient, type FetchEvents, type SourceClient } from '../http/fetch-with-retry.ts';
import type { Timer } from '../http/retry-policy.ts';
import { SOURCE_ADAPTERS, type SourceName } from '../sources/registry.ts';
import type { RateLimit, SourceAdapter } from '../sources/source.ts';
import { ExpectedVolume, type FetchContext } from './fetch-complete.ts';
import { MinuteHistogram } from './report-type.ts';
import { KeyedMutex } from './workers.ts';
import type { WriteContext } from './write.ts';

/** What the stages of a run share, for one source. */
export type LoadContext = FetchContext &
  WriteContext & {
    /** By station. Shared by all sources of a run. */
    readonly mutex: KeyedMutex;
    /** See `newRun`. Shared by all sources of a run. */
    readonly run: string;
  };

/** A run that loads from several sources creates their contexts with one function. */
export function loadContexts(
  client: Archive,
  now = () => new Date(),
): (adapter: SourceAdapter, sourceClient: SourceClient) => LoadContext {
  const mutex = new KeyedMutex();
  const run = newRun(now());
  const expectedVolume = new ExpectedVolume(client);
  return (adapter, sourceClient) => ({
    client,
    signal: sourceClient.signal,
    source: adapter.source,
    adapter,
    sourceClient,
    expectedVolume,
    now,
    mutex,
    run,
    minutes: new MinuteHistogram(),
    listedStations: new Set(),
  });
}

const LOCAL: RateLimit = { intervalSeconds: 0, parallel: 1 };

type SourceContextOptions = {
  readonly now?: () => Date;
  readonly timer?: Timer;
  /** See `SourceOutage`. */
  readonly patienceSeconds?: number;
};

/** @param intervalSeconds replaces the interval of each source's rate limit */
export function sourceContexts(
  client: Archive,
  { hosts, userAgent }: Pick<Config, 'hosts' | 'userAgent'>,
  intervalSeconds: number | undefined,
  signal: AbortSignal,
  { now, timer, patienceSeconds }: SourceContextOptions = {},
): (source: SourceName, events: FetchEvents) => LoadContext {
  const createContext = loadContexts(client, now);
  return (source, events) => {
    const adapter = SOURCE_ADAPTERS[source](hosts[source]);
    const rateLimit = adapter.kind === 'remote' ? adapter.rateLimit : LOCAL;
    const limit = { ...rateLimit, ...(intervalSeconds === undefined ? {} : { intervalSeconds }) };
    return createContext(
      adapter,
      createSourceClient(limit, { userAgent, signal, events }, timer, patienceSeconds),
    );
  };
}
