import type { Archive } from '../archive.ts';
import { SECONDS_PER_MINUTE } from '../model/day.ts';
import { type Clock, type LocalRange, readClocks, type readZones, timesOf } from './clocks.ts';

/** How a statement prints times with the offset of their station: `2024-01-01T07:53:00-05:00`. */
export type LocalTexts = ReturnType<typeof localTexts>;

export type LocalTimes = Awaited<ReturnType<typeof readLocalTimes>>;

/** The clocks of a range, its times by these clocks, and how local times are printed. */
export async function readLocalTimes(
  archive: Archive,
  range: LocalRange,
  printed: 'utc' | 'local',
  zonesOf?: typeof readZones,
) {
  const asked = await readClocks(archive, range, zonesOf);
  const times = timesOf(range, asked.clocks);
  if (printed === 'utc') return { ...asked, times, local: undefined };
  const timeZone = { kind: 'station', isStandard: false } as const;
  const { clocks, inUtc } = await readClocks(archive, { ...range, timeZone }, zonesOf);
  return { ...asked, times, local: localTexts(clocks), inUtc: [...new Set([...asked.inUtc, ...inUtc])] };
}

/**
 * One number holds the number of a clock, the time from which an offset applies, and the offset, as quarters of an hour above the
 * least possible offset, -16 h.
 */
const [CLOCK, QUARTERS, LEAST] = [2 ** 32, 2 ** 7, -64];
const QUARTER = 15 * SECONDS_PER_MINUTE;

/**
 * SQL for the offset of a time, in seconds. The offsets are a parameter, and the engine computes in UTC only, because for each zone
 * that a statement names ClickHouse builds a table of 4.6 MB that it never frees. They are one short list (3,300 offsets for 400
 * zones), because the statement reads it wherever it names it. `roundDown` takes a fifth of the time of `arrayLastIndex`.
 *
 * @param prefix of the names of parameters
 */
export function offsetSql(clocks: readonly Clock[], prefix: string) {
  const offsets = clocks.flatMap((clock, n) =>
    clock.offsets.map(({ from, seconds }) => (n * CLOCK + from) * QUARTERS + seconds / QUARTER - LEAST),
  );
  const clockOf = (station: string) =>
    `transform(${station}, {${prefix}Stations:Array(String)}, {${prefix}Clocks:Array(UInt16)}, 0)`;
  return {
    /** The number of the clock of a station, where there are several. */
    clockOf,
    /**
     * @param time SQL: seconds since 1970-01-01T00:00:00Z
     * @param station SQL: its code
     */
    offsetAt: (time: string, station: string) => {
      if (offsets.length <= 1) return `(${clocks[0]?.offsets[0]?.seconds ?? 0})`;
      const key = clocks.length === 1 ? time : `${clockOf(station)} * ${CLOCK} + ${time}`;
      const last = `toUInt64(${key}) * ${QUARTERS} + ${QUARTERS - 1}`;
      return `(toInt32(roundDown(${last}, {${prefix}Offsets:Array(UInt64)}) % ${QUARTERS}) + ${LEAST}) * ${QUARTER}`;
    },
    params: {
      ...(offsets.length > 1 && { [`${prefix}Offsets`]: offsets }),
      ...(clocks.length > 1 && {
        [`${prefix}Stations`]: clocks.flatMap(({ stations }) => stations),
        [`${prefix}Clocks`]: clocks.flatMap(({ stations }, n) => stations.map(() => n)),
      }),
    },
  };
}

function localTexts(clocks: readonly Clock[]) {
  const { offsetAt, params } = offsetSql(clocks, 'local');
  const format = (seconds: string, as: string) =>
    `formatDateTime(toDateTime(toUInt32(${seconds}), 'UTC'), '${as}')`;
  return {
    /**
     * @param time SQL: seconds since 1970-01-01T00:00:00Z, or NULL
     * @param station SQL: its code
     * @param name of the time, another for each in a statement
     */
    text: (time: string, station: string, name: string) => {
      const known = `toUInt32(assumeNotNull(${time}))`;
      const offset = `_offset_${name}`;
      const local = format(`${known} + (${offsetAt(known, station)} AS ${offset})`, '%Y-%m-%dT%H:%i:%S');
      const ofUtc = `if(${offset} < 0, '-', '+'), ${format(`abs(${offset})`, '%H:%i')}`;
      return `if(isNull(${time}), NULL, concat(${local}, ${ofUtc}))`;
    },
    params,
  };
}
