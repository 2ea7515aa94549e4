import type { DayFieldName } from './fields.ts';
import { absent, type MonthReports } from './local-month.ts';
import type { Reports } from './reports.ts';

/** Means of the hourly sample (D45), by the fields of reports. */
export const MEANS = {
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

export function means({ reports, days }: MonthReports): DayColumns {
  const meanOf = (values: Float64Array) =>
    Float64Array.from(days, ({ sample }) => {
      let [sum, count] = [0, 0];
      for (const row of sample) {
        const value = values[row] as number;
        if (Number.isNaN(value)) continue;
        sum += value;
        count += 1;
      }
      // + 0, because the mean of -0 is 0 (D62).
      return rounded(sum / count) + 0;
    });
  return Object.fromEntries(Object.entries(MEANS).map(([name, field]) => [name, meanOf(reports[field])]));
}

/**
 * The mean wind vector of the hourly sample (D66; WMO-No. 8, volume I, chapter 5): of 350 and 010 degrees the mean direction is
 * 0, not 180. Calm is a vector of length 0. A wind of variable direction has no vector, and is counted.
 */
export function resultantWinds(all: MonthReports): DayColumns {
  const { wspd_kt, wdir, isVariable } = all.reports;
  const [direction, length, variable] = [absent(all), absent(all), absent(all)];
  for (const [day, { sample }] of all.days.entries()) {
    let [east, north, vectors] = [0, 0, 0];
    for (const row of sample) {
      const speed = wspd_kt[row] as number;
      if (Number.isNaN(speed)) continue;
      const isCounted = isVariable[row] === 1 && speed > 0;
      variable[day] = (variable[day] || 0) + (isCounted ? 1 : 0);
      const angle = speed === 0 ? 0 : ((wdir[row] as number) * Math.PI) / 180;
      if (Number.isNaN(angle)) continue;
      vectors += 1;
      east += speed * Math.sin(angle);
      north += speed * Math.cos(angle);
    }
    // Sines of opposite winds add up to about 1e-16.
    const [x, y] = [east, north].map((sum) => Math.round((sum / vectors) * 1e12) / 1e12) as [number, number];
    length[day] = rounded(Math.hypot(x, y));
    const degrees = (Math.atan2(x, y) * 180) / Math.PI;
    if (x !== 0 || y !== 0) direction[day] = rounded((degrees + 360) % 360) % 360;
  }
  return { resultant_wdir: direction, resultant_wspd_kt: length, resultant_n: variable };
}
