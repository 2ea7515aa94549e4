import { type Condition, conditionSql } from '../conditions/condition.ts';
import { SECONDS_PER_DAY } from '../model/day.ts';
import type { Position, ReportType } from '../model/report.ts';
import { clampToArchive, type StationRange, type TimeWindow } from '../model/time-window.ts';
import type { REPORT_TABLES } from '../statements/current-reports.ts';
import type { NamedParts } from '../statements/served-parts.ts';
import { fillSql, readStatement, SqlParameters, withinSql } from '../statements/sql.ts';

/** Which reports a request asks for, and which parts: one value from the request parser to the statements. */
export type Selection = StationRange & {
  readonly types: readonly ReportType[];
  /** Reports for which it is not true are left out. */
  readonly condition?: Condition;
  readonly raw: boolean;
  readonly decoded: boolean;
  /** The requested decoded and derived fields, in this order; all decoded ones if omitted. */
  readonly fields?: readonly string[];
  /** The reverse of the order of D12: the newest first. */
  readonly isDescending?: boolean;
};

export type PageRequest = Selection & {
  readonly limit: number;
  /** The last record of the previous page. */
  readonly after?: Position | undefined;
};

/**
 * The part of the range that the archive can hold and that begins, in the order of the request, at the minute of the last record;
 * `undefined` if there is none.
 */
export function rangeAfter({ after, isDescending, ...range }: PageRequest): TimeWindow | undefined {
  const held = clampToArchive(range);
  if (held === undefined || after === undefined) return held;
  return isDescending
    ? { from: held.from, to: Math.min(held.to, after.observedAt + 1) }
    : { from: Math.max(held.from, after.observedAt), to: held.to };
}

export type RowSelection = Pick<Selection, 'stations' | 'types' | 'isDescending'> & RowRange;

/** Rows of a window, between two positions. */
export type RowRange = {
  readonly window: TimeWindow;
  /** Rows up to this position, in the order of the selection, are left out. The window begins at its time or later. */
  readonly after?: Position | undefined;
  /** Rows after this position are left out. The window ends right after its time or earlier. */
  readonly last?: Position | undefined;
  readonly condition?: Condition | undefined;
  /** Few rows meet the condition, so these are found before other columns are read. */
  readonly isSparse?: boolean;
  /** Reads only these parts, so that the condition can be judged before texts are read. */
  readonly named?: NamedParts | undefined;
};

/**
 * For up to this many stations, a window is read in the order of stations, which reads a granule of 1,024 rows of each. In the
 * order of time, it would read the rows of all stations. For a page of 2,000 records, the first takes 0.65 ms of CPU time for each
 * station, the second 0.09 ms for each 1,000 rows: equal for 17 of 1,000 stations with reports, 6 of 34, and 55 of 10,000.
 */
const FEW_STATIONS = 16;
/** About the time that a granule of an hourly station covers, so a longer window wastes at most half of what it reads. */
const LONG_SECONDS = 42 * SECONDS_PER_DAY;

export type ReportTable = (typeof REPORT_TABLES)[number];

/**
 * The table that has the rows of a selection together. Searches read long windows of any stations in the order of stations: counts
 * read few granules there, conditions only those that can meet them, and hourly series are sorted in any case.
 */
export function tableOf({ stations, window }: RowSelection, isSearch: boolean): ReportTable {
  const isLong = window.to - window.from >= LONG_SECONDS;
  return stations.length <= FEW_STATIONS || (isSearch && isLong) ? 'station_observations' : 'observations';
}

const MATCHING = readStatement('observations/matching');

/** As in the table's Enum: METAR before SPECI (D12). */
const TYPE_ORDER: Readonly<Record<ReportType, number>> = { METAR: 1, SPECI: 2 };

/** SQL that selects rows `report` by their key. It leaves out what is always true, because that would cost a fifth of a page. */
function selectedSql({ stations, types, isDescending, after, last, named }: RowSelection): string {
  return [
    stations.length === 1
      ? 'report.station = {station:String}'
      : 'report.station IN {stations:Array(String)}',
    ...(types.length === 1 ? ['report.type = {type:String}'] : []),
    withinSql('report.observedAt'),
    ...(named ? ['_part IN {partNames:Array(String)}'] : []),
    ...(after ? [isNotBeyond('after', isDescending ? '>=' : '<=')] : []),
    ...(last ? [isNotBeyond('last', isDescending ? '<' : '>')] : []),
  ].join('\n    AND ');
}

/** SQL that leaves out rows of the same minute as a position. If the tuples had the time too, no granule would be skipped. */
function isNotBeyond(name: 'after' | 'last', comparison: string): string {
  return `NOT (report.observedAt = {${name}Time:DateTime('UTC')}
    AND (report.station, toInt8(report.type), report.fingerprint)
        ${comparison} ({${name}Station:String}, {${name}Type:Int8}, {${name}Fingerprint:UInt32}))`;
}

