import { SECONDS_PER_DAY } from '../model/day.ts';
import type { MonthReports } from './local-month.ts';
import type { DayColumns } from './means.ts';

/**
 * The strongest gust or peak wind of each day, and when it was observed: of equal ones the first. A gust is at the time of its
 * report. A peak wind belongs to its own minute, which is up to a day before that of the report (D61).
 */
export function strongestWinds({ reports, days, count, dayOf }: MonthReports): DayColumns {
  const { time, wgst_kt, pk_wspd_kt, pk_time } = reports;
  const speeds = new Float64Array(count).fill(Number.NaN);
  const times = new Float64Array(count).fill(Number.NaN);
  const add = (day: number, knots: number, at: number) => {
    if (day < 0 || day >= count) return;
    const speed = speeds[day] as number;
    if (knots < speed || (knots === speed && at >= (times[day] as number))) return;
    speeds[day] = knots;
    times[day] = at;
  };
  for (let row = 0; row < time.length; row += 1) {
    const [gust, peak, clock] = [wgst_kt[row], pk_wspd_kt[row], pk_time[row]] as [number, number, number];
    const reportedAt = time[row] as number;
    if (!Number.isNaN(gust)) add(days[row] as number, gust, reportedAt);
    if (Number.isNaN(peak) || Number.isNaN(clock)) continue;
    const at = lastTimeAt(clock, reportedAt);
    add(dayOf(at), peak, at);
  }
  return { max_gust_kt: speeds, time_of_max_gust: times };
}

/** @param clock of UTC, as the number `hhmm` */
function lastTimeAt(clock: number, before: number): number {
  const seconds = (Math.floor(clock / 100) * 60 + (clock % 100)) * 60;
  return before - ((SECONDS_PER_DAY + (before % SECONDS_PER_DAY) - seconds) % SECONDS_PER_DAY);
}

/** The greatest or the least value of a field in the reports of each day. */
export function extremeOfReports(
  kind: 'max' | 'min',
  field: 'wspd_kt' | 'slp_hpa' | 'visib_m',
  { reports, days, count }: MonthReports,
): Float64Array {
  const values = reports[field];
  const found = new Float64Array(count).fill(Number.NaN);
  for (let row = 0; row < values.length; row += 1) {
    const [day, value] = [days[row] as number, values[row] as number];
    if (day < 0 || day >= count || Number.isNaN(value)) continue;
    const other = found[day] as number;
    if (Number.isNaN(other) || (kind === 'max' ? value > other : value < other)) found[day] = value;
  }
  return found;
}
