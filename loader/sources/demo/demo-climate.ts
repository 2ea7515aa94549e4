import { hash } from './demo-hash.ts';

/** What distinguishes the weather of one station from that of another. */
export type Climate = {
  /** Mean of the year. */
  readonly temperature_c: number;
  /** Half of the difference between January and July: negative in the northern hemisphere. */
  readonly season_c: number;
  /** Half of the difference between afternoon and early morning. */
  readonly daytime_c: number;
  /** Part of a day by which the afternoon comes earlier: 0 to 1. */
  readonly dayShift: number;
  /** Range of the changes from week to week. */
  readonly change_c: number;
  /** Smallest and largest difference between temperature and dew point. */
  readonly dryness_c: readonly [min: number, max: number];
  readonly windMax_kt: number;
  readonly pressure_hpa: number;
  readonly pressureRange_hpa: number;
  /** Factor of the cloud amount: 1 is a station with all amounts. */
  readonly cloudiness: number;
  readonly phenomena: readonly Phenomenon[];
};

/** Weather that only some stations have. */
type Phenomenon = 'thunderstorms' | 'blowing dust' | 'freezing fog';

/** The climate of a station of which nothing else is known. */
export function climateOf(stationIndex: number): Climate {
  return {
    temperature_c: hash(stationIndex, 0, 1) * 36 - 8,
    season_c: hash(stationIndex, 0, 2) * 24 - 8,
    daytime_c: 2 + hash(stationIndex, 0, 3) * 5,
    dayShift: hash(stationIndex, 0, 4),
    change_c: 10,
    dryness_c: [0, 14],
    windMax_kt: 34,
    pressure_hpa: 1013,
    pressureRange_hpa: 50,
    cloudiness: 1,
    phenomena: [],
  };
}
