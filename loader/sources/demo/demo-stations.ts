import { type Day, SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../../clickhouse/model/day.ts';

/** With an invented name and position. It lies in no country. */
export type DemoStation = ReturnType<typeof station>[1];

/** XAAA, XAAB and XAAC have the climate that every station of this source gets by its code. */
export const DEMO_STATIONS: ReadonlyMap<string, DemoStation> = new Map([
  station('XAAA', ['Westwind Island', -46.2, 37.9, 24, '2005-01-01'], { ...climateOf(0), outageShare: 0 }),
  station('XAAB', ['High Plateau', -23.4, -66.8, 4010, '2005-01-01'], { ...climateOf(1), outageShare: 0 }),
  station('XAAC', ['Cape Frost', 81.6, 12.5, 9, '2005-01-01'], { ...climateOf(2), outageShare: 0 }),
  station('XAAD', ['Coral Lagoon', -4.1, -140.6, 3, '2019-07-01'], {
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
  station('XAAE', ['Dry Basin', 23.7, 12.4, 612, '2022-04-10'], {
    temperature_c: 23,
    season_c: -8,
    daytime_c: 8,
    change_c: 4,
    dryness_c: [14, 36],
    windMax_kt: 38,
    pressureRange_hpa: 20,
    cloudiness: 0.55,
    phenomena: ['blowing dust'],
    hours: [6, 18],
  }),
  station('XAAF', ['Birch Plain', 61.8, 88.3, 171, '2012-01-15'], {
    temperature_c: -2,
    season_c: -19,
    daytime_c: 4,
    change_c: 14,
    dryness_c: [0, 10],
    pressureRange_hpa: 60,
    phenomena: ['freezing fog'],
  }),
  station('XAAG', ['Fog Bank', 46.9, -44.2, 12, '2005-01-01'], {
    temperature_c: 8,
    season_c: -5,
    daytime_c: 1.5,
    change_c: 8,
    dryness_c: [0, 4],
    windMax_kt: 44,
    pressureRange_hpa: 64,
  }),
]);

/**
 * A demo station. The last argument says how its climate differs from a temperate one, whose afternoon is at the right time of day.
 *
 * @param outageShare share of the weeks in which the station fails for some hours or days
 */
function station(
  code: string,
  [name, latitude, longitude, elevation_m, firstDay]: readonly [string, number, number, number, string],
  { hours, outageShare = 0.35, ...climate }: Partial<Climate> & StationHours,
) {
  // From `firstDay` on it has reports.
  const place = { name, latitude, longitude, elevation_m, firstDay: firstDay as Day };
  const temperate: Climate = { ...climateOf(0), dayShift: 0.5 + longitude / 360 };
  return [code, { ...place, hours, outageShare, climate: { ...temperate, ...climate } }] as const;
}

type StationHours = {
  /** First and last hour of the day (UTC) in which it reports, where it does not report all day. */
  readonly hours?: readonly [first: number, last: number];
  readonly outageShare?: number;
};

const WEEK = 7 * SECONDS_PER_DAY;
const LONGEST_OUTAGE = 4 * SECONDS_PER_DAY;

/** Whether a station sends its reports at this time: stations close at night, and fail for some hours or days. */
export function isReporting(stationIndex: number, station: DemoStation, seconds: number): boolean {
  const { hours, outageShare } = station;
  const hour = Math.floor(seconds / SECONDS_PER_HOUR) % 24;
  if (hours !== undefined && (hour < hours[0] || hour > hours[1])) return false;
  const week = Math.floor(seconds / WEEK);
  if (hash(stationIndex, week, 19) >= outageShare) return true;
  // The square makes short outages frequent and long ones rare. No outage reaches into the next week.
  const length = hash(stationIndex, week, 20);
  const duration = 2 * SECONDS_PER_HOUR + LONGEST_OUTAGE * length * length;
  const start = week * WEEK + (WEEK - duration) * hash(stationIndex, week, 21);
  return seconds < start || seconds >= start + duration;
}

export type Climate = Readonly<ReturnType<typeof climateOf>>;

type Phenomenon = 'thunderstorms' | 'blowing dust' | 'freezing fog';

/** The climate that a station gets by its code. */
export function climateOf(stationIndex: number) {
  return {
    temperature_c: hash(stationIndex, 0, 1) * 36 - 8,
    /** Half of the difference between January and July: negative in the northern hemisphere. */
    season_c: hash(stationIndex, 0, 2) * 24 - 8,
    /** Half of the difference between afternoon and early morning. */
    daytime_c: 2 + hash(stationIndex, 0, 3) * 5,
    /** Part of a day by which the afternoon comes earlier: 0 to 1. */
    dayShift: hash(stationIndex, 0, 4),
    /** Range of the changes from week to week. */
    change_c: 10,
    /** Smallest and largest difference between temperature and dew point. */
    dryness_c: [0, 14] as readonly [min: number, max: number],
    windMax_kt: 34,
    pressure_hpa: 1013,
    pressureRange_hpa: 50,
    /** Factor of the cloud amount: 1 is a station with all amounts. */
    cloudiness: 1,
    phenomena: [] as readonly Phenomenon[],
  };
}

const MINUTES_PER_DAY = 1440;
const MINUTES_PER_YEAR = 365.25 * MINUTES_PER_DAY;

export type Weather = ReturnType<typeof weatherAt>;

/**
 * Synthetic weather of any station at any minute, computed without the minutes before. Only sums, products and integer
 * hashes are used: their results are the same on every machine and with every version of Node.
 *
 * @param station makes the weather of two stations of one climate differ
 * @param minute minutes since 1970-01-01T00:00:00Z
 */
export function weatherAt(station: number, climate: Climate, minute: number) {
  const { phenomena } = climate;
  const season = climate.season_c * wave(minute / MINUTES_PER_YEAR - 0.3);
  const daytime = climate.daytime_c * wave(minute / MINUTES_PER_DAY - 0.35 + climate.dayShift);
  const temperature_c = Math.round(
    climate.temperature_c + season + daytime + climate.change_c * (drift(station, minute, 72, 5) - 0.5),
  );
  const moisture = drift(station, minute, 30, 6);
  const [wettest, driest] = climate.dryness_c;
  const dewpoint_c =
    temperature_c - Math.round(wettest + (driest - wettest) * (1 - moisture) * (1 - moisture));
  const gustiness = drift(station, minute, 20, 7) * drift(station, minute, 7, 8);
  const windSpeed_kt = Math.round(climate.windMax_kt * gustiness);
  const cover = (drift(station, minute, 16, 9) * 0.6 + moisture * 0.4) * climate.cloudiness;
  const obscuration = drift(station, minute, 3, 11);
  const isWet = cover > 0.62 && drift(station, minute, 5, 10) > 0.55;
  const hasCumulonimbus = phenomena.includes('thunderstorms') && isWet && obscuration < 0.45;
  let [visibility_m, weather, highestBase]: [number, string | undefined, number] = [10_000, undefined, 90];
  if (isWet) {
    [visibility_m, highestBase] = [2000 + 1000 * Math.floor(obscuration * 8), 20];
    weather = precipitation(hasCumulonimbus, temperature_c, obscuration);
  } else if (temperature_c - dewpoint_c <= 1 && windSpeed_kt < 6) {
    [visibility_m, highestBase] = [200 + 100 * Math.floor(obscuration * 40), 20];
    weather = fog(climate, temperature_c, obscuration);
  } else if (phenomena.includes('blowing dust') && windSpeed_kt > 22)
    [visibility_m, weather] = [1500 + 500 * Math.floor(obscuration * 6), 'BLDU'];
  return {
    temperature_c,
    dewpoint_c,
    windDirection: (Math.round(drift(station, minute, 60, 12) * 72) * 10) % 360,
    windSpeed_kt,
    gust_kt: windSpeed_kt > 14 && hash(station, minute, 13) > 0.4 ? windSpeed_kt + 10 : undefined,
    pressure_hpa: Math.round(
      climate.pressure_hpa + climate.pressureRange_hpa * (drift(station, minute, 96, 14) - 0.5),
    ),
    visibility_m,
    weather,
    oktas: Math.min(8, Math.floor(cover * 11)),
    base_ft: 300 + 100 * Math.floor(hash(station, Math.floor(minute / 90), 15) * highestBase),
    hasCumulonimbus,
  };
}

function fog({ phenomena }: Climate, temperature_c: number, obscuration: number): string {
  if (obscuration >= 0.2) return 'BR';
  return temperature_c < 0 && phenomena.includes('freezing fog') ? 'FZFG' : 'FG';
}

function precipitation(hasCumulonimbus: boolean, temperature_c: number, obscuration: number): string {
  if (hasCumulonimbus) return obscuration < 0.2 ? '+TSRA' : 'SHRA';
  if (temperature_c < 1) return '-SN';
  return obscuration < 0.4 ? 'RA' : '-RA';
}

/** From 0 to 1: interpolates between hashed values that are `hours` apart (smoothstep). */
function drift(station: number, minute: number, hours: number, salt: number): number {
  const at = minute / (hours * 60);
  const knot = Math.floor(at);
  const step = at - knot;
  const before = hash(station, knot, salt);
  return before + (hash(station, knot + 1, salt) - before) * step * step * (3 - 2 * step);
}

/** A period of 1 and values from -1 to 1: two parabolas, because the last digits of a cosine depend on the machine. */
function wave(turns: number): number {
  const at = 2 * (turns - Math.floor(turns)) - 1;
  return 4 * at * (1 - Math.abs(at));
}

/** From 0 to 1, by three integers. The last three lines are the finalizer of MurmurHash3. */
export function hash(a: number, b: number, c: number): number {
  let h = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b) ^ Math.imul(c + 1, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 0x1_0000_0000;
}
