import { fillSql, readStatement } from './sql.ts';

const HIGHEST_VERSIONS = readStatement('observations/highest_versions');

/**
 * The stored orders: the table's (D12) and its projection's. `ofOneStation` is the projection's for a statement that reads
 * one station: sorting then compares no station, which saves a tenth of the time of a question.
 */
const ORDERS = {
  byTime: 'observedAt, station, type, fingerprint',
  byStation: 'station, observedAt, type, fingerprint',
  ofOneStation: 'observedAt, type, fingerprint',
} as const;

/** The rows of a window `[from, to)`, two typed parameters. */
export const IN_WINDOW = "observedAt >= {from:DateTime('UTC')} AND observedAt < {to:DateTime('UTC')}";

/** SQL over a row of `observations`. */
type VersionQuery = {
  readonly order: keyof typeof ORDERS;
  /** Which rows, by columns of the key: they are the same for all versions of a report. */
  readonly selected: string;
  /** Columns in addition to the key and `retracted`. */
  readonly columns: readonly string[];
};

/** A subquery: the highest version of each report, retracted or not. */
export function highestVersions({ order, selected, columns }: VersionQuery): string {
  return fillSql(HIGHEST_VERSIONS, {
    order: ORDERS[order],
    selected,
    columns: columns.map((column) => `, ${column}`).join(''),
  });
}
