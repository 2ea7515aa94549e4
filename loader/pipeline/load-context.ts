import type { ClickHouseClient } from '@clickhouse/client';
import type { Source } from '../../clickhouse/model/report.ts';
import type { SourceClient } from '../http/fetch-with-retry.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { ExpectedVolume } from './expected-volume.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { MinuteHistogram } from './report-type.ts';

/** What the stages of a run share, for one source. */
export type LoadContext = {
  readonly client: ClickHouseClient;
  readonly signal: AbortSignal;
  readonly source: Source;
  readonly adapter: SourceAdapter;
  readonly sourceClient: SourceClient;
  readonly expectedVolume: ExpectedVolume;
  /** By station. Shared by all sources of a run. */
  readonly mutex: KeyedMutex;
  /** The minutes of the hour at which stations report, as far as this run has seen their reports. */
  readonly minutes: MinuteHistogram;
  /** Stations that this run has listed for the source. */
  readonly listedStations: Set<string>;
};

/** What the stages need that write reports, from a source or from a file. */
export type WriteContext = Pick<LoadContext, 'client' | 'signal' | 'source' | 'minutes' | 'listedStations'>;

/** A run that loads from several sources creates their contexts with one function. */
export function loadContexts(
  client: ClickHouseClient,
): (adapter: SourceAdapter, sourceClient: SourceClient) => LoadContext {
  const mutex = new KeyedMutex();
  const expectedVolume = new ExpectedVolume(client);
  return (adapter, sourceClient) => ({
    client,
    signal: sourceClient.signal,
    source: adapter.source,
    adapter,
    sourceClient,
    expectedVolume,
    mutex,
    minutes: new MinuteHistogram(),
    listedStations: new Set(),
  });
}
