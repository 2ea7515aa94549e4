import { dueDays } from '../../../clickhouse/coverage/rules.ts';
import { ALL_STATIONS, readListings } from '../../../clickhouse/coverage/station-listings.ts';
import { addDays, clip, type DayRange, dayOf, daySetOf } from '../../../clickhouse/model/day.ts';
import type { LoadContext } from '../../pipeline/load-slice.ts';
import { chunksOf, type LoadCommand, planSlices } from '../../plan/slices.ts';
import { formatDuration, plural } from '../../wording.ts';

/** Slices of a station, one after the other. */
type SliceRange = DayRange & { readonly station: string; readonly slices: number };

function rangeLine(source: string, { station, firstDay, endDay, slices }: SliceRange): string {
  const count = slices === 1 ? '' : `, ${slices} slices`;
  return `${source} ${station === ALL_STATIONS ? 'all' : station} ${firstDay} to ${endDay}${count}`;
}

/** The slices of a run, those in succession on one line, and the least that they take. Sends no request. */
export async function* dryRunLines(context: LoadContext, command: LoadCommand): AsyncGenerator<string> {
  const { adapter, source, sourceClient } = context;
  let [slices, requests] = [0, 0];
  let printed: SliceRange | undefined;
  for (const chunk of chunksOf(context, command))
    for (const slice of await planSlices(context, chunk, command)) {
      slices += 1;
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
  else {
    const { intervalSeconds } = sourceClient;
    const pace = `${formatDuration(requests * intervalSeconds)} at ${intervalSeconds} s between requests`;
    yield `${plural(slices, 'slice')}, at least ${plural(requests, 'request')}: ${pace}`;
  }
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
