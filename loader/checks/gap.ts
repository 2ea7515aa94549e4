import type { DayRange } from '../../clickhouse/model/day-ranges.ts';
import type { Source } from '../../clickhouse/model/report.ts';

/** Days to load, of a station or, with `*`, of all of them. */
export type Gap = DayRange & { readonly station: string; readonly source: Source } & (
    | { readonly kind: 'not done' }
    /** Done by the ledger, but the archive holds fewer reports now than the ledger records. */
    | { readonly kind: 'lost'; readonly recorded: number; readonly stored: number }
    /** Done by the coverage view, but not by the ledger, so nothing says how many reports there were. */
    | { readonly kind: 'not recorded' }
    /** Done, without any report although the station reports before and after. */
    | { readonly kind: 'silent' }
    /** Done, with far fewer reports than the days around it. */
    | { readonly kind: 'low count'; readonly reports: number; readonly usual: number }
  );
