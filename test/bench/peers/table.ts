import { formatMs, formatRatio, section, table } from '../markdown.ts';
import type { PeerResults } from './compare.ts';

const HTTP_METHOD =
  'The other databases over HTTP: behind a service of Koa with a pool of connections, keyset pages and JSON text made in the ' +
  'database, without keys, limits, checks and coverage. Means in milliseconds of pages in turn: the first page of ranges that ' +
  'nothing has asked for, and the pages behind it. Where a query has one page alone, the same page again.';

const CSV_METHOD =
  'All records of a range as CSV with `raw`, the same text in the same order, in turn: this service as a stream over HTTP, ' +
  'PostgreSQL by `COPY (SELECT …) TO STDOUT` through psql, DuckDB by `COPY (SELECT …) TO` a file.';

export function peersTable({ about, queries, overHttp, walk, csv, bytesPerReport }: PeerResults): string {
  const cell = (theirs: number | undefined, ours: number) =>
    theirs === undefined ? '–' : `${formatMs(theirs)} (${formatRatio(theirs / ours)})`;
  const rows = queries.map(({ name, ours, theirs }) => [
    name,
    formatMs(ours),
    cell(theirs.postgres, ours),
    cell(theirs.duckdb, ours),
  ]);
  const { ours, postgres, duckdb } = bytesPerReport;
  const bytes = [ours, postgres, duckdb].map((value) => value?.toFixed(1) ?? '–');
  return section(
    'Other databases with the same rows',
    about,
    table(
      ['query', 'this service over HTTP', 'PostgreSQL', 'DuckDB on Parquet'],
      [...rows, ['bytes per report on disk', ...bytes]],
    ),
    ...(walk
      ? [
          `A walk page by page in turn, pages after the first (${walk.pages} pages of 1,000 records): ` +
            `this service ${formatMs(walk.ours.mean)} ms in the mean, ${formatMs(walk.ours.p50)} ms in the median; ` +
            `PostgreSQL's keyset pages ${formatMs(walk.theirs.mean)} and ${formatMs(walk.theirs.p50)} ms.`,
        ]
      : []),
    HTTP_METHOD,
    table(
      [
        'query, page after page',
        'this service',
        'PostgreSQL',
        'DuckDB',
        'first page',
        'PostgreSQL',
        'DuckDB',
      ],
      overHttp.map(({ name, ours, theirs }) => [
        name,
        ...(['next', 'first'] as const).flatMap((which) => [
          formatMs(ours[which]),
          cell(theirs.postgres?.[which], ours[which]),
          cell(theirs.duckdb?.[which], ours[which]),
        ]),
      ]),
    ),
    CSV_METHOD,
    table(
      ['range', 'records', 'MB', 'this service over HTTP', 'PostgreSQL', 'DuckDB on Parquet'],
      csv.map(({ name, records, megabytes, ours: ms, theirs }) => [
        name,
        records.toLocaleString('en'),
        megabytes.toFixed(1),
        formatMs(ms),
        cell(theirs.postgres, ms),
        cell(theirs.duckdb, ms),
      ]),
    ),
  );
}
