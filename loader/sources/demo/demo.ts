import { dayStart, FIRST_DAY } from '../../../clickhouse/model/day.ts';
import type { ReportType } from '../../../clickhouse/model/report.ts';
import type { LocalSource, ParsedBody, Slice, SourceRow } from '../source.ts';
import { hash, type Weather, weatherAt } from './demo-weather.ts';

/**
 * Synthetic reports of stations that do not exist: ICAO allocates no code that begins with X. Every text says so in
 * its remarks. The same station and minute make the same report, for ever and whatever range is asked for.
 */
export function demo(): LocalSource {
  return {
    kind: 'local',
    source: 'demo',
    givesAllStations: false,
    generate,
    listing: (station) => ({ source: 'demo', station, firstDay: FIRST_DAY }),
  };
}

/** Which minutes of the hour have a METAR; a station keeps to its own. */
const TIMETABLES = [[51], [53], [56], [0], [0, 30], [20, 50]] as const;
/** How many hours have a SPECI too. */
const SPECI_SHARE = 0.06;
/** Cover by oktas (FMH-1, chapter 9). */
const COVER = ['CLR', 'FEW', 'FEW', 'SCT', 'SCT', 'BKN', 'BKN', 'BKN', 'OVC'] as const;

function generate({ station, firstDay, endDay }: Slice): ParsedBody {
  const number = stationNumber(station);
  const now = Date.now() / 1000;
  const rows: SourceRow[] = [];
  for (let hour = dayStart(firstDay); hour < dayStart(endDay); hour += 3600)
    for (const { minute, type } of timesIn(number, hour)) {
      const filedAt = hour + minute * 60;
      if (filedAt <= now) rows.push({ station, filedAt, text: textOf(station, number, filedAt, type) });
    }
  return { rows, skipped: {} };
}

/** XAAA is 0, XAAB is 1, XZZZ is 17,575. */
function stationNumber(station: string): number {
  return [...station.slice(1)].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 65, 0);
}

function timesIn(station: number, hour: number): { readonly minute: number; readonly type: ReportType }[] {
  const routine: readonly number[] = timetable(station);
  const times = routine.map((minute) => ({ minute, type: 'METAR' as ReportType }));
  const hours = hour / 3600;
  const special = Math.floor(hash(station, hours, 16) * 60);
  if (hash(station, hours, 17) < SPECI_SHARE && !routine.includes(special))
    times.push({ minute: special, type: 'SPECI' });
  return times.sort((a, b) => a.minute - b.minute);
}

function timetable(station: number): readonly number[] {
  return TIMETABLES[Math.floor(hash(station, 0, 18) * TIMETABLES.length)] ?? TIMETABLES[0];
}

function textOf(station: string, number: number, filedAt: number, type: ReportType): string {
  const minute = filedAt / 60;
  const weather = weatherAt(number, minute);
  const dayOfMonth = new Date(filedAt * 1000).getUTCDate();
  const time = two(dayOfMonth) + two(Math.floor(minute / 60) % 24) + two(minute % 60);
  const american = (timetable(number)[0] ?? 0) > 50;
  const groups = american ? americanGroups(weather) : internationalGroups(weather);
  const temperatures = `${signed(weather.temperature_c)}/${signed(weather.dewpoint_c)}`;
  const inches = Math.round(weather.pressure_hpa * 2.953);
  const pressure = american ? `A${inches}` : `Q${four(weather.pressure_hpa)}`;
  return `${type} ${station} ${time}Z AUTO ${wind(weather)} ${groups} ${temperatures} ${pressure} RMK SYNTHETIC`;
}

function wind({ windDirection, windSpeed_kt, gust_kt }: Weather): string {
  if (windSpeed_kt === 0) return '00000KT';
  const direction = windSpeed_kt < 4 ? 'VRB' : `00${windDirection === 0 ? 360 : windDirection}`.slice(-3);
  return `${direction}${two(windSpeed_kt)}${gust_kt === undefined ? '' : `G${two(gust_kt)}`}KT`;
}

function americanGroups({ visibility_m, weather, oktas, base_ft }: Weather): string {
  const miles =
    visibility_m >= 10_000 ? '10SM' : visibility_m < 400 ? 'M1/4SM' : `${Math.ceil(visibility_m / 1609)}SM`;
  const sky = oktas === 0 ? 'CLR' : layer(oktas, base_ft);
  return [miles, weather, sky].filter((group) => group !== undefined).join(' ');
}

function internationalGroups({ visibility_m, weather, oktas, base_ft }: Weather): string {
  if (visibility_m >= 10_000 && weather === undefined && (oktas === 0 || base_ft > 5000)) return 'CAVOK';
  const sky = oktas === 0 ? 'NCD' : layer(oktas, base_ft);
  return [four(Math.min(9999, visibility_m)), weather, sky].filter((group) => group !== undefined).join(' ');
}

function layer(oktas: number, base_ft: number): string {
  return `${COVER[oktas] ?? 'OVC'}${`00${base_ft / 100}`.slice(-3)}`;
}

function signed(degrees: number): string {
  return degrees < 0 ? `M${two(-degrees)}` : two(degrees);
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

function four(number: number): string {
  return `000${number}`.slice(-4);
}
