import type { Report } from '../../../clickhouse/model/report.ts';
import type { ResultantOf } from '../../../clickhouse/statistics/question.ts';
import { valueOfField } from '../conditions/judge.ts';

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
