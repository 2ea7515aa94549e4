import { setImmediate as turn } from 'node:timers/promises';
import lookUpZone from '@photostructure/tz-lookup';
import type { Archive } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import { SECONDS_PER_DAY } from '../model/day.ts';
import { clampToArchive, NO_TIME, type StationRange, type TimeWindow } from '../model/time-window.ts';
import { type Coordinates, readStationPlaces } from '../stations.ts';
import { canonicalZone, type Offset, offsetsWithin, timeOf } from './zone-offsets.ts';

/** Offsets are read so far beyond a range, for its local days and nominal hours, and for the months whose days are computed. */
const SECONDS_BEYOND_RANGE = 64 * SECONDS_PER_DAY;

/** The zone of days and hours (D45). `station`: that of each station, in standard time all year if `isStandard`. */
export type TimeZone =
  | { readonly kind: 'station'; readonly isStandard: boolean }
  | { readonly kind: 'zone'; readonly zone: string };

/** Stations with the same local time. */
export type Clock = {
  /** In ascending order; the first applies from 0. */
  readonly offsets: readonly Offset[];
  readonly stations: readonly string[];
  /** The range of these stations, where it is not that of the question: days begin at another time in another zone. */
  readonly range?: TimeWindow;
};

/** A range of times, or of days of `timeZone`, which are given as the days of UTC with the same dates. */
export type LocalRange = StationRange & {
  readonly timeZone: TimeZone;
  readonly isOfDays?: boolean;
};

/** The zones of the stations that have one: the zone that a source states, or else the zone at the position. */
export async function readZones(
  archive: Archive,
  stations: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const places = await readStationPlaces(archive, stations);
  return new Map(
    places.flatMap(({ station, timezone, position }) => {
      const zone = (timezone && canonicalZone(timezone)) ?? (position && zoneOfPosition(position));
      return zone ? [[station, zone] as const] : [];
    }),
  );
}

/** The stations of a range by their local times, and those whose zone is unknown: their local time is UTC (D64). */
export async function readClocks(archive: Archive, range: LocalRange, zonesOf = readZones) {
  const { stations, timeZone } = range;
  if (timeZone.kind === 'zone')
    return { clocks: [clockOf(stations, timeZone.zone, 'local', range)], inUtc: [] };
  const zones = await zonesOf(archive, stations);
  const ofZones: Clock[] = [];
  for (const [zone, some] of groupBy(stations, (station) => zones.get(station) ?? 'UTC')) {
    // 400 zones that are not in memory yet take more than a second: other requests are answered between them.
    await turn();
    ofZones.push(clockOf(some, zone, timeZone.isStandard ? 'standard' : 'local', range));
  }
  return {
    clocks: [...groupBy(ofZones, ({ offsets }) => JSON.stringify(offsets)).values()].map((same) => ({
      ...(same[0] as Clock),
      stations: same.flatMap((clock) => clock.stations),
    })),
    inUtc: stations.filter((station) => !zones.has(station)),
  };
}

/** If the range is of days, they begin and end at the local midnights of the dates that the range has in UTC (D63). */
function clockOf(
  stations: readonly string[],
  zone: string,
  kind: 'local' | 'standard',
  { from, to, isOfDays }: LocalRange,
): Clock {
  const beyond = (window: TimeWindow) => ({
    from: window.from - SECONDS_BEYOND_RANGE,
    to: window.to + SECONDS_BEYOND_RANGE,
  });
  const offsets = offsetsWithin(zone, kind, beyond(clampToArchive(beyond({ from, to })) ?? NO_TIME));
  if (!isOfDays) return { stations, offsets };
  return { stations, offsets, range: { from: timeOf(from, offsets), to: timeOf(to, offsets) } };
}

/** The times of the reports of a clock that count. */
export function windowOf(clock: Clock, range: TimeWindow): TimeWindow {
  return clampToArchive(clock.range ?? range) ?? NO_TIME;
}

/** The times of a range; if it is of days, the times of each clock, and the window that contains them all. */
export function timesOf({ stations, from, to }: StationRange, clocks: readonly Clock[]) {
  const ranges = clocks.flatMap(({ stations, range }) =>
    range === undefined ? [] : [{ stations, ...range }],
  );
  if (ranges.length === 0) return { stations, from, to };
  return {
    stations,
    from: Math.min(...ranges.map((range) => range.from)),
    to: Math.max(...ranges.map((range) => range.to)),
    ranges,
  };
}

/**
 * The zone of a position, at sea the nautical one, such as `Etc/GMT+10`. Source: timezone-boundary-builder, in cells of about
 * 80 m along populated borders and coarser ones elsewhere.
 */
export function zoneOfPosition({ latitude, longitude }: Coordinates): string {
  return lookUpZone(latitude, longitude);
}
