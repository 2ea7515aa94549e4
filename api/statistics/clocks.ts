import { setImmediate as turn } from 'node:timers/promises';
import lookUpZone from '@photostructure/tz-lookup';
import type { Archive } from '../../clickhouse/archive.ts';
import { clampToArchive, EARLY_SECONDS, NO_TIME } from '../../clickhouse/model/time-window.ts';
import { type KnownStation, readKnownStations } from '../../clickhouse/stations.ts';
import type { Clock, Offset, Question } from '../../clickhouse/statistics/question.ts';
import { canonicalZone, type TimeZone } from '../contract/parse-values.ts';
import { invalidParameter } from '../problem.ts';
import { offsetsWithin } from './zone-offsets.ts';

const HOUR = 3600;
const MOST_NAMED = 10;

/** The stations by their local times in the range. Rejects a station whose zone is needed but unknown (400). */
export async function readClocks(
  archive: Archive,
  { stations, ...range }: Pick<Question, 'stations' | 'from' | 'to'>,
  timeZone: TimeZone,
): Promise<readonly Clock[]> {
  const { from, to } = clampToArchive(range) ?? NO_TIME;
  // A report's nominal hour can begin before the range or at its end, and clocks can change in between.
  const window = { from: from - HOUR, to: to + EARLY_SECONDS };
  if (timeZone.kind === 'zone') return [{ offsets: offsetsWithin(timeZone.zone, 'local', window), stations }];
  const known = await readKnownStations(archive, { stations }, undefined, stations.length);
  const zones = new Map(known.map((station) => [station.station, zoneOf(station)]));
  const unknown = stations.filter((station) => zones.get(station) === undefined);
  if (unknown.length > 0) throw unknownZones(unknown);
  const clocks = new Map<string, { readonly offsets: readonly Offset[]; readonly stations: string[] }>();
  const ofZones = new Map<string, string>();
  for (const station of stations) {
    const zone = zones.get(station) as string;
    let key = ofZones.get(zone);
    if (key === undefined) {
      // 400 zones that are not in memory yet take more than a second: other requests are answered between them.
      await turn();
      const offsets = offsetsWithin(zone, timeZone.isStandard ? 'standard' : 'local', window);
      key = JSON.stringify(offsets);
      ofZones.set(zone, key);
      if (!clocks.has(key)) clocks.set(key, { offsets, stations: [] });
    }
    clocks.get(key)?.stations.push(station);
  }
  return [...clocks.values()];
}

/**
 * The zone that a source states, or else the zone of the position, at sea the nautical one, such as `Etc/GMT+10`. Source:
 * timezone-boundary-builder, in cells of about 80 m along populated borders and coarser ones elsewhere.
 */
function zoneOf({ timezone, position }: KnownStation): string | undefined {
  const stated = timezone && canonicalZone(timezone);
  return stated ?? (position && lookUpZone(position.latitude, position.longitude));
}

function unknownZones(stations: readonly string[]) {
  const named = stations.slice(0, MOST_NAMED).join(', ');
  const others = stations.length > MOST_NAMED ? ` and ${stations.length - MOST_NAMED} more` : '';
  const detail = `cannot be the zone of each station: the zone of ${named}${others} is unknown, because no source states a zone or a position. Write tz=utc, or a zone by name, as in tz=Europe/London`;
  return invalidParameter('tz', detail);
}
