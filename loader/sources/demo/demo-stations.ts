import type { Day } from '../../../clickhouse/model/day.ts';
import { type Climate, climateOf, hash } from './demo-weather.ts';

/** A demo station with an invented name and position. It lies in no country. */
export type DemoStation = {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation_m: number;
  /** Start of its period of record. */
  readonly firstDay: Day;
  readonly climate: Climate;
  /** First and last hour of the day (UTC) in which it reports, where it does not report all day. */
  readonly hours?: readonly [first: number, last: number];
  /** Part of the weeks in which it fails for some hours or days. */
  readonly outageShare: number;
};

/** XAAA, XAAB and XAAC have the climate that every station of this source gets by its code. */
export const DEMO_STATIONS: ReadonlyMap<string, DemoStation> = new Map<string, DemoStation>([
  ['XAAA', station('Westwind Island', [-46.2, 37.9], 24, '2005-01-01', climateOf(0), 0)],
  ['XAAB', station('High Plateau', [-23.4, -66.8], 4010, '2005-01-01', climateOf(1), 0)],
  ['XAAC', station('Cape Frost', [81.6, 12.5], 9, '2005-01-01', climateOf(2), 0)],
  [
    'XAAD',
    station('Coral Lagoon', [-4.1, -140.6], 3, '2019-07-01', {
      ...climateAt(-140.6),
      temperature_c: 28,
      season_c: 1,
      daytime_c: 2.5,
      change_c: 3,
      dryness_c: [1, 7],
      windMax_kt: 30,
      pressure_hpa: 1010,
      pressureRange_hpa: 9,
      phenomena: ['thunderstorms'],
    }),
  ],
  [
    'XAAE',
    {
      ...station('Dry Basin', [23.7, 12.4], 612, '2022-04-10', {
        ...climateAt(12.4),
        temperature_c: 23,
        season_c: -8,
        daytime_c: 8,
        change_c: 4,
        dryness_c: [14, 36],
        windMax_kt: 38,
        pressureRange_hpa: 20,
        cloudiness: 0.55,
        phenomena: ['blowing dust'],
      }),
      hours: [6, 18],
    },
  ],
  [
    'XAAF',
    station('Birch Plain', [61.8, 88.3], 171, '2012-01-15', {
      ...climateAt(88.3),
      temperature_c: -2,
      season_c: -19,
      daytime_c: 4,
      change_c: 14,
      dryness_c: [0, 10],
      pressureRange_hpa: 60,
      phenomena: ['freezing fog'],
    }),
  ],
  [
    'XAAG',
    station('Fog Bank', [46.9, -44.2], 12, '2005-01-01', {
      ...climateAt(-44.2),
      temperature_c: 8,
      season_c: -5,
      daytime_c: 1.5,
      change_c: 8,
      dryness_c: [0, 4],
      windMax_kt: 44,
      pressureRange_hpa: 64,
    }),
  ],
]);

function station(
  name: string,
  [latitude, longitude]: readonly [number, number],
  elevation_m: number,
  firstDay: string,
  climate: Climate,
  outageShare = 0.35,
): DemoStation {
  return { name, latitude, longitude, elevation_m, firstDay: firstDay as Day, climate, outageShare };
}

/** A temperate climate with its afternoon at the right time of the day. */
function climateAt(longitude: number): Climate {
  return { ...climateOf(0), dayShift: 0.5 + longitude / 360 };
}

const WEEK = 7 * 86_400;
const LONGEST_OUTAGE = 4 * 86_400;

/** Whether a station sends its reports at this time: stations close at night, and fail for some hours or days. */
export function isReporting(stationIndex: number, station: DemoStation, seconds: number): boolean {
  const { hours, outageShare } = station;
  const hour = Math.floor(seconds / 3600) % 24;
  if (hours !== undefined && (hour < hours[0] || hour > hours[1])) return false;
  const week = Math.floor(seconds / WEEK);
  if (hash(stationIndex, week, 19) >= outageShare) return true;
  // The square makes short outages frequent and long ones rare. No outage reaches into the next week.
  const length = hash(stationIndex, week, 20);
  const duration = 2 * 3600 + LONGEST_OUTAGE * length * length;
  const start = week * WEEK + (WEEK - duration) * hash(stationIndex, week, 21);
  return seconds < start || seconds >= start + duration;
}
