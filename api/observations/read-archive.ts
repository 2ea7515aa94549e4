import type { ClickHouseClient } from '@clickhouse/client';
import { coverageChangesReader } from '../../clickhouse/coverage/changes.ts';
import { type Coverage, readCoverage } from '../../clickhouse/coverage/coverage.ts';
import { coverageStateReader } from '../../clickhouse/coverage/state.ts';
import { cacheCoverageState } from '../../clickhouse/coverage/state-cache.ts';
import { type Position, REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { type Page, type PageRequest, pageReader } from '../../clickhouse/observations/page.ts';
import type { QueryOrigin, RunQuery } from '../ops/query-limits.ts';
import type { Filters } from './query-params.ts';

type ArchiveReader = (
  request: PageRequest,
  origin: QueryOrigin,
) => Promise<{ readonly page: Page; readonly coverage: Coverage }>;

/** Reads a page and the coverage of its request, as one query of the query limits. */
export function archiveReader(archive: ClickHouseClient, runQuery: RunQuery): ArchiveReader {
  const readCoverageState = cacheCoverageState(coverageStateReader(archive), coverageChangesReader(archive));
  const readPage = pageReader(archive);
  return (request, origin) =>
    runQuery(
      async (signal) => {
        const coverageRead = readCoverage(archive, request, signal, readCoverageState);
        // The page reads no row before the coverage is read: so coverage never claims more than the page can hold (D16).
        const [page, coverage] = await Promise.all([readPage(request, signal, coverageRead), coverageRead]);
        return { page, coverage };
      },
      origin,
      request.limit,
    );
}

export function toPageRequest(
  { stations, from, to, type, include }: Filters,
  limit: number,
  after: Position | undefined,
): PageRequest {
  return {
    stations,
    from,
    to,
    types: REPORT_TYPES.filter((name) => type === 'all' || type === name.toLowerCase()),
    raw: include.includes('raw'),
    decoded: include.includes('decoded'),
    limit,
    ...(after !== undefined && { after }),
  };
}
