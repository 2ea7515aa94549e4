import { type LoadCosts, readLoadCosts } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { dueDays } from '../../../clickhouse/coverage/rules.ts';
import { ALL_STATIONS, type Listing, readListings } from '../../../clickhouse/coverage/station-listings.ts';
import { addDays, clip, dayOf, daySetOf, daysBetween } from '../../../clickhouse/model/day.ts';
import type { LoadCommand } from '../../args/command.ts';
import type { LoadContext } from '../../pipeline/load-context.ts';
import { chunksOf, plannedSlices } from '../../plan/slices.ts';
import { lifetimeOf, type Slice } from '../../sources/source.ts';
import { formatDuration, plural } from '../../wording.ts';

/** The slices that a run would load and their cost, as measured before or at least. Sends no request. */
export async function* dryRunLines(context: LoadContext, command: LoadCommand): AsyncGenerator<string> {
  const { client, signal, source, sourceClient } = context;
  const costs = await readLoadCosts(client, source, command.stations.includes(ALL_STATIONS), signal);
  let [slices, days, requests] = [0, 0, 0];
  for await (const planned of plannedSlices(context, command))
    for (const slice of planned) {
      slices += 1;
      days += daysBetween(slice.firstDay, slice.endDay);
      requests += countRequests(context, slice);
      yield `${slice.source} ${slice.station} ${slice.firstDay} to ${slice.endDay}`;
    }
  if (slices === 0) yield `nothing to load: ${await reasonForNoSlices(context, command)}`;
  else
    yield `${plural(slices, 'slice')}, ${costText({ slices, days, requests }, sourceClient.intervalSeconds, costs)}`;
}

function costText(
  plan: { readonly slices: number; readonly days: number; readonly requests: number },
  intervalSeconds: number,
  costs: LoadCosts | undefined,
): string {
  const { slices, days, requests } = plan;
  const leastSeconds = requests * intervalSeconds;
  const atPace = `${formatDuration(leastSeconds)} at ${intervalSeconds} s between requests`;
  if (costs === undefined)
    return `at least ${plural(requests, 'request')}: ${atPace}; the size is known after the first load`;
  const likelyRequests = Math.max(requests, Math.round(slices * costs.requestsPerSlice));
  const likelySeconds = Math.max(leastSeconds, slices * costs.secondsPerSlice);
  const megabytes = ((days * costs.bytesPerDay) / 1e6).toFixed(1);
  return `some ${plural(likelyRequests, 'request')}, ${megabytes} MB and ${formatDuration(likelySeconds)} judging by the last such loads; at least ${atPace}`;
}

/** If the station list must be fetched first, one file per slice is assumed. */
function countRequests({ adapter }: LoadContext, slice: Slice): number {
  if (adapter.kind === 'local') return 0;
  return adapter.stationDirectory.kind === 'all stations' ? 1 : adapter.requests(slice).length;
}

/** Why the plan of a command has no slice for this source, as the end of a sentence. */
export async function reasonForNoSlices(context: LoadContext, command: LoadCommand): Promise<string> {
  const { adapter, client, signal, source, now } = context;
  if (command.firstDay > dayOf(now().getTime() / 1000)) return `${command.firstDay} has not begun`;
  const lifetime = lifetimeOf(adapter);
  const range = clip(command, lifetime);
  if (range.firstDay >= range.endDay) {
    const { firstDay, endDay } = lifetime;
    return endDay !== undefined && command.firstDay >= endDay
      ? `the last day of ${source} is ${addDays(endDay, -1)}`
      : `the first day of ${source} is ${firstDay}`;
  }
  for (const chunk of chunksOf(context, command)) {
    const listings = await readListings(client, { source, stations: chunk.stations }, signal);
    const ofStation = (station: string) => listings.filter((listing) => listing.station === station);
    if (chunk.stations.some((station) => dueDays(daySetOf(chunk.range), ofStation(station)).length > 0))
      return 'every day is done; --again requests done days too';
    if (command.stations.length === 1 && listings[0] !== undefined) return outsidePeriod(listings[0]);
  }
  return `the days are outside the periods of record that ${source} states for ${plural(command.stations.length, 'station')}`;
}

function outsidePeriod({ source, station, firstDay, lastDay }: Listing): string {
  return `${source} lists ${station} ${firstDay === undefined ? '' : `from ${firstDay} `}${lastDay === undefined ? 'on' : `to ${lastDay}`}`;
}
