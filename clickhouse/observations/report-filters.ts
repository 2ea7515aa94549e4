import type { ReportType } from '../model/report.ts';

/** What reports are selected by, beside their time. */
export type ReportFilters = {
  readonly stations: readonly string[];
  readonly types: readonly ReportType[];
};

/** A condition in SQL with the values of its typed parameters. */
type Clause = { readonly sql: string; readonly params: Readonly<Record<string, unknown>> };

/**
 * The clause of each filter; `undefined` where its value selects all reports, for a condition that is true for every row
 * would still cost a fifth of a page.
 */
const CLAUSES: {
  readonly [Name in keyof ReportFilters]-?: (value: ReportFilters[Name]) => Clause | undefined;
} = {
  stations: (stations) =>
    stations.length === 1
      ? { sql: 'station = {station:String}', params: { station: stations[0] } }
      : { sql: 'station IN {stations:Array(String)}', params: { stations } },
  types: (types) =>
    types.length === 1 ? { sql: 'type = {type:String}', params: { type: types[0] } } : undefined,
};

/** The clauses of all filters. Parameters are part of the URL of a statement, so it has only those that they name. */
export function clauseOf(filters: ReportFilters): Clause {
  const names = Object.keys(CLAUSES) as (keyof ReportFilters)[];
  const clauses = names
    .map((name) => CLAUSES[name](filters[name] as never))
    .filter((clause) => clause !== undefined);
  return {
    sql: clauses.map(({ sql }) => sql).join('\n    AND '),
    params: Object.assign({}, ...clauses.map(({ params }) => params)),
  };
}
