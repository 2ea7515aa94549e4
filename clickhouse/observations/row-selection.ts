import type { Position, ReportType } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { fillSql, readSqlFile } from '../statements/sql-file.ts';
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
};

/** Which optional parts of a record are read. */
export type Representations = { readonly raw: boolean; readonly decoded: boolean };

const AFTER_CURSOR = readSqlFile('observations/after_cursor');
const UNTIL_LAST = readSqlFile('observations/until_last');
const CURRENT_REPORTS = readSqlFile('observations/current_reports_in_order');

/** As in the table's Enum: METAR before SPECI (D12). */
const TYPE_ORDER: Readonly<Record<ReportType, number>> = { METAR: 1, SPECI: 2 };

/** The clauses `$filters` and `$afterCursor`: only what the selection needs. */
export function selectionClauses(selection: RowSelection) {
  return {
    filters: clauseOf(selection).sql,
    afterCursor: selection.after ? AFTER_CURSOR : '',
  };
}

/** The same, and `$untilLast`. */
export function rangeClauses(selection: RowSelection) {
  return { ...selectionClauses(selection), untilLast: selection.last ? UNTIL_LAST : '' };
}

/**
 * The subquery `$currentReports`: the highest version of each selected report, with the columns of its key, `retracted` and
 * these.
 */
export function currentReportsInOrder(selection: RowSelection, columns: readonly string[]): string {
  return fillSql(CURRENT_REPORTS, {
    ...rangeClauses(selection),
    columns: columns.map((name) => `, ${name}`).join(''),
  });
}

/** The parameters of these clauses. */
export function bindSelection(selection: RowSelection) {
  const { stations, window, after, last } = selection;
  const params = {
    ...clauseOf(selection).params,
    ...window,
    ...positionParams('after', after),
    ...positionParams('last', last),
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
