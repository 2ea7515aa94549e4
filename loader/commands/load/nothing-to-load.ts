import { dueDays } from '../../../clickhouse/coverage/rules.ts';
import { type Listing, readListings } from '../../../clickhouse/coverage/station-listings.ts';
import { addDays, dayOf } from '../../../clickhouse/model/day.ts';
import { clip } from '../../../clickhouse/model/day-ranges.ts';
import { daySetOf } from '../../../clickhouse/model/day-set.ts';
import type { LoadCommand } from '../../args/command.ts';
import type { LoadContext } from '../../pipeline/load-context.ts';
import { chunksOf } from '../../plan/slices.ts';
import { lifetimeOf } from '../../sources/source.ts';
import { plural } from '../../wording.ts';

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
