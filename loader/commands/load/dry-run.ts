import { type LoadCosts, readLoadCosts } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { dueDays } from '../../../clickhouse/coverage/rules.ts';
import { ALL_STATIONS, readListings } from '../../../clickhouse/coverage/station-listings.ts';
import { addDays, clip, type DayRange, dayOf, daySetOf, daysBetween } from '../../../clickhouse/model/day.ts';
import type { LoadContext } from '../../pipeline/load-slice.ts';
import { chunksOf, type LoadCommand, planSlices } from '../../plan/slices.ts';
import { formatDuration, type NoSlices, noSlicesText, plural } from '../../wording.ts';

/** Slices of a station, one after the other. */
type SliceRange = DayRange & { readonly station: string; readonly slices: number };

function rangeLine(source: string, { station, firstDay, endDay, slices }: SliceRange): string {
  const count = slices === 1 ? '' : `, ${slices} slices`;
  return `${source} ${station === ALL_STATIONS ? 'all' : station} ${firstDay} to ${endDay}${count}`;
}

/** The slices of a run, those in succession on one line, and their cost: measured if loaded before, else a lower bound. Sends no request. */
export async function* dryRunLines(context: LoadContext, command: LoadCommand): AsyncGenerator<string> {
  const { adapter, archive, source, sourceClient } = context;
  const costs = await readLoadCosts(archive, source, command.stations.includes(ALL_STATIONS));
  let [slices, days, requests] = [0, 0, 0];
  let printed: SliceRange | undefined;
  for (const chunk of chunksOf(context, command))
    for (const slice of await planSlices(context, chunk, command)) {
      slices += 1;
      days += daysBetween(slice.firstDay, slice.endDay);
      // If the station list must be fetched first, one file per slice is assumed.
      requests += adapter.stationDirectory?.kind === 'all stations' ? 1 : adapter.requests(slice).length;
      if (printed !== undefined && printed.station === slice.station && printed.endDay === slice.firstDay)
        printed = { ...printed, endDay: slice.endDay, slices: printed.slices + 1 };
      else {
        if (printed !== undefined) yield rangeLine(source, printed);
        printed = { ...slice, slices: 1 };
      }
    }
  if (printed !== undefined) yield rangeLine(source, printed);
  if (slices === 0) yield `nothing to load: ${noSlicesText(await findNoSlices(context, command))}`;
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
  return `about ${plural(likelyRequests, 'request')}, ${megabytes} MB and ${formatDuration(likelySeconds)} judging by the last such loads; at least ${atPace}`;
}

/** Why the plan of a command has no slice for this source. */
export async function findNoSlices(context: LoadContext, command: LoadCommand): Promise<NoSlices> {
  const { adapter, archive, source, now } = context;
  if (command.firstDay > dayOf(now().getTime() / 1000)) return { kind: 'not begun', day: command.firstDay };
  const range = clip(command, adapter);
  if (range.firstDay >= range.endDay) {
    const { endDay } = adapter;
    return endDay !== undefined && command.firstDay >= endDay
      ? { kind: 'after the source', source, day: addDays(endDay, -1) }
      : { kind: 'before the source', source, day: range.firstDay };
  }
  for (const chunk of chunksOf(context, command)) {
    const listings = await readListings(archive, { source, stations: chunk.stations });
    const ofStation = (station: string) => listings.filter((listing) => listing.station === station);
    if (chunk.stations.some((station) => dueDays(daySetOf(chunk), ofStation(station)).length > 0))
      return { kind: 'done' };
    const [listing] = listings;
    if (command.stations.length === 1 && listing !== undefined)
      return { kind: 'outside the period', ...listing };
  }
  return { kind: 'outside the periods', source, stations: command.stations.length };
}
