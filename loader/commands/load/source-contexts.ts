import type { Archive } from '../../../clickhouse/archive.ts';
import type { Config } from '../../config.ts';
import { createSourceClient, type FetchEvents } from '../../http/fetch-with-retry.ts';
import type { Timer } from '../../http/timer.ts';
import { type LoadContext, loadContexts } from '../../pipeline/load-context.ts';
import { SOURCE_ADAPTERS, type SourceName } from '../../sources/registry.ts';
import type { RateLimit } from '../../sources/source.ts';

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
