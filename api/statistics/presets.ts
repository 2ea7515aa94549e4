import { insteadOf } from '../../clickhouse/validation.ts';
import { ParameterError } from '../contract/parse-values.ts';
import type { Preset } from '../contract/values.ts';

/** The pairs of model A: a visibility in meters, and the height of the lowest BKN or OVC layer in feet. */
const CEILINGS = { 500: 200, 800: 300, 1500: 500, 3000: 1000, 5000: 1500, 8000: 2000 };

const sharesBelow = (field: string, unit: string, values: readonly number[]) =>
  values.map((value) => `below_${value}${unit}:share(${field} < ${value})`).join();
const steps = (first: number, last: number, step: number) =>
  Array.from({ length: (last - first) / step + 1 }, (_, n) => first + n * step).join(';');

/** Models A to F of the aerodrome climatological summary are those of WMO-No. 49, volume II, C.3.2. */
export const PRESETS = {
  'aerodrome-a': {
    title: 'Share of hours with a visibility or a ceiling below each pair of values, by month and hour',
    select: Object.entries(CEILINGS)
      .map(([m, ft]) => `below_${m}m_${ft}ft:share(visib_m < ${m} OR ceiling_ft < ${ft})`)
      .join(),
    by: 'month,hour',
    sample: 'hourly',
  },
  'aerodrome-b': {
    title: 'Share of hours with a visibility below each value, by month and hour',
    select: sharesBelow('visib_m', 'm', [150, 350, 600, 800, 1500, 3000, 5000, 8000]),
    by: 'month,hour',
    sample: 'hourly',
  },
  'aerodrome-c': {
    title: 'Share of hours with a ceiling below each height, by month and hour',
    select: sharesBelow('ceiling_ft', 'ft', [200, 500, 1000, 1500, 2000, 5000]),
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
    of: 'days',
    select: [
      ...['drizzle', 'rain', 'snow', 'thunder', 'fog', 'mist', 'haze'].map(
        (flag) => `${flag}_days:count(${flag} = 1)`,
      ),
      'rain_showers_days:count(showers = 1 AND rain = 1)',
      'gust_days:count(max_gust_kt >= 28)',
    ].join(),
    by: 'year,month',
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
  extremes: {
    title: 'Highest and lowest values of days with their dates, by month',
    of: 'days',
    select: [
      ...['max(max_temp_c)', 'min(min_temp_c)', 'max(precip_in)', 'max(max_snow_depth_in)'],
      ...['max(max_wspd_kt)', 'max(max_gust_kt)', 'max(max_slp_hpa)', 'min(min_slp_hpa)', 'min(min_visib_m)'],
    ]
      .flatMap((extreme) => [extreme, `time_of_${extreme}`])
      .join(),
    by: 'month',
  },
} as const satisfies Readonly<Record<string, Preset>>;

type PresetName = keyof typeof PRESETS;

export function choosePreset(name: string): Preset {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName];
  throw new ParameterError(`is unknown: ${insteadOf(name, Object.keys(PRESETS))}`);
}

export function expandPreset(name: unknown): Readonly<Record<string, string>> {
  if (typeof name !== 'string' || !Object.hasOwn(PRESETS, name)) return {};
  const { of, select, by, sample }: Preset = PRESETS[name as PresetName];
  return { of: of ?? 'reports', select, by, ...(sample !== undefined && { sample }) };
}
