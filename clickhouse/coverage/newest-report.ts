import type { Archive } from '../archive.ts';
import { selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';

const NEWEST_REPORT = readStatement('coverage/newest_report');

/**
 * The observation time of the newest report, in seconds since 1970-01-01T00:00:00Z; `undefined` if the archive is
 * empty. NIL reports do not count.
 */
export async function readNewestReport(
  client: Archive,
  now: Date,
  signal: AbortSignal,
): Promise<number | undefined> {
  const params = { until: Math.floor(now.getTime() / 1000) };
  const [row] = await selectRows<{ newest: number | null }>(client, { query: NEWEST_REPORT, params }, signal);
  return row?.newest || undefined;
}
