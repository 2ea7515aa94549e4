import { formatMs, formatRatio, section, table } from '../markdown.ts';
import type { PeerResults } from './compare.ts';

export function peersTable({ about, queries, bytesPerReport }: PeerResults): string {
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
  );
}
