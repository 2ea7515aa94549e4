import type { LoadCommand } from '../../args/command.ts';
import type { LoadContext } from '../../pipeline/load-context.ts';
import { plannedSlices } from '../../plan/slices.ts';
import type { Slice } from '../../sources/source.ts';
import { formatDuration, plural } from '../../wording.ts';
import { reasonForNoSlices } from './nothing-to-load.ts';

/** The slices that a run would load, and the least time that its requests take. Sends no request. */
export async function* dryRunLines(context: LoadContext, command: LoadCommand): AsyncGenerator<string> {
  const { intervalSeconds } = context.sourceClient;
  let slices = 0;
  let requests = 0;
  for await (const planned of plannedSlices(context, command))
    for (const slice of planned) {
      slices += 1;
      requests += countRequests(context, slice);
      yield `${slice.source} ${slice.station} ${slice.firstDay} to ${slice.endDay}`;
    }
  if (slices === 0) yield `nothing to load: ${await reasonForNoSlices(context, command)}`;
  else
    yield `${plural(slices, 'slice')}, at least ${plural(requests, 'request')}: ${formatDuration(requests * intervalSeconds)} at ${intervalSeconds} s between requests`;
}

/** Where the list of stations must be fetched first, one file a slice is assumed. */
function countRequests({ adapter }: LoadContext, slice: Slice): number {
  if (adapter.kind === 'local') return 0;
  return adapter.stationDirectory.kind === 'all stations' ? 1 : adapter.requests(slice).length;
}
