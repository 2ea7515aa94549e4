import type { Archive } from '../../clickhouse/archive.ts';
import type { CoverageStateReader } from '../../clickhouse/coverage/state/state.ts';
import { readCoverageDetails } from '../../clickhouse/coverage/years/coverage-details.ts';
import { acceptRequest } from '../http/accept-request.ts';
import type { Route } from '../http/app.ts';
import type { ApplyRateLimit } from '../http/apply-rate-limit.ts';
import { addLogFields } from '../http/request-log.ts';
import { buildEnvelope, elementsOf } from '../http/response/envelope.ts';
import type { SendBody } from '../http/response/send-body.ts';
import { requireJsonAccepted, sendJson } from '../http/response/send-json.ts';
import type { RunQuery } from '../ops/query-limits.ts';
import { formatCoverage } from './format-coverage.ts';
import { type CoverageQuery, parseCoverageQuery } from './query-params.ts';

/** A year of a station takes about as many bytes as a record. A thousand stations are a page of 10,000 at most. */
const MAX_RECORDS = 10_000;

/** `GET /v1/history/coverage` (D34). The order of the stages is the order of refusals (D25). */
export function coverageRoute(
  archive: Archive,
  readState: CoverageStateReader,
  applyRateLimit: ApplyRateLimit,
  runQuery: RunQuery,
  sendBody: SendBody,
): Route {
  return async (ctx) => {
    const { allowance, client } = await acceptRequest(ctx, applyRateLimit, requireJsonAccepted); // 503, 429, 405, 401, 406, 400
    const now = new Date();
    const query = parseCoverageQuery(ctx.querystring, now); // 400 invalid_parameter
    const { status, stations } = await runQuery(
      (signal) => readCoverageDetails(archive, query, now, signal, readState, formatCoverage),
      client,
      countRecords(query),
    ); // 503, 504

    addLogFields(ctx.req, { stations: stations.length });
    const envelope = buildEnvelope(elementsOf(stations), `"coverage":{"status":"${status}"}`, allowance);
    await sendJson(ctx, envelope, undefined, (body) => sendBody(ctx, body, client.key));
  };
}

function countRecords({ stations, from, to }: CoverageQuery): number {
  const years = new Date(to - 1).getUTCFullYear() - new Date(from).getUTCFullYear() + 1;
  return Math.min(MAX_RECORDS, stations.length * years);
}
