import { formatMs, formatRatio, section, table } from '../markdown.ts';
import type { PeerResults } from './compare.ts';

const CSV_METHOD =
  'All records of a range as CSV with `raw`, the same text in the same order, in turn: this service as a stream over HTTP, ' +
  'PostgreSQL by `COPY (SELECT …) TO STDOUT` through psql, DuckDB by `COPY (SELECT …) TO` a file.';

export function peersTable({ about, queries, walk, csv, bytesPerReport }: PeerResults): string {
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
