import type { Context } from 'koa';
import type { CoverageStatus } from '../../../clickhouse/coverage/coverage.ts';
import type { StreamFormat } from '../../../clickhouse/observations/stream/output-formats.ts';
import { pagingHeaders } from '../../http/response/envelope.ts';
import { formatLink, formatNextLink, setLinks } from '../../http/response/send-json.ts';
import { MEDIA_TYPES } from './formats.ts';

const CONTENT_TYPES: Readonly<Record<StreamFormat, string>> = {
  ...MEDIA_TYPES,
  csv: `${MEDIA_TYPES.csv}; charset=utf-8; header=present`,
};

/** The parameters of a request on which its coverage depends. */
const COVERAGE_PARAMETERS = ['stations', 'from', 'to'];

/**
 * The content of an envelope as headers (D33), sent before the first byte. These formats have no entity tag, because it
 * would be known only after the last byte.
 */
export function setStreamHeaders(
  ctx: Context,
  format: StreamFormat,
  status: CoverageStatus,
  nextCursor: string | undefined,
): void {
  ctx.status = 200;
  ctx.set({
    'Content-Type': CONTENT_TYPES[format],
    'Cache-Control': 'private, no-store',
    'X-Coverage-Status': status,
    ...pagingHeaders(nextCursor),
  });
  const next = nextCursor === undefined ? [] : [formatNextLink(ctx, nextCursor)];
  setLinks(ctx, [...next, formatLink('/v1/history/coverage', coverageQuery(ctx.querystring), 'describedby')]);
}

function coverageQuery(querystring: string): URLSearchParams {
  const parameters = [...new URLSearchParams(querystring)];
  return new URLSearchParams(parameters.filter(([name]) => COVERAGE_PARAMETERS.includes(name)));
}
