import { SECONDS_PER_DAY } from '../model/day.ts';
import { absent, type MonthReports } from './local-month.ts';
import type { DayColumns } from './means.ts';

/**
 * The strongest gust or peak wind of each day, and when it was observed: of equal ones the first. A gust is at the time of its
 * report. A peak wind belongs to its own minute, which is up to a day before that of the report (D61).
 */
export function strongestWinds(all: MonthReports): DayColumns {
  const { time, wgst_kt, pk_wspd_kt, pk_time } = all.reports;
  const [speeds, times] = [absent(all), absent(all)];
  const add = (knots: number, at: number) => {
    const day = all.dayOf(at);
    const speed = speeds[day];
    if (speed === undefined) return;
    if (knots < speed || (knots === speed && at >= (times[day] as number))) return;
    speeds[day] = knots;
    times[day] = at;
  };
  for (let row = 0; row < time.length; row += 1) {
    const [gust, peak, clock] = [wgst_kt[row], pk_wspd_kt[row], pk_time[row]] as [number, number, number];
    const reportedAt = time[row] as number;
    if (!Number.isNaN(gust)) add(gust, reportedAt);
    if (!Number.isNaN(peak) && !Number.isNaN(clock)) add(peak, lastTimeAt(clock, reportedAt));
  }
  return { max_gust_kt: speeds, time_of_max_gust: times };
}

/** @param clock of UTC, as the number `hhmm` */
function lastTimeAt(clock: number, before: number): number {
  const seconds = (Math.floor(clock / 100) * 60 + (clock % 100)) * 60;
  return before - ((SECONDS_PER_DAY + (before % SECONDS_PER_DAY) - seconds) % SECONDS_PER_DAY);
}

/** The extreme of the reports of each day; NaN without a value. */
export function extremeOfReports(
  kind: 'max' | 'min',
  field: 'wspd_kt' | 'slp_hpa' | 'visib_m' | 'snow_in',
  { reports, days }: MonthReports,
): Float64Array {
  const values = reports[field];
  return Float64Array.from(days, ({ begin, end }) => {
    let found = Number.NaN;
    for (let row = begin; row < end; row += 1) {
      const value = values[row] as number;
      if (kind === 'max' ? !(value <= found) : !(value >= found)) found = Number.isNaN(value) ? found : value;
    }
    return found;
  });
}
