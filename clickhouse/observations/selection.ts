import { type Condition, conditionSql } from '../conditions/condition.ts';
import type { Position, ReportType } from '../model/report.ts';
import { clampToArchive, type StationRange, type TimeWindow } from '../model/time-window.ts';
import { highestVersions, IN_WINDOW } from '../statements/current-reports.ts';
import { fillSql, readStatement, SqlParameters } from '../statements/sql.ts';

/** Which reports a request asks for, and which parts: one value from the request parser to the statements. */
export type Selection = StationRange & {
  readonly types: readonly ReportType[];
  /** Reports for which it is not true are left out. */
  readonly condition?: Condition;
  /** The text of each report. */
  readonly raw: boolean;
  /** Its decoded fields. */
  readonly decoded: boolean;
  /** The requested decoded and derived fields, in this order; all decoded ones if omitted. */
  readonly fields?: readonly string[];
};

export type PageRequest = Selection & {
  /** Maximum number of records. */
  readonly limit: number;
  /** The last record of the previous page. */
  readonly after?: Position | undefined;
};

/** The part of the range that the archive can hold, from the minute of the last record on; `undefined` if there is none. */
export function rangeAfter(request: PageRequest): TimeWindow | undefined {
  const range = clampToArchive(request);
  return range && { from: Math.max(range.from, request.after?.observedAt ?? 0), to: range.to };
}

/** Which rows a statement reads: those that the filters select in a range. */
export type RowSelection = Pick<Selection, 'stations' | 'types'> & RowRange;

/** Rows of a window, between two positions. */
export type RowRange = {
  readonly window: TimeWindow;
  /** Rows up to this position are left out. The window begins at its time or later. */
  readonly after?: Position | undefined;
  /** Rows after this position are left out. The window ends right after its time or earlier. */
  readonly last?: Position | undefined;
  /** Few rows meet the condition: their keys are looked up first, and no other row is read. */
  readonly isSparse?: boolean;
  /** What the highest version of a report must meet. Never a WHERE clause: an older version could meet it. */
  readonly condition?: Condition | undefined;
};

const AFTER_CURSOR = readStatement('observations/after_cursor');
const UNTIL_LAST = readStatement('observations/until_last');
const OF_MATCHES = readStatement('observations/of_matches');

/** As in the table's Enum: METAR before SPECI (D12). */
const TYPE_ORDER: Readonly<Record<ReportType, number>> = { METAR: 1, SPECI: 2 };

/** SQL over a row with the values of its typed parameters. Parameters are part of the URL of a statement. */
type Clause = { readonly sql: string; readonly params: Readonly<Record<string, unknown>> };

/** No clause for all types: even an always-true condition would cost a fifth of a page. */
function clausesOf({ stations, types }: RowSelection): readonly Clause[] {
  return [
    stations.length === 1
      ? { sql: 'station = {station:String}', params: { station: stations[0] } }
      : { sql: 'station IN {stations:Array(String)}', params: { stations } },
    ...(types.length === 1 ? [{ sql: 'type = {type:String}', params: { type: types[0] } }] : []),
  ];
}

/** The clause `$selected` over a row: only what the selection needs. */
export function selectedSql(selection: RowSelection): string {
  return [
    ...clausesOf(selection).map(({ sql }) => sql),
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

/**
 * The current reports among them, as the clauses FROM and WHERE over rows `report`: neither those that are retracted nor
 * those that do not meet the condition.
 */
export function selectedReports(selection: RowSelection, columns: readonly string[]): string {
  const andMeets = selection.condition === undefined ? '' : ' AND report.meets';
  return `(${selectedVersions(selection, columns)}) AS report\nWHERE NOT report.retracted${andMeets}`;
}

/** A condition over one row, 1 where it is true, and the values of its typed parameters. */
export function meets(condition: Condition) {
  const parameters = new SqlParameters('filter');
  const sql = conditionSql(condition, parameters);
  return { sql, params: parameters.values };
}

/** The parameters of these clauses, and further ones of the statement. */
export function bindSelection(selection: RowSelection, further: Clause['params'] = {}) {
  const { stations, window, after, last, condition } = selection;
  const params = {
    ...Object.assign({}, ...clausesOf(selection).map((clause) => clause.params)),
    ...window,
    ...positionParams('after', after),
    ...positionParams('last', last),
    ...(condition && meets(condition).params),
    ...further,
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
