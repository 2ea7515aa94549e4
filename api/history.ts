import type { ClickHouseClient } from '@clickhouse/client';
import type { Context } from 'koa';
import { readCoverage } from '../clickhouse/coverage.ts';
import { knownReader } from '../clickhouse/known.ts';
import { keepKnown } from '../clickhouse/known-cache.ts';
import { type PageRequest, pageReader } from '../clickhouse/page.ts';
import { REPORT_TYPES } from '../clickhouse/report.ts';
import { toldReader } from '../clickhouse/told.ts';
import type { Admission } from './admission.ts';
import { requireCaller } from './caller.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { envelope } from './envelope.ts';
import { type Asked, readFilters } from './filters.ts';
import { note } from './log.ts';
import { reply, requireJsonAccepted } from './reply.ts';
import type { Storage } from './storage.ts';
import { clientGone, requireNoBody } from './wire.ts';

/** `GET /v1/history/observations`. The order of these lines is the order of refusals (D25). */
export function observations(archive: ClickHouseClient, storage: Storage) {
  const known = keepKnown(knownReader(archive), toldReader(archive));
  const readPage = pageReader(archive);
  return async (ctx: Context, { who, allowance }: Admission): Promise<void> => {
    requireCaller(who);
    requireJsonAccepted(ctx);
    requireNoBody(ctx.req);
    const asked = readFilters(ctx.querystring);
    const request = pageRequestOf(asked);
    const [coverage, page] = await storage(
      (signal) => {
        const covered = readCoverage(archive, request, signal, known);
        // No row is read before, so that it never claims more than the page can hold (D16).
        return Promise.all([covered, readPage(request, signal, covered)]);
      },
      request.limit,
      clientGone(ctx.res),
    );
    const nextCursor = page.next && writeCursor(page.next, asked.filters);
    note(ctx.req, { stations: request.stations.length, records: page.records.length });
    await reply(ctx, envelope(page.records, coverage, nextCursor, allowance), nextCursor);
  };
}

function pageRequestOf({ filters, limit, cursor }: Asked): PageRequest {
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
