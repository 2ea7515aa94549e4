import type { Condition } from '../conditions/condition.ts';
import { conditionSql } from '../conditions/condition-sql.ts';
import { ALL_DECODED } from '../model/field-columns.ts';
import type { Position, ReportType } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { highestVersions, IN_WINDOW } from '../statements/highest-versions.ts';
import { fillSql, readSqlFile } from '../statements/sql-file.ts';
import { SqlParameters } from '../statements/sql-parameters.ts';
import { chosenColumns } from './chosen-fields.ts';
import { clauseOf, type ReportFilters } from './report-filters.ts';

/** Which rows a statement reads: those that filters select in a range. */
export type RowSelection = ReportFilters & RowRange;

/** Rows of a window, between two positions. */
export type RowRange = {
  readonly window: TimeWindow;
  /** Rows up to this position are left out. The window begins at its time or later. */
  readonly after?: Position | undefined;
  /** Rows after this position are left out. The window ends right after its time or earlier. */
  readonly last?: Position | undefined;
  /** Few of the rows meet the condition: the keys of those are looked up first, and no other row is read. */
  readonly isSparse?: boolean;
  /** What the highest version of a report must meet. It is never a clause of WHERE: an older version could meet it. */
  readonly condition?: Condition | undefined;
};

/** Which optional parts of a record are read. */
export type Representations = {
  readonly raw: boolean;
  readonly decoded: boolean;
  /** The decoded and derived fields that `decoded` holds, in this order; all decoded ones where it is left out (D44). */
  readonly fields?: readonly string[] | undefined;
};

const AFTER_CURSOR = readSqlFile('observations/after_cursor');
const UNTIL_LAST = readSqlFile('observations/until_last');
const OF_MATCHES = readSqlFile('observations/of_matches');

/** As in the table's Enum: METAR before SPECI (D12). */
const TYPE_ORDER: Readonly<Record<ReportType, number>> = { METAR: 1, SPECI: 2 };

/** The clause `$selected` over a row: only what the selection needs. */
export function selectedSql(selection: RowSelection): string {
  return [
    clauseOf(selection).sql,
    IN_WINDOW,
    ...(selection.after ? [AFTER_CURSOR] : []),
    ...(selection.last ? [UNTIL_LAST] : []),
  ].join('\n    AND ');
}

/**
 * The highest version of each selected report in the order of D12, with the columns of its key, `retracted`, these, and
 * with a condition `meets`.
 */
export function selectedVersions(selection: RowSelection, columns: readonly string[]): string {
  const { condition, isSparse = false } = selection;
  const selected = selectedSql(selection);
  if (condition === undefined) return highestVersions({ order: 'byTime', selected, columns });
  const meetsCondition = meets(condition).sql;
  return highestVersions({
    order: 'byTime',
    selected: isSparse
      ? `${selected} AND ${fillSql(OF_MATCHES, { selected, meets: meetsCondition })}`
      : selected,
    columns: [...columns, `${meetsCondition} AS meets`],
  });
}

/** The columns of the table that the expressions of a record need beside its key. */
export function readColumns({ raw, decoded, fields }: Representations): readonly string[] {
  return [
    ...(raw ? ['raw'] : []),
    ...(decoded ? ['clean', 'decoder'] : []),
    ...(decoded ? (fields ? chosenColumns(fields) : ALL_DECODED) : []),
  ];
}

/** A condition over one row, 1 where it is true, and the values of its typed parameters. */
export function meets(condition: Condition) {
  const parameters = new SqlParameters('filter');
  const sql = conditionSql(condition, parameters);
  return { sql, params: parameters.values };
}

/** The parameters of these clauses. */
export function bindSelection(selection: RowSelection) {
  const { stations, window, after, last, condition } = selection;
  const params = {
    ...clauseOf(selection).params,
    ...window,
    ...positionParams('after', after),
    ...positionParams('last', last),
    ...(condition && meets(condition).params),
  };
  return { params, ofStations: stations.length > 1 };
}

function positionParams(name: 'after' | 'last', position: Position | undefined) {
  return (
    position && {
      [`${name}Time`]: position.observedAt,
      [`${name}Station`]: position.station,
      [`${name}Type`]: TYPE_ORDER[position.type],
      [`${name}Fingerprint`]: Number.parseInt(position.fingerprint, 16),
    }
  );
}
