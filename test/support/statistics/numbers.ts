import type { Report } from '../../../clickhouse/model/report.ts';
import type { ResultantOf } from '../../../clickhouse/statistics/question.ts';
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

/** The mean wind vector of reports (D66), as a sum of their vectors. */
export function resultantByDefinition(of: ResultantOf, reports: readonly Report[]): number | undefined {
  const winds = reports.flatMap((report) => {
    const [speed, direction, isVariable] = ['wspd_kt', 'wdir', 'wdir_vrb'].map((field) =>
      valueOfField(field, report),
    );
    return typeof speed === 'number' ? [{ speed, direction, isVariable: isVariable === true }] : [];
  });
  if (of === 'variable')
    return winds.length === 0
      ? undefined
      : winds.filter(({ speed, isVariable }) => isVariable && speed > 0).length;
  const vectors = winds.flatMap(({ speed, direction }) => {
    if (speed === 0) return [{ east: 0, north: 0 }];
    if (typeof direction !== 'number') return [];
    const angle = (direction * Math.PI) / 180;
    return [{ east: speed * Math.sin(angle), north: speed * Math.cos(angle) }];
  });
  if (vectors.length === 0) return undefined;
  const east = vectors.reduce((sum, vector) => sum + vector.east, 0) / vectors.length;
  const north = vectors.reduce((sum, vector) => sum + vector.north, 0) / vectors.length;
  const length = Math.hypot(east, north);
  if (of === 'speed') return length;
  // Winds cancel out but for the last digits of sines.
  if (length < 1e-11) return undefined;
  const degrees = (Math.atan2(east, north) * 180) / Math.PI;
  return (Math.round((degrees + 360) * 1e9) / 1e9) % 360;
}
