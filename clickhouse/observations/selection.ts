import type { Condition } from '../conditions/condition.ts';
import type { ReportType } from '../model/report.ts';
import type { StationRange } from '../model/time-window.ts';

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
