import { AMOUNT_COLUMNS, amountsSql } from './amounts.ts';
import { valueSql } from './column.ts';
import { extremesSql, peaksSql } from './extremes.ts';
import type { KindSource, RowSql } from './period-source.ts';

/** What reports say of a longer time than their own. */
export type PeriodKind = keyof typeof PERIODS;

/** The rows of each kind: their columns by name, what the reports of a group say for them, and their statement. */
export const PERIODS = {
  peaks: { columns: ['_peak'], ofReports: {}, sql: peaksSql },
  extremes: { columns: ['_highest', '_lowest'], ofReports: {}, sql: extremesSql },
  amounts: {
    columns: Object.keys(AMOUNT_COLUMNS),
    ofReports: { _isMeasured: `max(${valueSql('station_type')} = 'AO2' AND ${valueSql('pno')} IS NULL)` },
    sql: amountsSql,
  },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly columns: readonly string[];
      readonly ofReports: Readonly<Record<string, string>>;
      readonly sql: (source: KindSource, row: RowSql) => string;
    }
  >
>;
