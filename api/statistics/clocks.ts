import { setImmediate as turn } from 'node:timers/promises';
import lookUpZone from '@photostructure/tz-lookup';
import type { Archive } from '../../clickhouse/archive.ts';
import { dayStart, FIRST_DAY } from '../../clickhouse/model/day.ts';
import {
  clampToArchive,
  EARLY_SECONDS,
  NO_TIME,
  type TimeWindow,
} from '../../clickhouse/model/time-window.ts';
import { type KnownStation, readKnownStations } from '../../clickhouse/stations.ts';
import type { Clock, Offset, Question } from '../../clickhouse/statistics/question.ts';
import { canonicalZone, type TimeZone } from '../contract/parse-values.ts';
import { invalidParameter } from '../problem.ts';

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

const DAY = 86_400;
/** Two years before the archive begins, because standard time is known only after the first clock changes. */
const FIRST = dayStart(FIRST_DAY) - 2 * 365 * DAY;
/** Zone rules are not known further ahead: the last offset holds from then on. */
const LAST = Date.UTC(2038) / 1000;

/** Since 2005 no zone has kept an offset for less than three weeks (Egypt, September 2010). */
const STEP = 14 * DAY;
const MINUTE = 60;

/** The offset of a zone from UTC, and the part of it that was standard time. */
type ZoneHistory = { readonly local: readonly Offset[]; readonly standard: readonly Offset[] };

/** By ICU name, some 600. Finding the changes of 35 years takes 4 ms. */
const HISTORIES = new Map<string, ZoneHistory>();

/** The offsets of a zone that apply in a range. Seconds since 1970-01-01T00:00:00Z, `[from, to)`. */
export function offsetsWithin(
  zone: string,
  kind: 'local' | 'standard',
  { from, to }: TimeWindow,
): readonly Offset[] {
  const offsets = historyOf(zone)[kind].filter((offset) => offset.from < to);
  const first = Math.max(
    0,
    offsets.findLastIndex((offset) => offset.from <= from),
  );
  return offsets.slice(first).map((offset, n) => (n === 0 ? { ...offset, from: 0 } : offset));
}

function historyOf(zone: string): ZoneHistory {
  const known = HISTORIES.get(zone);
  if (known !== undefined) return known;
  const local = findOffsets(zone);
  const history = { local, standard: standardOffsets(local) };
  HISTORIES.set(zone, history);
  return history;
}

function findOffsets(zone: string): readonly Offset[] {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  let seconds = offsetAt(FIRST, format);
  const offsets = [{ from: FIRST, seconds }];
  for (let time = FIRST; time < LAST; time += STEP) {
    if (offsetAt(time + STEP, format) === seconds) continue;
    let [before, after] = [time, time + STEP];
    while (after - before > MINUTE) {
      const middle = before + Math.floor((after - before) / 2 / MINUTE) * MINUTE;
      if (offsetAt(middle, format) === seconds) before = middle;
      else after = middle;
    }
    seconds = offsetAt(after, format);
    offsets.push({ from: after, seconds });
  }
  return offsets;
}

/** Seconds east of UTC. */
function offsetAt(time: number, format: Intl.DateTimeFormat): number {
  // `1/31/2024, GMT-05:00`, and `GMT` alone for UTC
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(format.format(time * 1000)) ?? [];
  const seconds = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60;
  return sign === '-' ? -seconds : seconds;
}

/** Summer time lasts up to eight months; an hour back for Ramadan lasts five weeks. */
const LONGEST_SUMMER = 300 * DAY;
const LONGEST_RAMADAN = 60 * DAY;
const LARGEST_CHANGE = 2 * 3600;

/**
 * ICU does not say which part of an offset is standard time. A change that is reversed within the length of summer time
 * or Ramadan is temporary; every other change is one of standard time: Moscow's to +4 in 2011, Turkey's to +3 in 2016,
 * Caracas's by half an hour in 2007. So winter is standard time in Ireland, and Morocco has +1 since 2018.
 */
function standardOffsets(local: readonly Offset[]): readonly Offset[] {
  let temporary = 0;
  return local.map(({ from, seconds }, n) => {
    const change = seconds - (local[n - 1]?.seconds ?? seconds);
    if (temporary !== 0 && change === -temporary) temporary = 0;
    else if (temporary === 0 && isTakenBack(local, n, change)) temporary = change;
    return { from, seconds: seconds - temporary };
  });
}

function isTakenBack(local: readonly Offset[], n: number, change: number): boolean {
  if (change === 0 || Math.abs(change) > LARGEST_CHANGE) return false;
  const begin = local[n]?.from ?? 0;
  const end = begin + (change > 0 ? LONGEST_SUMMER : LONGEST_RAMADAN);
  return local.some(
    ({ from, seconds }, m) =>
      m > n && from <= end && seconds - (local[m - 1]?.seconds ?? seconds) === -change,
  );
}
