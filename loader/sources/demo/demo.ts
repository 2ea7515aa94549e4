import { dayStart, FIRST_DAY, SECONDS_PER_HOUR } from '../../../clickhouse/model/day.ts';
import type { StationDescription } from '../../../clickhouse/stations.ts';
import type { SourceRow } from '../format.ts';
import type { LocalSource, ParsedBody, Slice } from '../source.ts';
import { climateOf, DEMO_STATIONS, hash, isReporting, type Weather, weatherAt } from './demo-stations.ts';

/**
 * Synthetic reports of stations that do not exist: ICAO allocates no code that begins with X. Every text has the remark
 * SYNTHETIC. A station and minute always give the same report, on every machine and for every requested range.
 */
export function demo(): LocalSource {
  return {
    kind: 'local',
    source: 'demo',
    rank: 1,
    sendsTypes: false,
    rateLimit: { intervalSeconds: 0, parallel: 1 },
    givesAllStations: false,
    requests: () => [],
    generate,
    list: (stations) => ({
      listings: stations.map((station) => ({
        source: 'demo',
        station,
        firstDay: DEMO_STATIONS.get(station)?.firstDay ?? FIRST_DAY,
      })),
      descriptions: stations.map(descriptionOf),
    }),
    descriptionRanks: { rank: 1, elevationRank: 1 },
  };
}

function descriptionOf(station: string): StationDescription {
  const known = DEMO_STATIONS.get(station);
  if (known === undefined) return { source: 'demo', station };
  const { name, latitude, longitude, elevation_m } = known;
  return { source: 'demo', station, name, position: { latitude, longitude }, elevation_m };
}

/** Minutes of the hour at which a station issues a METAR; each station has one of these. */
const ROUTINE_MINUTES: readonly (readonly number[])[] = [[51], [53], [56], [0], [0, 30], [20, 50]];
/** Share of the hours in which a SPECI is issued. */
const SPECI_SHARE = 0.06;
/** Cloud cover by oktas (FMH-1, chapter 9). */
const COVER = ['CLR', 'FEW', 'FEW', 'SCT', 'SCT', 'BKN', 'BKN', 'BKN', 'OVC'] as const;

function generate({ station, firstDay, endDay }: Slice): ParsedBody {
  const stationIndex = stationIndexOf(station);
  const known = DEMO_STATIONS.get(station);
  const climate = known?.climate ?? climateOf(stationIndex);
  const routine = ROUTINE_MINUTES[Math.floor(hash(stationIndex, 0, 18) * ROUTINE_MINUTES.length)] ?? [];
  const isAmerican = routine.every((minute) => minute > 50);
  const end = Math.min(dayStart(endDay), Date.now() / 1000);
  const rows: SourceRow[] = [];
  for (let hour = dayStart(firstDay); hour < end; hour += SECONDS_PER_HOUR)
    for (const minute of minutesOfReports(stationIndex, routine, hour)) {
      const filedAt = hour + minute * 60;
      if (filedAt > end || (known !== undefined && !isReporting(stationIndex, known, filedAt))) continue;
      const weather = weatherAt(stationIndex, climate, filedAt / 60);
      const type = routine.includes(minute) ? 'METAR' : 'SPECI';
      const text = `${type} ${station} ${groupsOf(weather, filedAt, isAmerican)} RMK SYNTHETIC`;
      rows.push({ station, filedAt, text });
    }
  return { rows, skipped: {} };
}

/** XAAA is 0, XAAB is 1, XZZZ is 17,575. */
function stationIndexOf(station: string): number {
  return [...station.slice(1)].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 65, 0);
}

function minutesOfReports(stationIndex: number, routine: readonly number[], hour: number): readonly number[] {
  const hours = hour / SECONDS_PER_HOUR;
  if (hash(stationIndex, hours, 17) >= SPECI_SHARE) return routine;
  const special = Math.floor(hash(stationIndex, hours, 16) * 60);
  return [...new Set([...routine, special])].sort((a, b) => a - b);
}

function groupsOf(weather: Weather, filedAt: number, isAmerican: boolean): string {
  const minute = filedAt / 60;
  const dayOfMonth = new Date(filedAt * 1000).getUTCDate();
  const time = digits(dayOfMonth) + digits(Math.floor(minute / 60) % 24) + digits(minute % 60);
  const temperatures = `${signed(weather.temperature_c)}/${signed(weather.dewpoint_c)}`;
  const inches = Math.round(weather.pressure_hpa * 2.953);
  const pressure = isAmerican ? `A${inches}` : `Q${digits(weather.pressure_hpa, 4)}`;
  return `${time}Z AUTO ${wind(weather)} ${sightGroups(weather, isAmerican)} ${temperatures} ${pressure}`;
}

function wind({ windDirection, windSpeed_kt, gust_kt }: Weather): string {
  if (windSpeed_kt === 0) return '00000KT';
  const direction = windSpeed_kt < 4 ? 'VRB' : digits(windDirection === 0 ? 360 : windDirection, 3);
  return `${direction}${digits(windSpeed_kt)}${gust_kt === undefined ? '' : `G${digits(gust_kt)}`}KT`;
}

/** Visibility, weather and clouds. */
function sightGroups(conditions: Weather, isAmerican: boolean): string {
  const { visibility_m, weather, oktas, base_ft, hasCumulonimbus } = conditions;
  const isFar = visibility_m >= 10_000;
  const hasNoLowCloud = oktas === 0 || base_ft > 5000;
  if (!isAmerican && isFar && weather === undefined && hasNoLowCloud) return 'CAVOK';
  const miles = isFar ? '10SM' : visibility_m < 400 ? 'M1/4SM' : `${Math.ceil(visibility_m / 1609)}SM`;
  const visibility = isAmerican ? miles : digits(Math.min(9999, visibility_m), 4);
  const layer = `${COVER[oktas] ?? 'OVC'}${digits(base_ft / 100, 3)}${hasCumulonimbus ? 'CB' : ''}`;
  const clear = isAmerican ? 'CLR' : 'NCD';
  return [visibility, weather, oktas === 0 ? clear : layer].filter((group) => group !== undefined).join(' ');
}

function signed(degrees: number): string {
  return degrees < 0 ? `M${digits(-degrees)}` : digits(degrees);
}

function digits(number: number, length = 2): string {
  return String(number).padStart(length, '0');
}
