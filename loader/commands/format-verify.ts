import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import type { VerifiedSlice } from '../checks/verify.ts';
import { groupBy } from '../group-by.ts';

/** Maximum number of differences printed per slice. */
const MAX_DIFFERENCES = 20;

/** One line for a slice, and one below it for each difference. */
export function formatVerifiedSlice({
  slice,
  failed,
  reports,
  differences,
}: VerifiedSlice): readonly string[] {
  const { source, station, firstDay, endDay } = slice;
  const name = `${source} ${station === ALL_STATIONS ? 'all' : station} ${firstDay} to ${endDay}`;
  if (failed !== undefined) return [`${name}: not compared: ${failed}`];
  if (differences.length === 0) return [`${name}: ${reports} reports, all equal`];
  const kinds = [...groupBy(differences, ({ kind }) => kind)].map(([kind, some]) => `${some.length} ${kind}`);
  const more = differences.length - MAX_DIFFERENCES;
  return [
    `${name}: ${reports} reports, ${kinds.join(', ')}`,
    ...differences
      .slice(0, MAX_DIFFERENCES)
      .map(({ kind, observedAt, raw }) => `  ${kind}: ${new Date(observedAt * 1000).toISOString()} ${raw}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
