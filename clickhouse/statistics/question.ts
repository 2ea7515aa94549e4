import type { Condition } from '../conditions/condition.ts';
import type { Selection } from '../observations/selection.ts';

/** A question for numbers about the reports of a selection. A sampled report counts where it meets the condition. */
export type Question = Pick<Selection, 'stations' | 'from' | 'to' | 'types' | 'condition'> & {
  readonly statistics: readonly Statistic[];
  readonly groups: readonly Group[];
  readonly sample: Sample;
};

/**
 * Which reports count. `hourly`: the first METAR of each nominal hour, which is that of its observation time + 10 minutes:
 * a report of 11:51 is that of 12 o'clock. `all`: every report. `auto`: `all` for extremes and for days and hours with a
 * condition, because a special report may bring them; `hourly` for everything else.
 */
export const SAMPLES = ['auto', 'hourly', 'all'] as const;
export type Sample = (typeof SAMPLES)[number];

/** The value of one column of the answer. */
export type Statistic = { readonly name: string } & (
  | { readonly kind: 'reports' }
  | { readonly kind: 'number'; readonly of: NumberFunction; readonly field: string }
  | { readonly kind: 'percentile'; readonly percent: number; readonly field: string }
  | { readonly kind: 'time'; readonly of: 'max' | 'min'; readonly field: string }
  | { readonly kind: 'condition'; readonly of: ConditionFunction; readonly condition: Condition }
  /** `field`: the speed in its unit. */
  | { readonly kind: 'resultant'; readonly of: ResultantOf; readonly field?: string }
);

/** The part of the mean wind vector: `resultant(wdir)`, `resultant(wspd_kt)`, or `resultant_n`. */
export type ResultantOf = 'direction' | 'speed' | 'variable';

export const NUMBER_FUNCTIONS = ['mean', 'min', 'max', 'sum', 'stddev'] as const;
export type NumberFunction = (typeof NUMBER_FUNCTIONS)[number];

export const CONDITION_FUNCTIONS = ['share', 'count', 'days', 'hours'] as const;
export type ConditionFunction = (typeof CONDITION_FUNCTIONS)[number];

export const CALENDAR_UNITS = ['year', 'season', 'month', 'date', 'hour'] as const;
export type CalendarUnit = (typeof CALENDAR_UNITS)[number];

export const SECTORS = [8, 12, 16, 36] as const;

/** Groupings in addition to the station. */
export type Group =
  | { readonly kind: 'calendar'; readonly unit: CalendarUnit }
  /** Winds of up to `calm` knots, 0 where it is absent, are calm. */
  | { readonly kind: 'sector'; readonly sectors: number; readonly calm?: number }
  /** Number of the half-open class: 0 below the first bound, 1 from it to below the second, … */
  | { readonly kind: 'class'; readonly field: string; readonly bounds: readonly number[] }
  | { readonly kind: 'choice'; readonly field: string };

export function groupNames(group: Group): readonly string[] {
  if (group.kind === 'sector') return ['wind_sector', 'wind_sector_deg'];
  if (group.kind === 'class') return [`class_${group.field}`];
  return [group.kind === 'calendar' ? group.unit : group.field];
}
