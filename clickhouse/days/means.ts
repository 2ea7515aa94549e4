import type { DayFieldName } from './fields.ts';
import type { MonthReports } from './local-month.ts';
import type { Reports } from './reports.ts';

/** Means of the hourly sample (D45), by the fields of reports. */
const MEANS = {
  mean_temp_c: 'temp_c',
  mean_dewp_c: 'dewp_c',
  mean_rh_pct: 'rh_pct',
  mean_wspd_kt: 'wspd_kt',
  mean_slp_hpa: 'slp_hpa',
} as const satisfies Partial<Record<DayFieldName, keyof Reports>>;

/** Values of days, by their fields. NaN is absent. */
export type DayColumns = Partial<Record<DayFieldName, Float64Array>>;

/** Rounded to six decimal places: no field has more than four. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

export function means(reports: MonthReports): DayColumns {
  return Object.fromEntries(
    Object.entries(MEANS).map(([name, field]) => [name, meanOf(reports.reports[field], reports)]),
  );
}

function meanOf(values: Float64Array, { reports: { isFirst }, days, count }: MonthReports): Float64Array {
  const sums = new Float64Array(count);
  const counts = new Int32Array(count);
  for (let row = 0; row < values.length; row += 1) {
    const [day, value] = [days[row] as number, values[row] as number];
    if (day < 0 || day >= count || isFirst[row] === 0 || Number.isNaN(value)) continue;
    sums[day] = (sums[day] as number) + value;
    counts[day] = (counts[day] as number) + 1;
  }
  // + 0: the mean of -0 is 0 (D62).
  return sums.map((sum, day) => rounded(sum / (counts[day] as number)) + 0);
}

/**
 * The mean wind vector of the hourly sample (D66; WMO-No. 8, volume I, chapter 5): of 350 and 010 degrees the mean direction is
 * 0, not 180. Calm is a vector without length, whatever its direction. A wind of variable direction is none, and is counted.
 */
export function resultantWinds({ reports, days, count }: MonthReports): DayColumns {
  const { wspd_kt, wdir, isVariable, isFirst } = reports;
  const [east, north] = [new Float64Array(count), new Float64Array(count)];
  const [vectors, winds, variable] = [new Int32Array(count), new Int32Array(count), new Float64Array(count)];
  for (let row = 0; row < wspd_kt.length; row += 1) {
    const [day, speed] = [days[row] as number, wspd_kt[row] as number];
    if (day < 0 || day >= count || isFirst[row] === 0 || Number.isNaN(speed)) continue;
    winds[day] = (winds[day] as number) + 1;
    if (isVariable[row] === 1 && speed > 0) variable[day] = (variable[day] as number) + 1;
    const angle = speed === 0 ? 0 : ((wdir[row] as number) * Math.PI) / 180;
    if (Number.isNaN(angle)) continue;
    vectors[day] = (vectors[day] as number) + 1;
    east[day] = (east[day] as number) + speed * Math.sin(angle);
    north[day] = (north[day] as number) + speed * Math.cos(angle);
  }
  const [direction, length] = [new Float64Array(count), new Float64Array(count)];
  for (let day = 0; day < count; day += 1) {
    // Sines of opposite winds add up to about 1e-16.
    const [x, y] = [east, north].map(
      (sums) => Math.round(((sums[day] as number) / (vectors[day] as number)) * 1e12) / 1e12,
    ) as [number, number];
    length[day] = rounded(Math.hypot(x, y));
    const degrees = rounded((Math.atan2(x, y) * 180) / Math.PI);
    direction[day] = x === 0 && y === 0 ? Number.NaN : ((degrees + 360) % 360) + 0;
    if (winds[day] === 0) variable[day] = Number.NaN;
  }
  return { resultant_wdir: direction, resultant_wspd_kt: length, resultant_n: variable };
}
