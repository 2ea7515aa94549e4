import { nearestNames } from '../../../clickhouse/conditions/nearest-names.ts';

/** A mistake in `select`, `by`, `preset` or `tz`. The message follows the name of the parameter. */
export class ListError extends Error {
  override readonly name = 'ListError';
}

/** What to write in place of an unknown name: the nearest ones, or all where none is near. */
export function insteadOf(unknown: string, names: Iterable<string>): string {
  const all = [...names];
  const nearest = nearestNames(unknown, all);
  if (nearest.length > 0) return `the nearest is ${nearest.join(' or ')}`;
  return all.length > 40 ? 'see /docs/statistics' : `there are ${all.join(', ')}`;
}