/** The clauses FROM and WHERE over all selected rows `report`, including retracted and replaced ones, without the condition. */
export function selectedRows(selection: RowSelection): string {
  return `${tableOf(selection, true)} AS report\nWHERE ${selectedSql(selection)}`;
}

/**
 * The clauses over the current reports, without the condition: the highest version of each, unless it is retracted. All versions
 * of a report have the same key, so rows can be selected by it before FINAL, in PREWHERE, and no text of other rows is read.
 */
export function currentReports(selection: RowSelection, table?: ReportTable): string {
  return finalRows(selection, `PREWHERE ${selectedSql(selection)}\nWHERE`, table);
}

/** @param where the clauses before the last condition */
function finalRows(
  selection: RowSelection,
  where: string,
  table = tableOf(selection, selection.condition !== undefined),
): string {
  return `${table} AS report FINAL\n${where} NOT report.retracted`;
}

const ORDER = ['report.observedAt', 'report.station', 'report.type', 'report.fingerprint'];

/** The order of D12, or its reverse. */
export function orderOf({ isDescending }: Pick<Selection, 'isDescending'>): string {
  return ORDER.map((column) => (isDescending ? `${column} DESC` : column)).join(', ');
}

/**
 * The clauses over the current reports that meet the condition, if there is one. With FINAL, a statement reads every column that it
 * names for all rows. So if few rows meet the condition, they are first found by its columns, and no text of other rows is read.
 *
 * @param limit a clause LIMIT for the reports that are found
 */
export function selectedReports(
  selection: RowSelection & Partial<Pick<Selection, 'decoded' | 'fields'>>,
  limit = '',
): string {
  const selected = selectedSql(selection);
  if (selection.named !== undefined) {
    const { versioned } = selection.named;
    const rows = `${tableOf(selection, true)} AS report
PREWHERE ${selected}
    AND NOT report.retracted
    ${andMeets(selection)}`;
    if (versioned.length === 0) return rows;
    const times = versioned.map(
      ({ from, to }) => `report.observedAt >= ${from} AND report.observedAt < ${to}`,
    );
    const isVersioned = `(${times.join(' OR ')})`;
    return `${rows}\nWHERE NOT ${isVersioned} OR ${matching(selection, '_part', '', `AND ${isVersioned}`)}`;
  }
  if (selection.condition === undefined || selection.isSparse !== true) {
    // A page reads few granules: of few columns PREWHERE takes 1.04 to 1.15 of the CPU, of all fields 0.82 to 0.99.
    const isOfFewColumns = !selection.decoded || selection.fields !== undefined;
    const where =
      limit !== '' && isOfFewColumns ? `WHERE ${selected}\n    AND` : `PREWHERE ${selected}\nWHERE`;
    return `${finalRows(selection, where)}\n    ${andMeets(selection)}`;
  }
  const first = limit === '' ? '' : `ORDER BY ${orderOf(selection)}\n    ${limit}`;
  // The condition is repeated, so that other rows of the granules are dropped without searching for their keys.
  const found = `${andMeets(selection)}\n    AND ${matching(selection, 'report.version', first)}`;
  return finalRows(selection, `PREWHERE ${selected}\n    ${found}\nWHERE`);
}

/**
 * SQL: whether a row is a current report that meets the condition.
 *
 * @param row a column that distinguishes rows with the same key
 * @param first clauses ORDER BY and LIMIT of the reports that are found
 * @param andWithin a further condition on their keys
 */
function matching(selection: RowSelection, row: string, first = '', andWithin = ''): string {
  const reports = finalRows(selection, `PREWHERE ${selectedSql(selection)}\n    ${andWithin}\nWHERE`);
  return fillSql(MATCHING, { row, reports: `${reports}\n    ${andMeets(selection)}`, first });
}

/** The condition of a selection as SQL that continues a WHERE clause; empty without a condition. */
export function andMeets({ condition }: RowSelection): string {
  return condition === undefined ? '' : `AND (${meets(condition).sql})`;
}

/** A condition over one row, 1 where it is true, and the values of its typed parameters. */
function meets(condition: Condition) {
  const parameters = new SqlParameters('filter');
  const sql = conditionSql(condition, parameters);
  return { sql, params: parameters.values };
}

/** The parameters of these clauses, and further ones of the statement: they are part of its URL. */
export function bindSelection(
  { stations, types, window, after, last, condition, named }: RowSelection,
  further: Readonly<Record<string, unknown>> = {},
) {
  const ofStations = stations.length > 1;
  const params = {
    ...(ofStations ? { stations } : { station: stations[0] }),
    ...(types.length === 1 && { type: types[0] }),
    ...window,
    ...(named && { partNames: named.names }),
    ...positionParams('after', after),
    ...positionParams('last', last),
    ...(condition && meets(condition).params),
    ...further,
  };
  return { params, ofStations };
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
