/** A named question (D47): what `select`, `by` and `sample` would say. */
export type Preset = {
  /** What it answers. */
  readonly title: string;
  readonly select: string;
  readonly by: string;
  readonly sample: 'hourly' | 'all';
};

/** Visibility in metres and height of the lowest BKN or OVC in feet, of model A. */
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

/** A weather group of the report, as in `-SHRA BR`. */
const WEATHER = {
  drizzle: "wx LIKE '%DZ%'",
  rain: "wx LIKE '%RA%'",
  rain_showers: "wx LIKE '%SHRA%'",
  snow: "wx LIKE '%SN%'",
  thunder: "wx LIKE '%TS%'",
  fog: "wx LIKE '%FG%'",
  mist: "wx LIKE '%BR%'",
  haze: "wx LIKE '%HZ%'",
} as const;

const days = (weather: readonly (keyof typeof WEATHER)[]) =>
  weather.map((name) => `${name}_days:days(${WEATHER[name]})`);

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
    title: 'Hours by wind direction in sectors of 30° and by speed in steps of 5 kt, by month',
    select: 'count',
    by: `month,wind_sector(12),class(wspd_kt;${steps(5, 50, 5)})`,
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
    sample: 'all',
  },
  'wind-rose': {
    title: 'Hours by wind direction in 16 sectors and by speed',
    select: 'count,mean(wspd_kt),max(wgst_kt)',
    by: 'wind_sector(16),class(wspd_kt;4;7;11;17;22;28;34)',
    sample: 'hourly',
  },
  'flight-category': {
    title: 'Hours of each flight category, by month and hour',
    select: 'count',
    by: 'month,hour,fltcat',
    sample: 'hourly',
  },
  normals: {
    title: 'Temperature, precipitation where it is reported, and days with weather, by month',
    select: listOf([
      'mean(temp_c)',
      'stddev(temp_c)',
      'min(temp_c)',
      'p5(temp_c)',
      'median(temp_c)',
      'p95(temp_c)',
      'max(temp_c)',
      'mean(dewp_c)',
      'mean(rh_pct)',
      'mean(wspd_kt)',
      'mean(slp_hpa)',
      'sum(pcp1h_in)',
      'precipitation_hours:count(pcp1h_in IS NOT NULL)',
      'frost_days:days(temp_c < 0)',
      'hot_days:days(temp_c >= 30)',
      ...days(['rain', 'snow', 'thunder', 'fog']),
    ]),
    by: 'month',
    sample: 'hourly',
  },
  extremes: {
    title: 'Highest and lowest values with their times, by month',
    select: listOf([
      'max(temp_c)',
      'time_of_max(temp_c)',
      'min(temp_c)',
      'time_of_min(temp_c)',
      'max(wspd_kt)',
      'time_of_max(wspd_kt)',
      'max(wgst_kt)',
      'time_of_max(wgst_kt)',
      'max(slp_hpa)',
      'time_of_max(slp_hpa)',
      'min(slp_hpa)',
      'time_of_min(slp_hpa)',
      'min(visib_m)',
      'max(pcp1h_in)',
      'time_of_max(pcp1h_in)',
    ]),
    by: 'month',
    sample: 'all',
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof PRESETS;
