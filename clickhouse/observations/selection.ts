import type { Condition } from '../conditions/condition.ts';
import type { ReportType } from '../model/report.ts';
import type { StationRange } from '../model/time-window.ts';

/** Which reports a request asks for, and what of them: one value from the parser of the request to the statements. */
export type Selection = StationRange & {
  readonly types: readonly ReportType[];
  /** Reports for which it is not true are left out. */
  readonly condition?: Condition;
  /** The text of each report. */
  readonly raw: boolean;
  /** Its decoded fields. */
  readonly decoded: boolean;
  /** The decoded and derived fields that are wanted, in this order; all decoded ones where it is left out. */
  readonly fields?: readonly string[];
};
