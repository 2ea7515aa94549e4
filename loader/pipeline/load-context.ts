import type { Archive } from '../../clickhouse/archive.ts';
import { newRun } from '../../clickhouse/coverage/ledger/ledger.ts';
import type { Config } from '../config.ts';
import { createSourceClient, type FetchEvents, type SourceClient } from '../http/fetch-with-retry.ts';
import type { Timer } from '../http/retry-policy.ts';
import { SOURCE_ADAPTERS, type SourceName } from '../sources/registry.ts';
import type { RateLimit, SourceAdapter } from '../sources/source.ts';
import type { FetchContext } from './fetch-complete.ts';
import { MinuteHistogram } from './report-type.ts';
import { KeyedMutex } from './workers.ts';
import type { WriteContext } from './write.ts';

/** What the stages of a run share, for one source. */
export type LoadContext = FetchContext & WriteContext & LoadRun;

/** What all sources of a run share. */
type LoadRun = Pick<WriteContext, 'client'> &
  Pick<FetchContext, 'now'> & {
    /** By station. */
    readonly mutex: KeyedMutex;
    /** See `newRun`. */
    readonly run: string;
  };

export function startRun(client: Archive, now = () => new Date()): LoadRun {
  return {
    client,
    now,
    mutex: new KeyedMutex(),
    run: newRun(now()),
  };
}

export function loadContext(run: LoadRun, adapter: SourceAdapter, sourceClient: SourceClient): LoadContext {
  const { signal } = sourceClient;
  const own = { minutes: new MinuteHistogram(), listedStations: new Set<string>() };
  return { ...run, ...own, adapter, source: adapter.source, sourceClient, signal };
}

const LOCAL: RateLimit = { intervalSeconds: 0, parallel: 1 };

type SourceOptions = Pick<Config, 'hosts' | 'userAgent'> & {
  /** Replaces the interval of the source's rate limit. */
  readonly intervalSeconds: number | undefined;
  readonly signal: AbortSignal;
  readonly events: FetchEvents;
  readonly timer?: Timer;
  /** See `SourceOutage`. */
  readonly patienceSeconds?: number;
};

/** The context of a source that `--source` names. */
export function sourceContext(run: LoadRun, source: SourceName, options: SourceOptions): LoadContext {
  const adapter = SOURCE_ADAPTERS[source](options.hosts[source]);
  const rateLimit = adapter.kind === 'remote' ? adapter.rateLimit : LOCAL;
  const { intervalSeconds = rateLimit.intervalSeconds, timer, patienceSeconds } = options;
  const client = createSourceClient({ ...rateLimit, intervalSeconds }, options, timer, patienceSeconds);
  return loadContext(run, adapter, client);
}
