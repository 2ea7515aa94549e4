import type { ClickHouseClient } from '@clickhouse/client';
import type { Context } from 'koa';
import { coverageChangesReader } from '../../clickhouse/coverage/changes.ts';
import { readCoverage } from '../../clickhouse/coverage/coverage.ts';
import { coverageStateReader } from '../../clickhouse/coverage/state.ts';
import { cacheCoverageState } from '../../clickhouse/coverage/state-cache.ts';
import { REPORT_TYPES } from '../../clickhouse/model/report.ts';
import { type PageRequest, pageReader } from '../../clickhouse/observations/page.ts';
import type { Authentication } from '../auth/authenticate.ts';
import { requireCaller } from '../auth/caller.ts';
import { abortOnDisconnect, requireNoBody } from '../http/http-request.ts';
import { addLogFields } from '../ops/log.ts';
import type { RunQuery } from '../ops/query-limits.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { buildEnvelope } from './envelope.ts';
import { type ObservationsQuery, parseQuery } from './query-params.ts';
import { requireJsonAccepted, sendPage } from './send-page.ts';

/** `GET /v1/history/observations`. The order of these lines is the order of refusals (D25). */
export function observationsRoute(archive: ClickHouseClient, storage: RunQuery) {
  const known = cacheCoverageState(coverageStateReader(archive), coverageChangesReader(archive));
  const readPage = pageReader(archive);
  return async (ctx: Context, { who, allowance }: Authentication): Promise<void> => {
    requireCaller(who);
    requireJsonAccepted(ctx);
    requireNoBody(ctx.req);
    const asked = parseQuery(ctx.querystring);
    const request = pageRequestOf(asked);
    const [coverage, page] = await storage(
      (signal) => {
        const covered = readCoverage(archive, request, signal, known);
        // No row is read before, so that it never claims more than the page can hold (D16).
        return Promise.all([covered, readPage(request, signal, covered)]);
      },
      request.limit,
      abortOnDisconnect(ctx.res),
    );
    const nextCursor = page.next && writeCursor(page.next, asked.filters);
    addLogFields(ctx.req, { stations: request.stations.length, records: page.records.length });
    await sendPage(ctx, buildEnvelope(page.records, coverage, nextCursor, allowance), nextCursor);
  };
}

function pageRequestOf({ filters, limit, cursor }: ObservationsQuery): PageRequest {
  const { stations, from, to, type, include } = filters;
  return {
    stations,
    from,
    to,
    types: REPORT_TYPES.filter((name) => type === 'all' || type === name.toLowerCase()),
    raw: include.includes('raw'),
    decoded: include.includes('decoded'),
    limit,
    ...(cursor !== undefined && { after: readCursor(cursor, filters) }),
  };
}
