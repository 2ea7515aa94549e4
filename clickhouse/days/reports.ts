import type { Archive } from '../archive.ts';
import { doubleOf, FIELD_COLUMNS, type FieldColumn } from '../model/field-columns.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { type Block, blocksOf } from '../native-blocks.ts';
import { ONE_THREAD_READ } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { type Named, readUnreadable } from './unreadable.ts';

const REPORTS = readStatement('days/reports');

/** Fields with numbers, in the units of the record. */
const NUMBERS = [
  'temp_c',
  'dewp_c',
  'rh_pct',
  'wdir',
  'wspd_kt',
  'wgst_kt',
  'pk_wspd_kt',
  'slp_hpa',
  'visib_m',
  'maxt6_c',
  'mint6_c',
  'maxt24_c',
  'mint24_c',
  'pcp1h_in',
  'pcp3h_in',
  'pcp6h_in',
  'pcp24h_in',
  'snow_in',
] as const;

/** SQL over a report: 1 or 0. */
const FLAGS = {
  isMetar: "type = 'METAR'",
  /** It is the first METAR of its nominal hour: the hourly sample. */
  isFirst: "counts = 'hour'",
  /** Other reports have no fields, and count as if nothing was measured (D78). */
  isReadable: 'clean',
  isVariable: 'wdir_vrb IS NOT NULL',
  isTrace: 'pcp1h_trace IS NOT NULL',
  hasGauge: "ifNull(station_type = 'AO2', 0) AND pno IS NULL",
  isWeatherMissing: 'wx_missing IS NOT NULL',
  /** A thunderstorm that remarks tell of, and a sensor of lightning that does not work. */
  hasThunder: 'ts_remark IS NOT NULL',
  hasNoThunderSensor: 'tsno IS NOT NULL',
  /** An unreadable report gives an amount of precipitation; read later, from its text. */
  hasUnreadAmount: '0',
} as const;

const NUMBER_NAMES = [...NUMBERS, 'pk_time'] as const;
const FLAG_NAMES = Object.keys(FLAGS) as (keyof typeof FLAGS)[];

type Numbers = Readonly<Record<(typeof NUMBER_NAMES)[number], Float64Array>>;
type Flags = Readonly<Record<keyof typeof FLAGS, Uint8Array>>;

/**
 * Reports of one station that count, by columns, in the order of their times; of one minute the special report first.
 * Numbers are NaN where the report does not give them.
 */
export type Reports = Numbers &
  Flags & {
    /** Seconds since 1970-01-01T00:00:00Z. */
    readonly time: Uint32Array;
    /** Present weather, or what the text of an unreadable report names; empty without any. */
    readonly wx: readonly string[];
  };

export const NO_REPORTS: Reports = columnsOf(
  () => new Float64Array(),
  () => new Uint8Array(),
  new Uint32Array(),
  [],
);

const COLUMNS = [
  ...NUMBERS.map(
    (name) => `ifNull(${doubleOf(FIELD_COLUMNS.get(name) as FieldColumn, name)}, nan) AS _${name}`,
  ),
  'ifNull(toFloat64OrNull(pk_time), nan) AS _pk_time',
  ...Object.entries(FLAGS).map(([name, sql]) => `toUInt8(${sql}) AS _${name}`),
  "CAST(ifNull(wx, ''), 'String') AS _wx",
].join(',\n    ');

/**
 * The reports of stations in a range of times, station by station; a station without any is left out. All are in memory at
 * once: 2 MB for a station-year.
 */
export async function* readReports(
  archive: Archive,
  { stations, from, to }: TimeWindow & { readonly stations: readonly string[] },
  signal?: AbortSignal,
): AsyncGenerator<readonly [station: string, reports: Reports]> {
  const sorted = stations.toSorted();
  const params = { stations: sorted, from: Math.max(0, from), to };
  const bytes = await archive.select(
    {
      query: fillSql(REPORTS, { columns: COLUMNS }),
      params,
      ofStations: true,
      settings: ONE_THREAD_READ,
    },
    signal,
  );
  let station: number | undefined;
  let parts: Reports[] = [];
  let named: Awaited<ReturnType<typeof readUnreadable>> | undefined;
  for (const block of blocksOf(bytes)) {
    const { values: numbers } = block.numbers.get('_station') ?? { values: new Uint16Array() };
    const reports = reportsOf(block);
    if (reports.isReadable.includes(0)) {
      named ??= await readUnreadable(archive, params, signal);
      putNamed(reports, (row) => named?.(numbers[row] as number, reports.time[row] as number));
    }
    for (let begin = 0, end = 0; begin < block.rows; begin = end) {
      const number = numbers[begin] as number;
      while (end < block.rows && numbers[end] === number) end += 1;
      if (number !== station && station !== undefined) {
        yield [sorted[station] as string, joinReports(parts)];
        parts = [];
      }
      station = number;
      parts.push(sliceReports(reports, begin, end));
    }
  }
  if (station !== undefined) yield [sorted[station] as string, joinReports(parts)];
}

function reportsOf({ numbers, texts }: Block): Reports {
  const column = (name: string) => numbers.get(`_${name}`)?.values;
  return columnsOf(
    (name) => column(name) as Float64Array,
    (name) => column(name) as Uint8Array,
    column('time') as Uint32Array,
    texts.get('_wx') as readonly string[],
  );
}

function putNamed(
  { isReadable, hasUnreadAmount, wx }: Reports,
  namedOf: (row: number) => Named | undefined,
): void {
  for (let row = isReadable.indexOf(0); row !== -1; row = isReadable.indexOf(0, row + 1)) {
    const named = namedOf(row);
    (wx as string[])[row] = named?.wx ?? '';
    hasUnreadAmount[row] = Number(named?.hasAmount ?? false);
  }
}

function columnsOf(
  number: (name: keyof Numbers) => Float64Array,
  flag: (name: keyof Flags) => Uint8Array,
  time: Uint32Array,
  wx: readonly string[],
): Reports {
  return {
    ...(Object.fromEntries(NUMBER_NAMES.map((name) => [name, number(name)])) as Numbers),
    ...(Object.fromEntries(FLAG_NAMES.map((name) => [name, flag(name)])) as Flags),
    time,
    wx,
  };
}

/** The rows `[begin, end)`, as views of the same columns. */
function sliceReports(reports: Reports, begin: number, end: number): Reports {
  return columnsOf(
    (name) => reports[name].subarray(begin, end),
    (name) => reports[name].subarray(begin, end),
    reports.time.subarray(begin, end),
    reports.wx.slice(begin, end),
  );
}

export function reportsWithin(reports: Reports, { from, to }: TimeWindow): Reports {
  return sliceReports(reports, countBefore(reports.time, from), countBefore(reports.time, to));
}

function joinReports(parts: readonly Reports[]): Reports {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const rows = parts.reduce((sum, { time }) => sum + time.length, 0);
  const join = <Values extends Float64Array | Uint32Array | Uint8Array>(
    joined: Values,
    of: (part: Reports) => Values,
  ) => {
    let at = 0;
    for (const part of parts) {
      joined.set(of(part), at);
      at += part.time.length;
    }
    return joined;
  };
  return columnsOf(
    (name) => join(new Float64Array(rows), (part) => part[name]),
    (name) => join(new Uint8Array(rows), (part) => part[name]),
    join(new Uint32Array(rows), ({ time }) => time),
    parts.flatMap(({ wx }) => wx),
  );
}

/** How many of the times, which ascend, are before a time. */
export function countBefore(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
