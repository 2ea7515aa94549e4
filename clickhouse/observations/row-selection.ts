import type { Condition } from '../conditions/condition.ts';
import { conditionSql } from '../conditions/condition-sql.ts';
import { ADDED_FIELDS } from '../model/fields.ts';
import type { Position, ReportType } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { fillSql, readSqlFile } from '../statements/sql-file.ts';
import { SqlParameters } from '../statements/sql-parameters.ts';
import { chosenColumns } from './chosen-fields.ts';
import { clauseOf, type ReportFilters } from './report-filters.ts';

/** Which rows a statement reads: those that filters select in a range. */
export type RowSelection = ReportFilters & RowRange;

/** Rows of a window, between two positions. */
export type RowRange = {
  readonly window: TimeWindow;
  /** Rows up to this position are left out. The window begins at its time. */
  readonly after?: Position | undefined;
  /** Rows after this position are left out. The window ends right after its time. */
  readonly last?: Position | undefined;
  /** Rows of other minutes are left out; seconds since 1970-01-01T00:00:00Z. */
  readonly minutes?: readonly number[] | undefined;
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
const IN_MINUTES = 'toUnixTimestamp(observations.observedAt) IN {minutes:Array(UInt32)}';
const CURRENT_REPORTS = readSqlFile('observations/current_reports_in_order');

/** As in the table's Enum: METAR before SPECI (D12). */
const TYPE_ORDER: Readonly<Record<ReportType, number>> = { METAR: 1, SPECI: 2 };

/** The clauses `$filters` and `$afterCursor`: only what the selection needs. */
export function selectionClauses(selection: RowSelection) {
  return {
    filters: [clauseOf(selection).sql, ...(selection.minutes ? [IN_MINUTES] : [])].join('\n    AND '),
    afterCursor: selection.after ? AFTER_CURSOR : '',
  };
}

/** The same, and `$untilLast`. */
export function rangeClauses(selection: RowSelection) {
  return { ...selectionClauses(selection), untilLast: selection.last ? UNTIL_LAST : '' };
}

/**
 * The subquery `$currentReports`: the highest version of each selected report, with the columns of its key, `retracted`,
 * these, and with a condition `meets`.
 */
export function currentReportsInOrder(selection: RowSelection, columns: readonly string[]): string {
  return fillSql(CURRENT_REPORTS, {
    ...rangeClauses(selection),
    columns: [...columns, ...(selection.condition ? [`${meets(selection.condition).sql} AS meets`] : [])]
      .map((column) => `, ${column}`)
      .join(''),
  });
}

/** The columns of the table that the expressions of a record need beside its key. */
export function readColumns({ raw, decoded, fields }: Representations): readonly string[] {
  return [
    ...(raw ? ['raw'] : []),
    ...(decoded ? ['clean', 'decoder'] : []),
    ...(decoded
      ? fields
        ? chosenColumns(fields)
        : ['decoded', ...ADDED_FIELDS.map(({ name }) => name)]
      : []),
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
  const { stations, window, after, last, minutes, condition } = selection;
  const params = {
    ...clauseOf(selection).params,
    ...window,
    ...positionParams('after', after),
    ...positionParams('last', last),
    ...(minutes && { minutes }),
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
