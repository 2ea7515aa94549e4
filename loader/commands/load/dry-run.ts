import { type LoadCosts, readLoadCosts } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { dueDays } from '../../../clickhouse/coverage/rules.ts';
import { ALL_STATIONS, readListings } from '../../../clickhouse/coverage/station-listings.ts';
import { addDays, clip, type DayRange, dayOf, daySetOf, daysBetween } from '../../../clickhouse/model/day.ts';
import type { LoadContext } from '../../pipeline/load-slice.ts';
import { chunksOf, type LoadCommand, planSlices } from '../../plan/slices.ts';
import { formatDuration, plural } from '../../wording.ts';

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
      requests += adapter.stationList !== undefined ? 1 : adapter.requests(slice).length;
      if (printed !== undefined && printed.station === slice.station && printed.endDay === slice.firstDay)
        printed = { ...printed, endDay: slice.endDay, slices: printed.slices + 1 };
      else {
        if (printed !== undefined) yield rangeLine(source, printed);
        printed = { ...slice, slices: 1 };
      }
    }
  if (printed !== undefined) yield rangeLine(source, printed);
  if (slices === 0) yield `nothing to load: ${await whyNoSlices(context, command)}`;
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
export async function whyNoSlices(context: LoadContext, command: LoadCommand): Promise<string> {
  const { adapter, archive, source, now } = context;
  if (command.firstDay > dayOf(now().getTime() / 1000)) return `${command.firstDay} has not begun`;
  const range = clip(command, adapter);
  if (range.firstDay >= range.endDay)
    return adapter.endDay !== undefined && command.firstDay >= adapter.endDay
      ? `the last day of ${source} is ${addDays(adapter.endDay, -1)}`
      : `the first day of ${source} is ${range.firstDay}`;
  for (const chunk of chunksOf(context, command)) {
    const listings = await readListings(archive, { source, stations: chunk.stations });
    const ofStation = (station: string) => listings.filter((listing) => listing.station === station);
    if (chunk.stations.some((station) => dueDays(daySetOf(chunk), ofStation(station)).length > 0))
      return 'every day is done; --refetch requests done days too';
    const [listing] = listings;
    if (command.stations.length > 1 || listing === undefined) continue;
    const { station, firstDay, lastDay } = listing;
    const from = firstDay === undefined ? '' : `from ${firstDay} `;
    return `${source} lists ${station} ${from}${lastDay === undefined ? 'on' : `to ${lastDay}`}`;
  }
  return `the days are outside the periods of record that ${source} states for ${plural(command.stations.length, 'station')}`;
}
