import type { Archive } from '../../clickhouse/archive.ts';
import { newRun } from '../../clickhouse/coverage/ledger/ledger.ts';
import type { SourceClient } from '../http/fetch-with-retry.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { ExpectedVolume } from './fetch/expected-volume.ts';
import type { FetchContext } from './fetch/fetch-complete.ts';
import { MinuteHistogram } from './reports/report-type.ts';
import { KeyedMutex } from './workers/keyed-mutex.ts';
import type { WriteContext } from './write/write.ts';

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
