import type { Report } from '../../../clickhouse/model/report.ts';
import { valueOfField } from '../conditions/judge.ts';

/** Functions of numbers (D45), and the times of extremes. */

/** A value of a report; a sky without a ceiling has none. */
export function numberIn(report: Report, field: string): number | undefined {
  const value = valueOfField(field, report);
  return value === undefined || value === Number.POSITIVE_INFINITY ? undefined : Number(value);
}

export function numberOf(of: string, values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sum = values.reduce((total, value) => total + value, 0);
  switch (of) {
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'sum':
      return sum;
    case 'mean':
      return sum / values.length;
    default: {
      if (values.length < 2) return undefined;
      const mean = sum / values.length;
      return Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / (values.length - 1));
    }
  }
}

/** Type 7: linear between ranks. */
export function percentile(values: readonly number[], share: number): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)] as number, sorted[Math.ceil(rank)] as number];
  return low + (high - low) * (rank - Math.floor(rank));
}

/** The first time of the extreme, as printed. */
export function timeOfExtreme(
  values: readonly { readonly value: number; readonly time: number }[],
  of: 'max' | 'min',
): string | undefined {
  const extreme = numberOf(
    of,
    values.map(({ value }) => value),
  );
  const times = values.flatMap(({ value, time }) => (value === extreme ? [time] : []));
  if (times.length === 0) return undefined;
  return new Date(Math.min(...times) * 1000).toISOString().replace('.000Z', 'Z');
}
