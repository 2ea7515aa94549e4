import type { StatisticsQuery } from './request/query-params.ts';

/** The members of `meta` that say how a question was understood, as JSON text. */
export function formatMeta({ question: { sample }, tz, expanded }: StatisticsQuery): string {
  const { select, by } = expanded ?? {};
  return JSON.stringify({
    sample,
    tz,
    ...(expanded !== undefined && { expanded: { select, by, sample } }),
  }).slice(1, -1);
}
