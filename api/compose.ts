import { CoverageStateCache } from '../clickhouse/coverage/state-cache.ts';
import { readArchiveSummary } from '../clickhouse/stations.ts';
import { openResponseCache } from './answers/memory.ts';
import { readArchiveStations } from './archive/route.ts';
import { openAuthenticator } from './auth/authenticate.ts';
import type { ServiceSettings } from './config.ts';
import type { Connections } from './connections.ts';
import { SnapshotFiles } from './files/snapshot-files.ts';
import { PageMemory } from './observations/page-memory.ts';
import { limitQueries } from './ops/query-limits.ts';
import { RequestQueue } from './ops/request-queue.ts';
import { SharedRead } from './ops/shared-read.ts';

export type RouteContext = ReturnType<typeof composeRoutes>;

export function composeRoutes({ archive, keys, count }: Connections, settings: ServiceSettings) {
  const { queryLimits, responseMemoryBytes, pageCacheBytes, archiveFiles } = settings;
  const queue = new RequestQueue({ ...queryLimits, memoryBytes: responseMemoryBytes });
  const states = new CoverageStateCache(archive);
  const cache = openResponseCache(pageCacheBytes);
  return {
    archive,
    authenticator: openAuthenticator(keys, count, settings),
    queue,
    queries: limitQueries(queue, archive, queryLimits.queryTimeoutSeconds),
    states,
    /** Absent where the operator provides none. */
    files: archiveFiles === undefined ? undefined : new SnapshotFiles(archiveFiles),
    /** Texts and pages in memory. */
    cache,
    pages: new PageMemory(cache, states.clock),
    archiveSummary: new SharedRead(archive, readArchiveSummary),
    archiveStations: new SharedRead(archive, readArchiveStations),
  };
}
