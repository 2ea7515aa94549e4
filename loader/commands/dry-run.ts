import type { LoadContext } from '../pipeline/load-slice.ts';
import type { Slice } from '../sources/source.ts';

/** What a run would ask for, and how long that takes at least at its pace. Nothing is asked to find out. */
export async function* dryRunLines(
  { origin, line: { intervalSeconds } }: Pick<LoadContext, 'origin' | 'line'>,
  plans: AsyncIterable<readonly Slice[]>,
): AsyncGenerator<string> {
  let count = 0;
  let requests = 0;
  for await (const slices of plans)
    for (const slice of slices) {
      count += 1;
      requests += requestsFor(origin, slice);
      yield `${slice.source} ${slice.station} ${slice.firstDay} to ${slice.endDay}`;
    }
  const hours = ((requests * intervalSeconds) / 3600).toFixed(1);
  yield `${count} slices, ${requests} requests or more, ${hours} hours at ${intervalSeconds} s between requests`;
}

/** A source that must give its list of stations first is taken to have one file a slice. */
function requestsFor(origin: LoadContext['origin'], slice: Slice): number {
  if (origin.kind === 'local') return 0;
  return origin.stationDirectory.kind === 'all stations' ? 1 : origin.requests(slice).length;
}
