import { SECONDS_PER_DAY } from '../model/day.ts';
import { anyOf, DERIVED_FIELDS, NOT_FALLING } from '../model/derived-fields.ts';
import type { PartialDecoded } from '../model/fields.ts';
import { nominalHour } from '../model/time-window.ts';
import { WEATHER_FLAGS, type WeatherFlag } from './fields.ts';
import { absent, type MonthReports } from './local-month.ts';
import type { DayColumns } from './means.ts';
import { countBefore, type Reports } from './reports.ts';
import { extremeOfReports } from './winds.ts';

type Judge = (decoded: PartialDecoded) => number | boolean | undefined;

/** The flags of reports (D53), and those that only days have (D80). */
const JUDGES: { readonly [Flag in WeatherFlag]?: Judge } = {
  ...Object.fromEntries(DERIVED_FIELDS.map(({ name, compute }) => [name, compute])),
  ice_pellets: anyOf(['PL', 'PE'], NOT_FALLING),
  drizzle: anyOf(['DZ'], NOT_FALLING),
  showers: anyOf(['SH'], ['VC']),
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
 * For each day and kind of weather: 1 if a report has it, 0 if none has, NaN if no report can be judged or an unreadable report
 * names it (D78). Also the numbers of nominal hours with fog and with thunder.
 */
export function weatherOfDays(all: MonthReports): DayColumns {
  const { reports, days } = all;
  const { wx, hasThunder } = reports;
  const columns = Object.fromEntries(
    [...WEATHER_FLAGS, 'fog_hours', 'thunder_hours'].map((name) => [name, absent(all)]),
  );
  for (const [day, { begin, end }] of days.entries()) {
    let [seen, judged, named] = [0, 0, 0];
    const [fog, thunder] = [new Set<number>(), new Set<number>()];
    for (let row = begin; row < end; row += 1) {
      const bits = weatherBits(wx[row] as string) | (hasThunder[row] === 1 ? THUNDER : 0);
      if (reports.isReadable[row] === 0) {
        named |= bits;
        continue;
      }
      seen |= bits;
      judged |= judgedBits(reports, row, bits);
      if (bits & FOG) fog.add(nominalHour(reports.time[row] as number));
      if (bits & THUNDER) thunder.add(nominalHour(reports.time[row] as number));
    }
    const known = seen | (judged & ~named);
    const set = (name: string, bit: number, value: number) => {
      if (known & bit) (columns[name] as Float64Array)[day] = value;
    };
    for (const [n, flag] of WEATHER_FLAGS.entries()) set(flag, 1 << n, (seen >> n) & 1);
    set('fog_hours', FOG, fog.size);
    set('thunder_hours', THUNDER, thunder.size);
  }
  return columns;
}

/** The flags that a report decides: those that it has, and others unless its weather is missing or the lightning sensor is out. */
function judgedBits({ wx, isWeatherMissing, hasNoThunderSensor }: Reports, row: number, bits: number) {
  if (wx[row] === '' && isWeatherMissing[row] === 1) return bits;
  return hasNoThunderSensor[row] === 1 ? bits | ~THUNDER : ~0;
}

/** Whether a report can show that there was no thunder, or no other weather. For all other weather, the bit of fog stands. */
export function canDecide(reports: Reports, row: number, kind: 'weather' | 'thunder'): boolean {
  return (judgedBits(reports, row, 0) & (kind === 'thunder' ? THUNDER : FOG)) !== 0;
}

/**
 * The snow depth of each day at 12 UTC, and the greatest depth of the day (D80). Without a group, the depth is 0 if the station
 * gives depths in that month. But if it gives depths above 0 both in the 24 hours before and in the 24 hours after, the depth is
 * unknown, because the group was probably mistyped, as in `4//012`, and not left out.
 */
export function snowDepths(all: MonthReports): DayColumns {
  const { reports, days } = all;
  const [depths, greatest] = [absent(all), extremeOfReports('max', 'snow_in', all)];
  const isAtNoon = (row: number) => nominalHour(reports.time[row] as number) % 24 === 12;
  for (const [day, { begin, end }] of days.entries())
    for (let row = begin; row < end; row += 1) {
      const depth = reports.snow_in[row] as number;
      if (depth >= 0 && isAtNoon(row) && !(depth <= (depths[day] as number))) depths[day] = depth;
    }
  const found = { snow_depth_in: depths, max_snow_depth_in: greatest };
  if (!greatest.some((depth) => depth >= 0)) return found;
  const snowy = reports.time.filter((_, row) => (reports.snow_in[row] as number) > 0);
  const isSnowyIn = (from: number, to: number) => countBefore(snowy, to) > countBefore(snowy, from);
  for (const [day, { sample }] of days.entries()) {
    if (!Number.isNaN(depths[day])) continue;
    const noon = reports.time[sample.find((row) => reports.isReadable[row] === 1 && isAtNoon(row)) ?? -1];
    if (noon === undefined) continue;
    if (isSnowyIn(noon - SECONDS_PER_DAY, noon) && isSnowyIn(noon, noon + SECONDS_PER_DAY + 1)) continue;
    depths[day] = 0;
    greatest[day] ||= 0;
  }
  return found;
}
