import type { Archive } from '../../clickhouse/archive.ts';
import { readKnownStations } from '../../clickhouse/stations/known-stations.ts';
import type { Clock } from '../../clickhouse/statistics/question.ts';
import { invalidParameters } from '../http/request/query-string.ts';
import { timeZoneAt } from '../stations/time-zone.ts';
import { standardOffset, type TimeZone, zoneOfEngine } from './request/time-zones.ts';

const MOST_NAMED = 10;

/** The stations by their clocks. Refuses a station whose zone is needed and not known (400). */
export async function readClocks(
  archive: Archive,
  stations: readonly string[],
  timeZone: TimeZone,
  signal: AbortSignal,
): Promise<readonly Clock[]> {
  if (timeZone.kind === 'zone') return [{ zone: zoneOfEngine(timeZone.zone), shift: 0, stations }];
  const known = await readKnownStations(archive, { stations }, undefined, stations.length, signal);
  const zones = new Map(
    known.map(({ station, timezone, position }) => [station, timezone ?? (position && timeZoneAt(position))]),
  );
  const unknown = stations.filter((station) => zones.get(station) === undefined);
  if (unknown.length > 0) throw unknownZones(unknown);
  const clocks = new Map<string, { zone: string; shift: number; stations: string[] }>();
  const year = new Date().getUTCFullYear();
  for (const [station, zone] of zones) {
    if (zone === undefined) continue;
    const shift = timeZone.isStandard ? standardOffset(zone, year) : 0;
    const clock = { zone: timeZone.isStandard ? 'UTC' : zoneOfEngine(zone), shift };
    const key = `${clock.zone} ${shift}`;
    const of = clocks.get(key) ?? { ...clock, stations: [] };
    of.stations.push(station);
    clocks.set(key, of);
  }
  return [...clocks.values()];
}

function unknownZones(stations: readonly string[]) {
  const named = stations.slice(0, MOST_NAMED).join(', ');
  const others = stations.length > MOST_NAMED ? ` and ${stations.length - MOST_NAMED} more` : '';
  const detail = `cannot be the zone of each station: the zone of ${named}${others} is unknown, because no source states it, or a position. Write tz=utc, or a zone by name, as in tz=Europe/London`;
  return invalidParameters([{ name: 'tz', detail }]);
}
