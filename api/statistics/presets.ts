import { insteadOf } from '../../clickhouse/validation.ts';
import { ParameterError } from '../contract/parse-values.ts';
import type { Preset } from '../contract/values.ts';

/** Visibility in meters and height of the lowest BKN or OVC in feet, of model A. */
const VISIBILITY_AND_CEILING = [
  [500, 200],
  [800, 300],
  [1500, 500],
  [3000, 1000],
  [5000, 1500],
  [8000, 2000],
] as const;
const VISIBILITIES = [150, 350, 600, 800, 1500, 3000, 5000, 8000] as const;
const CEILINGS = [200, 500, 1000, 1500, 2000, 5000] as const;

/** Weather without its own flag: groups of the report, as in `-SHRA BR`. */
const WEATHER = {
  drizzle: "wx LIKE '%DZ%'",
  rain: 'rain = TRUE',
  rain_showers: "wx LIKE '%SHRA%'",
  snow: 'snow = TRUE',
  thunder: 'thunder = TRUE',
  fog: 'fog = TRUE',
  mist: "wx LIKE '%BR%'",
  haze: "wx LIKE '%HZ%'",
} as const;

const days = (weather: readonly (keyof typeof WEATHER)[]) =>
  weather.map((name) => `${name}_days:days(${WEATHER[name]})`);

/** By day: 1 or 0. */
const dayWith = (flag: string) => `${flag}:days(${flag} = TRUE)`;

const listOf = (items: readonly string[]) => items.join(',');
const steps = (first: number, last: number, step: number) =>
  Array.from({ length: (last - first) / step + 1 }, (_, n) => first + n * step).join(';');

/** Models A to F of the aerodrome climatological summary are those of WMO-No. 49, volume II, C.3.2. */
export const PRESETS = {
  'aerodrome-a': {
    title: 'Share of hours with a visibility or a ceiling below each pair of values, by month and hour',
    select: listOf(
      VISIBILITY_AND_CEILING.map(
        ([visibility, ceiling]) =>
          `below_${visibility}m_${ceiling}ft:share(visib_m < ${visibility} OR ceiling_ft < ${ceiling})`,
      ),
    ),
    by: 'month,hour',
    sample: 'hourly',
  },
  'aerodrome-b': {
    title: 'Share of hours with a visibility below each value, by month and hour',
    select: listOf(VISIBILITIES.map((visibility) => `below_${visibility}m:share(visib_m < ${visibility})`)),
    by: 'month,hour',
    sample: 'hourly',
  },
  'aerodrome-c': {
    title: 'Share of hours with a ceiling below each height, by month and hour',
    select: listOf(CEILINGS.map((ceiling) => `below_${ceiling}ft:share(ceiling_ft < ${ceiling})`)),
    by: 'month,hour',
    sample: 'hourly',
  },
  'aerodrome-d': {
    title:
      'Hours by wind direction in sectors of 30° and by speed of 1 to 5, 6 to 10, … and above 50 kt, by month',
    select: 'count',
    by: `month,wind_sector(12),class(wspd_kt;${steps(6, 51, 5)})`,
    sample: 'hourly',
  },
  'aerodrome-e': {
    title: 'Hours by temperature in steps of 5 °C, by month and hour',
    select: 'count',
    by: `month,hour,class(temp_c;${steps(-30, 45, 5)})`,
    sample: 'hourly',
  },
  'aerodrome-f': {
    title: 'Days with each kind of weather and with gusts of 28 kt or more, by year and month',
    select: listOf([
      ...days(['drizzle', 'rain', 'rain_showers', 'snow', 'thunder', 'fog', 'mist', 'haze']),
      'gust_days:days(wgst_kt >= 28)',
    ]),
    by: 'year,month',
    sample: 'auto',
  },
  'wind-rose': {
    title: 'Hours by wind direction in sectors of 30° and by speed',
    select: 'count,mean(wspd_kt),max(wgst_kt)',
    by: 'wind_sector(12),class(wspd_kt;4;7;11;17;22;28;34)',
    sample: 'hourly',
  },
  'flight-category': {
    title: 'Hours of each flight category, by month and hour',
    select: 'count',
    by: 'month,hour,fltcat',
    sample: 'hourly',
  },
  daily: {
    title: 'Temperature, precipitation, wind, pressure and weather of each day in standard time',
    select: listOf([
      'mean(temp_c)',
      'min_temp_c:lowest(temp_c)',
      'max_temp_c:highest(temp_c)',
      'mean(dewp_c)',
      'mean(rh_pct)',
      'precip_in:total(pcp1h_in)',
      'precip_trace:trace(pcp1h_in)',
      'snow_depth_in:max(snow_in)',
      'mean(wspd_kt)',
      'max_gust_kt:highest(wgst_kt)',
      'time_of_max_gust:time_of_highest(wgst_kt)',
      'resultant(wdir)',
      'resultant(wspd_kt)',
      'resultant_n',
      'mean(slp_hpa)',
      'fog_hours:hours(fog = TRUE)',
      'thunder_hours:hours(thunder = TRUE)',
      ...['fog', 'thunder', 'snow', 'rain', 'freezing', 'hail'].map(dayWith),
    ]),
    by: 'date',
    sample: 'auto',
    days: 'complete',
    tz: 'standard',
  },
  normals: {
    title:
      'A mean year by month, and the year, made from days in standard time: means of the years that are complete',
    select: listOf([
      'mean(temp_c)',
      'min_temp_c:lowest(temp_c)',
      'max_temp_c:highest(temp_c)',
      'mean(dewp_c)',
      'mean(rh_pct)',
      'precip_in:total(pcp1h_in)',
      'mean(wspd_kt)',
      'mean(slp_hpa)',
      ...['rain', 'snow', 'thunder', 'fog'].map(dayWith),
    ]),
    by: 'date',
    sample: 'auto',
    days: 'complete',
    tz: 'standard',
    isMeanYear: true,
  },
  extremes: {
    title: 'Highest and lowest values with their times, by month',
    select: listOf([
      'max(temp_c)',
      'time_of_max(temp_c)',
      'highest(temp_c)',
      'min(temp_c)',
      'time_of_min(temp_c)',
      'lowest(temp_c)',
      'max(wspd_kt)',
      'time_of_max(wspd_kt)',
      'highest(wgst_kt)',
      'time_of_highest(wgst_kt)',
      'max(slp_hpa)',
      'time_of_max(slp_hpa)',
      'min(slp_hpa)',
      'time_of_min(slp_hpa)',
      'min(visib_m)',
      'max(pcp1h_in)',
      'time_of_max(pcp1h_in)',
    ]),
    by: 'month',
    sample: 'auto',
  },
} as const satisfies Readonly<Record<string, Preset>>;

type PresetName = keyof typeof PRESETS;

export function choosePreset(name: string): Preset {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName];
  throw new ParameterError(`is unknown: ${insteadOf(name, Object.keys(PRESETS))}`);
}

/** The texts of the parameters that a preset stands for. */
export function expandPreset(name: unknown): Readonly<Record<string, string>> {
  if (typeof name !== 'string' || !Object.hasOwn(PRESETS, name)) return {};
  const { select, by, sample, days, tz }: Preset = PRESETS[name as PresetName];
  return { select, by, sample, ...(days !== undefined && { days }), ...(tz !== undefined && { tz }) };
}
