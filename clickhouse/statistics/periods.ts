import { AMOUNT_COLUMNS } from './amounts.ts';
import { valueSql } from './column.ts';

/** What reports say of a longer time than their own. */
export type PeriodKind = keyof typeof PERIODS;

/** The rows of each kind: their columns with types, and what a report says for them, of which the greatest counts. */
export const PERIODS = {
  peaks: { columns: { _peak: 'Nullable(Int64)' }, ofReports: {} },
  extremes: {
    columns: { _highest: 'Nullable(Float64)', _lowest: 'Nullable(Float64)' },
    ofReports: {},
  },
  amounts: {
    columns: AMOUNT_COLUMNS,
    ofReports: { _isMeasured: `${valueSql('station_type')} = 'AO2' AND ${valueSql('pno')} IS NULL` },
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly columns: Readonly<Record<string, string>>;
      readonly ofReports: Readonly<Record<string, string>>;
    }
  >
>;

/** SQL over the reports of a group: a value of which no row of these kinds has a part. */
export function withoutRows(sql: string, kind: PeriodKind): string {
  const { columns, ofReports } = PERIODS[kind];
  const parts: Readonly<Record<string, string>> = ofReports;
  return Object.entries(columns).reduce(
    (text, [name, type]) =>
      text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), () => parts[name] ?? `CAST(NULL, '${type}')`),
    sql,
  );
}
