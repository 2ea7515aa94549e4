import type { Archive } from '../../clickhouse/archive.ts';
import { newRun } from '../../clickhouse/coverage/ledger/ledger.ts';
import type { Config } from '../config.ts';
import { createSourceClient, type FetchEvents, type SourceClient } from '../http/fetch-with-retry.ts';
import type { Timer } from '../http/retry-policy.ts';
import { SOURCE_ADAPTERS, type SourceName } from '../sources/registry.ts';
import type { SourceAdapter } from '../sources/source.ts';
import type { LoadContext, LoadRun } from './load-slice.ts';
import { MinuteHistogram } from './report-type.ts';
import { KeyedMutex } from './workers.ts';
import { Writer } from './writer.ts';

export function startRun(archive: Archive, now = () => new Date()): LoadRun {
  const run = newRun(now());
  return { archive, now, mutex: new KeyedMutex(), run, writer: new Writer(archive, run) };
}

export function loadContext(run: LoadRun, adapter: SourceAdapter, sourceClient: SourceClient): LoadContext {
  const { signal } = sourceClient;
  const own = { minutes: new MinuteHistogram(), listedStations: new Set<string>() };
  return { ...run, ...own, adapter, source: adapter.source, sourceClient, signal };
}

type SourceOptions = Pick<Config, 'hosts' | 'userAgent'> & {
  /** Replaces the interval of the source's rate limit. */
  readonly intervalSeconds: number | undefined;
  readonly signal: AbortSignal;
  readonly events: FetchEvents;
  readonly timer?: Timer;
  readonly patienceSeconds?: number;
};

/** The context of a source that `--source` names. */
export function sourceContext(run: LoadRun, source: SourceName, options: SourceOptions): LoadContext {
  const adapter = SOURCE_ADAPTERS[source](options.hosts[source]);
  const { rateLimit } = adapter;
  const { intervalSeconds = rateLimit.intervalSeconds, timer, patienceSeconds } = options;
  const about = { ...options, now: run.now };
  const client = createSourceClient({ ...rateLimit, intervalSeconds }, about, timer, patienceSeconds);
  return loadContext(run, adapter, client);
}
