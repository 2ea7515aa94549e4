import type { Day } from './day.ts';

/** UTC days without a gap, `[firstDay, endDay)`. */
export type DayRange = { readonly firstDay: Day; readonly endDay: Day };
