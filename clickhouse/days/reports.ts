import type { Archive } from '../archive.ts';
import { doubleOf, FIELD_COLUMNS, type FieldColumn } from '../model/field-columns.ts';
import type { StationRange, TimeWindow } from '../model/time-window.ts';
import { type Columns, columnsOf, rowsOf } from '../native-blocks.ts';
import { ONE_THREAD_READ, selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';

const REPORTS = readStatement('days/reports');
const UNREADABLE = readStatement('days/unreadable');
const MONTHS = readStatement('days/months_of_reports');

const TEMPERATURES = ['temp_c', 'dewp_c', 'maxt6_c', 'mint6_c', 'maxt24_c', 'mint24_c'] as const;
const WINDS = ['wdir', 'wspd_kt', 'wgst_kt', 'pk_wspd_kt'] as const;
/** Amounts of precipitation, and the depth of snow. */
const AMOUNTS = ['pcp1h_in', 'pcp3h_in', 'pcp6h_in', 'pcp24h_in', 'snow_in'] as const;
/** Fields with numbers, in the units of the record. */
const NUMBERS = [...TEMPERATURES, ...WINDS, ...AMOUNTS, 'rh_pct', 'slp_hpa', 'visib_m'] as const;

/** SQL over a report: 1 or 0. */
const FLAGS = {
  isMetar: "type = 'METAR'",
  /** It is the first METAR of its nominal hour: the hourly sample. */
  isFirst: "counts = 'hour'",
  /** A report that did not parse cleanly has no fields, and counts as if nothing was measured (D78). */
  isReadable: 'clean',
  isVariable: 'wdir_vrb IS NOT NULL',
  isTrace: 'pcp1h_trace IS NOT NULL',
  hasGauge: "ifNull(station_type = 'AO2', 0) AND pno IS NULL",
  isWeatherMissing: 'wx_missing IS NOT NULL',
  /** The remarks report a thunderstorm; and the lightning sensor does not work. */
  hasThunder: 'ts_remark IS NOT NULL',
  hasNoThunderSensor: 'tsno IS NOT NULL',
  /** An unreadable report gives an amount of precipitation. `readReports` sets it, from the text. */
  hasUnreadAmount: '0',
} as const;

type NumberColumns = Readonly<Record<(typeof NUMBERS)[number] | 'pk_time', Float64Array>>;
type Flags = Readonly<Record<keyof typeof FLAGS, Uint8Array>>;

/**
 * The reports of one station that count, by columns, in the order of their times; in one minute, the special report comes first.
 * Numbers that a report does not give are NaN.
 */
export type Reports = NumberColumns &
  Flags & {
    /** Seconds since 1970-01-01T00:00:00Z. */
    readonly time: Uint32Array;
    /** Present weather, or what the text of an unreadable report names; empty without any. */
    readonly wx: readonly string[];
  };

const COLUMNS: Readonly<Record<string, string>> = {
  time: 'toUInt32(observedAt)',
  ...Object.fromEntries(
    NUMBERS.map((name) => [name, `ifNull(${doubleOf(FIELD_COLUMNS.get(name) as FieldColumn, name)}, nan)`]),
  ),
  pk_time: 'ifNull(toFloat64OrNull(pk_time), nan)',
  ...Object.fromEntries(Object.entries(FLAGS).map(([name, sql]) => [name, `toUInt8(${sql})`])),
  wx: "CAST(ifNull(wx, ''), 'String')",
};

export const NO_REPORTS = Object.fromEntries(
  Object.keys(COLUMNS).map((name) => [name, new Float64Array()]),
) as unknown as Reports;

/**
 * The reports of stations in a range of times; a station without any is left out. All are in memory at once: 2 MB for a
 * station-year.
 */
export async function readReports(archive: Archive, asked: StationRange, signal?: AbortSignal) {
  const stations = asked.stations.toSorted();
  const params = { stations, from: Math.max(0, asked.from), to: asked.to };
  const columns = Object.entries(COLUMNS).map(([name, sql]) => `${sql} AS _${name}`);
  const query = fillSql(REPORTS, { columns: columns.join(',\n    ') });
  // Sorting takes half of the CPU time of reading in order, because the rows have many columns.
  const settings = { ...ONE_THREAD_READ, optimize_read_in_order: 0 } as const;
  const read = { query, params, ofStations: true, settings };
  const found = [...byStation<Reports>(await archive.select(read, signal))];
  if (found.some(([, { isReadable }]) => isReadable.includes(0))) {
    const unreadable = await archive.select({ query: UNREADABLE, params, ofStations: true }, signal);
    const { _station = [], _time = [], _texts = [] } = columnsOf(unreadable);
    const texts = new Map([..._texts].map((text, row) => [`${_station[row]} ${_time[row]}`, String(text)]));
    for (const [station, { time, isReadable, hasUnreadAmount, wx }] of found)
      for (let row = isReadable.indexOf(0); row !== -1; row = isReadable.indexOf(0, row + 1)) {
        const named = namedIn(texts.get(`${station} ${time[row]}`) ?? '');
        (wx as string[])[row] = named.wx;
        hasUnreadAmount[row] = Number(named.hasAmount);
      }
  }
  return new Map(found.map(([station, reports]) => [stations[station as number] as string, reports]));
}

/** Groups of weather (WMO-No. 306, code table 4678): pairs of letters. */
const WEATHER_GROUPS =
  /^(?:VC|MI|PR|BC|DR|BL|SH|TS|FZ|DZ|RA|SN|SG|IC|PL|PE|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS)+$/;

/** Removed from the text, because the code of a station can look like weather groups: SNBR. */
const HEADER = /^(?:(?:METAR|SPECI|COR) )*[A-Z][A-Z0-9]{3} \d{6}Z?/;

/** Remarks, which can also report a thunderstorm, and trend forecasts. */
const AFTER_BODY = / (?:RMK|TEMPO|BECMG|INTER|FM\d{4}|PROB\d\d)/;
const THUNDERSTORM = / TS[BE]\d\d/;
const AMOUNT = / RMK.* [P67]\d{4}(?: |$)/;

/**
 * What an unreadable report mentions, which is then unknown for its day (D78): weather groups, written as in `wx`, and whether
 * there is an amount of precipitation.
 *
 * @param text with or without its station and time
 */
export function namedIn(text: string) {
  const [body = ''] = text.replace(HEADER, '').split(AFTER_BODY);
  // A slip may have added signs or figures: `-RA/`.
  const groups = body.split(/\s+/).map((token) => token.replace(/[^A-Z]/g, ''));
  if (THUNDERSTORM.test(text)) groups.push('TS');
  return { wx: groups.filter((group) => WEATHER_GROUPS.test(group)).join(' '), hasAmount: AMOUNT.test(text) };
}

/** The local months that reports of stations (all if none is named) belong to or can affect. */
export function readMonthsOfReports(archive: Archive, params: StationRange) {
  const select = { query: MONTHS, params, ofStations: params.stations.length > 0 };
  return selectRows<{ station: string; months: readonly number[] }>(archive, select);
}

/** Splits rows, which are in the order of stations, into the columns of each station. Names in the result have no leading `_`. */
export function* byStation<C extends object>(bytes: Buffer) {
  const named = Object.entries(columnsOf(bytes)).map(([name, values]) => [name.slice(1), values]);
  const { station = [], ...columns }: Columns = Object.fromEntries(named);
  for (let begin = 0, end = 0; begin < station.length; begin = end) {
    while (station[end] === station[begin]) end += 1;
    yield [station[begin] as string | number, rowsOf(columns as unknown as C, begin, end)] as const;
  }
}

export function reportsWithin(reports: Reports, { from, to }: TimeWindow): Reports {
  return rowsOf(reports, countBefore(reports.time, from), countBefore(reports.time, to));
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
