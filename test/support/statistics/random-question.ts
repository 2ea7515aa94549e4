import { STATIONS } from './random-reports.ts';

type Random = () => number;

/** The parameters of a question, as a client writes them. */
export type QuestionText = {
  readonly stations: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly select: string;
  readonly by?: string;
  readonly sample?: 'auto' | 'hourly' | 'all';
  readonly tz: string;
  readonly filter?: string;
};

const FIELDS = [
  'temp_c',
  'dewp_c',
  'wspd_kt',
  'wgst_kt',
  'visib_m',
  'altim_hpa',
  'slp_hpa',
  'pcp1h_in',
  'ceiling_ft',
  'rh_pct',
];
const FUNCTIONS = [
  'mean',
  'min',
  'max',
  'sum',
  'stddev',
  'median',
  'p0',
  'p5',
  'p33',
  'p95',
  'p100',
  'time_of_max',
  'time_of_min',
];
const PERIODS = [
  'highest(temp_c)',
  'lowest(temp_c)',
  'highest(wgst_kt)',
  'time_of_highest(wgst_kt)',
  'total(pcp1h_in)',
];
const CONDITIONS = [
  'visib_m < 800 OR ceiling_ft < 200',
  'ceiling_ft < 1000',
  'NOT (ceiling_ft < 1000) AND visib_m >= 5000',
  "wx LIKE '%TS%'",
  "wx IS NOT NULL AND wx LIKE '%FG%'",
  "fltcat = 'IFR'",
  'wgst_kt IS NULL',
  'temp_c BETWEEN -2.5 AND 3.5',
  'altim_hpa > 1000.2',
  "type = 'SPECI' OR wspd_kt >= 20",
];
const GROUPS = [
  'year',
  'season',
  'month',
  'date',
  'hour',
  'wind_sector(8)',
  'wind_sector(12)',
  'wind_sector(16)',
  'wind_sector(36)',
  'class(wspd_kt;5;10;20)',
  'class(ceiling_ft;200;500;1000)',
  'class(temp_c;-5;0;5.6;10)',
  'fltcat',
];
const ZONES = ['utc', 'local', 'standard', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham'];
const TIMES = [
  '2023-12-28T00:00:00Z',
  '2023-12-31T23:55:00Z',
  '2024-03-09T12:15:00Z',
  '2024-03-31T01:00:00Z',
  '2024-11-03T05:30:00Z',
  '2024-12-01T00:00:00Z',
];

export function randomQuestion(random: Random): QuestionText {
  const below = (most: number) => Math.floor(random() * most);
  const some = (values: readonly string[], most: number) => [
    ...new Set(Array.from({ length: below(most + 1) }, () => values[below(values.length)] as string)),
  ];
  const from = below(TIMES.length - 1);
  const to = from + 1 + below(TIMES.length - 1 - from);
  const numbers = some(FIELDS, 4).map((field) => `${FUNCTIONS[below(FUNCTIONS.length)]}(${field})`);
  const conditions = some(CONDITIONS, 3).map(
    (condition, n) => `c${n}:${['share', 'count', 'days', 'hours'][below(4)]}(${condition})`,
  );
  const groups = some(GROUPS, 3).filter(
    (item, n, all) => all.findIndex((other) => other.split('(')[0] === item.split('(')[0]) === n,
  );
  const stations = some(STATIONS, 4);
  const [filter] = random() < 0.3 ? some(CONDITIONS, 1) : [];
  return {
    stations: stations.length === 0 ? ['XNYC'] : stations,
    from: TIMES[from] as string,
    to: TIMES[to] as string,
    select: ['count', ...numbers, ...conditions, ...some(PERIODS, 2)].join(','),
    by: groups.join(','),
    sample: (['auto', 'auto', 'hourly', 'all'] as const)[below(4)] ?? 'auto',
    tz: ZONES[below(ZONES.length)] as string,
    ...(filter !== undefined && { filter }),
  };
}
