import type { Archive } from '../archive.ts';
import { type Clock, type Clocks, type LocalRange, readClocks, type readZones } from './clocks.ts';

/** How a statement prints times with the offset of their station: `2024-01-01T07:53:00-05:00`. */
export type LocalTexts = {
  /**
   * @param time SQL: seconds since 1970-01-01T00:00:00Z, or NULL
   * @param station SQL: its code
   */
  readonly text: (time: string, station: string) => string;
  readonly params: Readonly<Record<string, unknown>>;
};

/** The clocks of a range, and with `times` local how its times are printed. */
export async function readClocksAndTexts(
  archive: Archive,
  range: LocalRange,
  times: 'utc' | 'local',
  zonesOf?: typeof readZones,
): Promise<Clocks & { readonly local?: LocalTexts }> {
  const asked = await readClocks(archive, range, zonesOf);
  if (times === 'utc') return asked;
  const timeZone = { kind: 'station', isStandard: false } as const;
  const { clocks, inUtc } = await readClocks(archive, { ...range, timeZone }, zonesOf);
  return { ...asked, local: localTexts(clocks), inUtc: [...new Set([...asked.inUtc, ...inUtc])] };
}

const CLOCK = 2 ** 32;

/**
 * What belongs to the offset of a time, in SQL. Offsets are parameters, so that the engine computes in UTC alone: for each zone
 * that a statement names, ClickHouse builds a table of 4.6 MB that it never frees. `roundDown` searches by halves: two million
 * times with the 45 offsets of New York take 20 ms, and 110 ms with `arrayLastIndex`.
 *
 * @param prefix of the names of parameters
 */
export function offsetSql(clocks: readonly Clock[], prefix: string) {
  const offsets = clocks.flatMap((clock, n) =>
    clock.offsets.map(({ from, seconds }) => ({ start: n * CLOCK + from, seconds })),
  );
  const numbers = clocks.flatMap(({ stations }, n) => stations.map((station) => [station, n] as const));
  const starts = `{${prefix}Starts:Array(UInt64)}`;
  const clockOf = (station: string) =>
    `transform(${station}, {${prefix}Stations:Array(String)}, {${prefix}Clocks:Array(UInt16)}, 0)`;
  return {
    seconds: offsets.map((offset) => offset.seconds),
    /** The number of the clock of a station, where there are several. */
    clockOf,
    /**
     * @param time SQL: seconds since 1970-01-01T00:00:00Z
     * @param station SQL: its code
     * @param values SQL: an array with a value for each of `seconds`
     */
    valueAt: (time: string, station: string, values: string, ifNone: string) => {
      // As a list: next to the number 0 of a parameter with a sign, every 0 of the statement would have a sign.
      if (offsets.length === 1) return `${values}[1]`;
      const key = clocks.length === 1 ? time : `${clockOf(station)} * ${CLOCK} + ${time}`;
      return `transform(roundDown(toUInt64(${key}), ${starts}), ${starts}, ${values}, ${ifNone})`;
    },
    params: {
      ...(offsets.length > 1 && { [`${prefix}Starts`]: offsets.map(({ start }) => start) }),
      ...(clocks.length > 1 && {
        [`${prefix}Stations`]: numbers.map(([station]) => station),
        [`${prefix}Clocks`]: numbers.map(([, n]) => n),
      }),
    },
  };
}

function localTexts(clocks: readonly Clock[]): LocalTexts {
  const { seconds, valueAt, params } = offsetSql(clocks, 'local');
  return {
    text: (time, station) => {
      const known = `toUInt32(assumeNotNull(${time}))`;
      const offset = valueAt(known, station, '{localOffsets:Array(Int32)}', 'toInt32(0)');
      const local = `formatDateTime(toDateTime(toUInt32(${known} + ${offset}), 'UTC'), '%Y-%m-%dT%H:%i:%S')`;
      const text = valueAt(known, station, '{localTexts:Array(String)}', "''");
      return `if(isNull(${time}), NULL, concat(${local}, ${text}))`;
    },
    params: { ...params, localOffsets: seconds, localTexts: seconds.map(offsetText) },
  };
}

/** `-05:00` */
function offsetText(seconds: number): string {
  const time = new Date(Math.abs(seconds) * 1000).toISOString().slice(11, 16);
  return `${seconds < 0 ? '-' : '+'}${time}`;
}
