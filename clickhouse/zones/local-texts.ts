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

function localTexts(clocks: readonly Clock[]): LocalTexts {
  const offsets = clocks.flatMap((clock, n) =>
    clock.offsets.map(({ from, seconds }) => ({ start: n * CLOCK + from, seconds })),
  );
  return {
    text: (time, station) => {
      const clock = `transform(${station}, {localStations:Array(String)}, {localClocks:Array(UInt16)}, 0)`;
      const known = `toUInt32(assumeNotNull(${time}))`;
      const start = `roundDown(toUInt64(${clock} * ${CLOCK} + ${known}), {localStarts:Array(UInt64)})`;
      const seconds = `transform(${start}, {localStarts:Array(UInt64)}, {localOffsets:Array(Int32)}, toInt32(0))`;
      const offset = `transform(${start}, {localStarts:Array(UInt64)}, {localTexts:Array(String)}, '')`;
      const local = `formatDateTime(toDateTime(toUInt32(${known} + ${seconds}), 'UTC'), '%Y-%m-%dT%H:%i:%S')`;
      return `if(isNull(${time}), NULL, concat(${local}, ${offset}))`;
    },
    params: {
      localStations: clocks.flatMap(({ stations }) => stations),
      localClocks: clocks.flatMap(({ stations }, n) => stations.map(() => n)),
      localStarts: offsets.map(({ start }) => start),
      localOffsets: offsets.map(({ seconds }) => seconds),
      localTexts: offsets.map(({ seconds }) => offsetText(seconds)),
    },
  };
}

/** `-05:00` */
function offsetText(seconds: number): string {
  const time = new Date(Math.abs(seconds) * 1000).toISOString().slice(11, 16);
  return `${seconds < 0 ? '-' : '+'}${time}`;
}
