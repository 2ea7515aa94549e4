import type { Origin, Slice } from './sources/origin.ts';

/** What a run would ask for, and how long that takes at least at its pace. Nothing is asked to find out. */
export function dryRunLines(
  origin: Origin,
  slices: readonly Slice[],
  intervalSeconds: number,
): readonly string[] {
  const requests = slices.reduce((sum, slice) => sum + requestsFor(origin, slice), 0);
  const hours = (requests * intervalSeconds) / 3600;
  return [
    ...slices.map(({ source, station, firstDay, endDay }) => `${source} ${station} ${firstDay} to ${endDay}`),
    `${slices.length} slices, ${requests} requests or more, ${hours.toFixed(1)} hours at ${intervalSeconds} s between requests`,
  ];
}

/** A source that must give its list of stations first is taken to have one file a slice. */
function requestsFor(origin: Origin, slice: Slice): number {
  if (origin.kind === 'local') return 0;
  return origin.directory.kind === 'whole' ? 1 : origin.requests(slice).length;
}
