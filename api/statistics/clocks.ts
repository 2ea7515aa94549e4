import type { Archive } from '../../clickhouse/archive.ts';
import { LoopTurns } from '../../clickhouse/concurrency.ts';
import { clampToArchive, EARLY_SECONDS, NO_TIME } from '../../clickhouse/model/time-window.ts';
import { type KnownStation, readKnownStations } from '../../clickhouse/stations/known-stations.ts';
import type { Clock, Offset, Question } from '../../clickhouse/statistics/question.ts';
import { canonicalZone, type TimeZone } from '../parameters/time-zones.ts';
import { invalidParameters } from '../problem.ts';
import { timeZoneAt } from '../stations/time-zone.ts';
import { offsetsWithin } from './zone-offsets.ts';

const HOUR = 3600;
const MOST_NAMED = 10;

/** 400 zones that are not in memory yet take half a second. */
const TURNS = new LoopTurns();

/** The stations by their local times in the range. Rejects a station whose zone is needed but unknown (400). */
export async function readClocks(
  archive: Archive,
  { stations, ...range }: Pick<Question, 'stations' | 'from' | 'to'>,
  timeZone: TimeZone,
  signal: AbortSignal,
): Promise<readonly Clock[]> {
  const { from, to } = clampToArchive(range) ?? NO_TIME;
  // A report's nominal hour can begin before the range or at its end, and clocks can change in between.
  const window = { from: from - HOUR, to: to + EARLY_SECONDS };
  if (timeZone.kind === 'zone') return [{ offsets: offsetsWithin(timeZone.zone, 'local', window), stations }];
  const known = await readKnownStations(archive, { stations }, undefined, stations.length, signal);
  const zones = new Map(known.map((station) => [station.station, zoneOf(station)]));
  const unknown = stations.filter((station) => zones.get(station) === undefined);
  if (unknown.length > 0) throw unknownZones(unknown);
  const clocks = new Map<string, { readonly offsets: readonly Offset[]; readonly stations: string[] }>();
  const ofZones = new Map<string, string>();
  for (const station of stations) {
    const zone = zones.get(station) as string;
    let key = ofZones.get(zone);
    if (key === undefined) {
      await TURNS.take();
      const offsets = offsetsWithin(zone, timeZone.isStandard ? 'standard' : 'local', window);
      key = JSON.stringify(offsets);
      ofZones.set(zone, key);
      if (!clocks.has(key)) clocks.set(key, { offsets, stations: [] });
    }
    clocks.get(key)?.stations.push(station);
  }
  return [...clocks.values()];
}

/** The zone that a source states, or else the zone of the position. */
function zoneOf({ timezone, position }: KnownStation): string | undefined {
  return (timezone && canonicalZone(timezone)) ?? (position && timeZoneAt(position));
}

function unknownZones(stations: readonly string[]) {
  const named = stations.slice(0, MOST_NAMED).join(', ');
  const others = stations.length > MOST_NAMED ? ` and ${stations.length - MOST_NAMED} more` : '';
  const detail = `cannot be the zone of each station: the zone of ${named}${others} is unknown, because no source states it, or a position. Write tz=utc, or a zone by name, as in tz=Europe/London`;
  return invalidParameters([{ name: 'tz', detail }]);
}
