import { toNumber } from '../format.ts';
import type { Row } from './requests.ts';
import { convert } from './units.ts';

/** `n` of its `expected` hours have a report. */
export type Day = ReturnType<typeof toDay> & { readonly ceiling?: number | undefined };

/** A day of a station's record, or a month at its middle: a row of `dailyValues` or `monthlyValues`. */
export function toDay(row: Row) {
  return {
    date: row.date === undefined ? `${row.year}-${String(row.month).padStart(2, '0')}-15` : String(row.date),
    n: row.n,
    expected: row.expected ?? 24,
    temperature: convert('temperature', toNumber(row.mean_temp_c)),
    low: convert('temperature', toNumber(row.mean_min_temp_c ?? row.min_temp_c)),
    high: convert('temperature', toNumber(row.mean_max_temp_c ?? row.max_temp_c)),
    wind: convert('speed', toNumber(row.mean_wspd_kt)),
    gust: convert('speed', toNumber(row.max_gust_kt)),
    fog: row.n === 0 ? undefined : toNumber(row.fog_hours),
    thunder: row.n === 0 ? undefined : toNumber(row.thunder_hours),
    precipitation: convert('amount', toNumber(row.precip_mm)),
  };
}
