import { anyOf, anyWeather, DERIVED_FIELDS, NOT_FALLING } from '../model/derived-fields.ts';
import type { PartialDecoded } from '../model/fields.ts';
import { nominalHour } from '../model/time-window.ts';
import { WEATHER_FLAGS, type WeatherFlag } from './fields.ts';
import type { MonthReports } from './local-month.ts';
import type { DayColumns } from './means.ts';
import type { Reports } from './reports.ts';

type Judge = (decoded: PartialDecoded) => number | boolean | undefined;

/** The flags of reports (D53), and those that only days have (D80). */
const JUDGES: { readonly [Flag in WeatherFlag]?: Judge } = {
  ...Object.fromEntries(DERIVED_FIELDS.map(({ name, compute }) => [name, compute])),
  ice_pellets: anyOf(['PL', 'PE'], NOT_FALLING),
  drizzle: anyOf(['DZ'], NOT_FALLING),
  showers: anyWeather((_, descriptors) => descriptors.includes('SH') && !descriptors.includes('VC')),
  mist: anyOf(['BR'], ['VC']),
  haze: anyOf(['HZ'], ['VC']),
};

/** Precipitation that falls at the station: not `VCSH` or `BLSN`. */
const IS_FALLING = /(^| )[-+]?(MI|PR|BC|SH|TS|FZ|BR|FG|HZ|FU)*(DZ|RA|SN|SG|PL|GR|GS|UP|IC)/;
const WET = 1 << WEATHER_FLAGS.length;
const THUNDER = 1 << WEATHER_FLAGS.indexOf('thunder');
const FOG = 1 << WEATHER_FLAGS.indexOf('fog');

/** Reports repeat a few hundred texts of weather: a bit for each flag that one has. */
const KNOWN = new Map<string, number>([['', 0]]);
const MOST_KNOWN = 5000;

function weatherBits(wx: string): number {
  const known = KNOWN.get(wx);
  if (known !== undefined) return known;
  const decoded = { wx, cavok: false } as PartialDecoded;
  let bits = IS_FALLING.test(wx) ? WET : 0;
  for (const [n, flag] of WEATHER_FLAGS.entries()) if (JUDGES[flag]?.(decoded)) bits |= 1 << n;
  if (KNOWN.size === MOST_KNOWN) KNOWN.clear();
  KNOWN.set(wx, bits);
  return bits;
}

/** Whether a report says that precipitation falls, also one that is unreadable. */
export function isWet({ wx, pcp3h_in }: Reports, row: number): boolean {
  return (weatherBits(wx[row] as string) & WET) !== 0 || (pcp3h_in[row] as number) > 0;
}

/**
 * For each day 1 if a report of it has a kind of weather, 0 if none has, NaN if no report can be judged or an unreadable one names
 * it (D78); and the nominal hours with fog and with thunder.
 */
export function weatherOfDays({ reports, days, count }: MonthReports): DayColumns {
  const [seen, judged, named] = [new Int32Array(count), new Float64Array(count), new Int32Array(count)];
  const [fogHours, thunderHours] = [hoursCounter(count), hoursCounter(count)];
  for (let row = 0; row < reports.time.length; row += 1) {
    const day = days[row] as number;
    if (day < 0 || day >= count) continue;
    const bits = bitsOf(reports, row);
    if (reports.isReadable[row] === 0) {
      named[day] = (named[day] as number) | bits;
      continue;
    }
    const hour = nominalHour(reports.time[row] as number);
    seen[day] = (seen[day] as number) | bits;
    judged[day] = (judged[day] as number) | judgedBits(reports, row, bits);
    if (bits & FOG) fogHours.add(day, hour);
    if (bits & THUNDER) thunderHours.add(day, hour);
  }
  const flagOf = (flag: WeatherFlag) => {
    const bit = 1 << WEATHER_FLAGS.indexOf(flag);
    return judged.map((bits, day) => {
      if ((seen[day] as number) & bit) return 1;
      return bits & ~(named[day] as number) & bit ? 0 : Number.NaN;
    });
  };
  const hoursOf = (flag: WeatherFlag, hours: Float64Array) =>
    flagOf(flag).map((value, day) => (Number.isNaN(value) ? value : (hours[day] as number)));
  return {
    ...Object.fromEntries(WEATHER_FLAGS.map((flag) => [flag, flagOf(flag)])),
    fog_hours: hoursOf('fog', fogHours.hours),
    thunder_hours: hoursOf('thunder', thunderHours.hours),
  };
}

function bitsOf({ wx, hasThunder }: Reports, row: number): number {
  return weatherBits(wx[row] as string) | (hasThunder[row] === 1 ? THUNDER : 0);
}

/** The flags that a report can decide: those that it has, and the others where its weather, or the sensor of lightning, works. */
function judgedBits(
  { wx, isWeatherMissing, hasNoThunderSensor }: Reports,
  row: number,
  bits: number,
): number {
  if (wx[row] === '' && isWeatherMissing[row] === 1) return bits;
  return hasNoThunderSensor[row] === 1 ? bits | ~THUNDER : ~0;
}

/** Counts different hours of a day, in the order of their times. */
function hoursCounter(count: number) {
  const [hours, last] = [new Float64Array(count), new Float64Array(count)];
  return {
    hours,
    add(day: number, hour: number) {
      if (last[day] === hour) return;
      last[day] = hour;
      hours[day] = (hours[day] as number) + 1;
    },
  };
}

/**
 * The snow depth of each day at 12 UTC: 0 without a group where the station gives depths in the month; and the greatest (D80).
 */
export function snowDepths({ reports, days, count }: MonthReports): DayColumns {
  const depths = new Float64Array(count).fill(Number.NaN);
  const greatest = new Float64Array(count).fill(Number.NaN);
  const hasReport = new Uint8Array(count);
  let isGiven = false;
  for (let row = 0; row < reports.time.length; row += 1) {
    const [day, depth] = [days[row] as number, reports.snow_in[row] as number];
    if (day < 0 || day >= count || reports.isReadable[row] === 0) continue;
    const isAtNoon = nominalHour(reports.time[row] as number) % 24 === 12;
    if (isAtNoon && reports.isFirst[row] === 1) hasReport[day] = 1;
    if (Number.isNaN(depth)) continue;
    isGiven = true;
    if (isAtNoon && !(depth <= (depths[day] as number))) depths[day] = depth;
    if (!(depth <= (greatest[day] as number))) greatest[day] = depth;
  }
  for (let day = 0; day < count; day += 1)
    if (isGiven && hasReport[day] === 1 && Number.isNaN(depths[day])) {
      depths[day] = 0;
      if (Number.isNaN(greatest[day])) greatest[day] = 0;
    }
  return { snow_depth_in: depths, max_snow_depth_in: greatest };
}
