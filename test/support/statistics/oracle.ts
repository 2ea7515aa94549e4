import type { Report } from '../../../clickhouse/model/report.ts';
import {
  type Group,
  groupName,
  type Question,
  type Statistic,
} from '../../../clickhouse/statistics/question.ts';
import { rankOf } from '../../../loader/sources/registry.ts';
import { judge, valueOfField } from '../conditions/judge.ts';
import { resultantByDefinition } from './resultant.ts';

/** The answer to a question by the definitions of the guide, report by report, in this process. */

export type Row = Readonly<Record<string, unknown>>;

/** The offset of a station's local time in seconds, at a time in seconds since 1970. */
export type OffsetOf = (station: string, time: number) => number;

type Value = string | number | undefined;
/** A report that counts, and where it belongs. */
type Counted = {
  readonly report: Report;
  readonly isFirst: boolean;
  readonly local: Date;
  readonly localHour: Date;
};
type Cell = { readonly keys: readonly Value[]; readonly counted: Counted[]; expected: number };

const HOUR = 3600;
const SEASONS = ['DJF', 'MAM', 'JJA', 'SON'];
const CATEGORIES = ['VFR', 'MVFR', 'IFR', 'LIFR'];
const AMOUNTS = ['pcp1h_in', 'snow_inc_in', 'ice1h_in'];

export function answerByDefinition(
  reports: readonly Report[],
  question: Question,
  offsetOf: OffsetOf,
): readonly Row[] {
  return question.stations
    .toSorted()
    .flatMap((station) => answerOfStation(station, reports, question, (time) => offsetOf(station, time)));
}

function answerOfStation(
  station: string,
  reports: readonly Report[],
  question: Question,
  offsetAt: (time: number) => number,
): readonly Row[] {
  const { groups, condition, statistics, sample, from, to } = question;
  const inTime = (time: number) => time >= from && time < to;
  const localAt = (time: number) => new Date((time + offsetAt(time)) * 1000);
  const isCalendarAlone = groups.every(({ kind }) => kind === 'calendar');
  const cells = new Map<string, Cell>();
  const cellOf = (keys: readonly Value[]): Cell => {
    const name = JSON.stringify(keys.map((key) => key ?? null));
    const cell = cells.get(name) ?? { keys, counted: [], expected: 0 };
    cells.set(name, cell);
    return cell;
  };

  const calendarOf = (keys: readonly Value[]) =>
    JSON.stringify(keys.filter((_, n) => groups[n]?.kind === 'calendar'));
  const expected = new Map<string, number>();
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) {
    const dates = { local: localAt(Math.max(hour, from)), localHour: localAt(hour) };
    const keys = groups.map((group) =>
      group.kind === 'calendar' ? calendarValue(group.unit, dates, groups) : undefined,
    );
    if (isCalendarAlone) cellOf(keys);
    expected.set(calendarOf(keys), (expected.get(calendarOf(keys)) ?? 0) + (hour >= from ? 1 : 0));
  }
  if (groups.length === 0) cellOf([]);

  for (const counted of countedReports(station, reports, localAt)) {
    const { report } = counted;
    if (!inTime(report.observedAt)) continue;
    if (condition !== undefined && judge(condition, report) !== true) continue;
    const isHourlyAlone = readsFirstAlone(statistics, sample);
    if (isHourlyAlone ? !counted.isFirst : !question.types.includes(report.type)) continue;
    cellOf(groups.map((group) => groupValue(group, counted, groups))).counted.push(counted);
  }

  const rows = [...cells.values()].toSorted(byKeys(groups)).map(({ keys, counted }) => ({
    station,
    ...present(groups.map((group, n) => [groupName(group), printedKey(group, keys[n])])),
    n: counted.filter(({ isFirst }) => sample === 'all' || isFirst).length,
    expected: expected.get(calendarOf(keys)) ?? 0,
    ...present(statistics.map((statistic) => [statistic.name, computeValue(statistic, sample, counted)])),
  }));
  const totals = statistics.filter(({ kind, name }) => kind === 'total' && rows.some((row) => name in row));
  return rows.map((row) => ({
    ...(row.n > 0 && Object.fromEntries(totals.map(({ name }) => [name, 0]))),
    ...row,
  }));
}

/** Without NIL reports and all but the best of each minute and type. */
function countedReports(
  station: string,
  all: readonly Report[],
  localAt: (time: number) => Date,
): readonly Counted[] {
  const best = new Map<string, Report>();
  for (const report of all) {
    if (report.station !== station || report.decoded.nil) continue;
    const minute = `${report.observedAt} ${report.type}`;
    const other = best.get(minute);
    if (other === undefined || isBetter(report, other)) best.set(minute, report);
  }
  const hours = new Set<number>();
  return [...best.values()]
    .toSorted((one, other) => one.observedAt - other.observedAt)
    .map((report) => {
      const hour = Math.floor((report.observedAt + 600) / HOUR);
      const isFirst = report.type === 'METAR' && !hours.has(hour);
      if (report.type === 'METAR') hours.add(hour);
      return { report, isFirst, local: localAt(report.observedAt), localHour: localAt(hour * HOUR) };
    });
}

function isBetter(one: Report, other: Report): boolean {
  const order = ({ decoded, source, raw, clean }: Report) =>
    [clean && decoded.cor ? 1 : 0, rankOf(source), raw.length] as const;
  const [a, b] = [order(one), order(other)];
  const at = a.findIndex((value, n) => value !== b[n]);
  return at >= 0 && (a[at] as number) > (b[at] as number);
}

function readsFirstAlone(statistics: readonly Statistic[], sample: Question['sample']): boolean {
  return sample === 'hourly' || (sample === 'auto' && !statistics.some((each) => isOfAll(each, sample)));
}

function isOfAll(statistic: Statistic, sample: Question['sample']): boolean {
  if (statistic.kind === 'total') return false;
  if (statistic.kind === 'number' && statistic.of === 'sum' && AMOUNTS.includes(statistic.field))
    return false;
  if (sample !== 'auto') return sample === 'all';
  if (statistic.kind === 'number') return ['min', 'max'].includes(statistic.of);
  if (statistic.kind === 'condition') return ['days', 'hours'].includes(statistic.of);
  return ['time', 'highest', 'lowest', 'time_of_highest'].includes(statistic.kind);
}

type LocalTimes = { readonly local: Date; readonly localHour: Date };

function calendarValue(unit: string, { local, localHour }: LocalTimes, groups: readonly Group[]): Value {
  const month = local.getUTCMonth();
  const hasSeason = groups.some((group) => group.kind === 'calendar' && group.unit === 'season');
  switch (unit) {
    case 'year':
      return local.getUTCFullYear() + (hasSeason && month === 11 ? 1 : 0);
    case 'season':
      return Math.floor(((month + 1) % 12) / 3);
    case 'month':
      return month + 1;
    case 'date':
      return local.toISOString().slice(0, 10);
    default:
      return localHour.getUTCHours();
  }
}

function groupValue(group: Group, counted: Counted, groups: readonly Group[]): Value {
  const { report } = counted;
  switch (group.kind) {
    case 'calendar':
      return calendarValue(group.unit, counted, groups);
    case 'choice':
      return valueOfField(group.field, report) as Value;
    case 'class': {
      const value = valueOfField(group.field, report);
      return value === undefined ? undefined : group.bounds.filter((bound) => Number(value) >= bound).length;
    }
    case 'sector': {
      const [speed, direction] = [valueOfField('wspd_kt', report), valueOfField('wdir', report)];
      if (typeof speed === 'number' && speed <= (group.calm ?? 0)) return 'calm';
      if (valueOfField('wdir_vrb', report) === true) return 'variable';
      if (direction === undefined) return undefined;
      const width = 360 / group.sectors;
      return Math.floor(((Number(direction) + width / 2) % 360) / width);
    }
  }
}

function printedKey(group: Group, key: Value): Value {
  if (group.kind === 'calendar' && group.unit === 'season') return SEASONS[key as number];
  return group.kind === 'sector' && key !== undefined ? String(key) : key;
}

function byKeys(groups: readonly Group[]) {
  const rank = (group: Group, key: Value): number | string => {
    if (key === undefined) return Number.POSITIVE_INFINITY;
    if (key === 'calm' || key === 'variable') return key === 'calm' ? 1000 : 1001;
    return group.kind === 'choice' ? CATEGORIES.indexOf(String(key)) : key;
  };
  return (one: Cell, other: Cell): number => {
    for (const [n, group] of groups.entries()) {
      const [a, b] = [rank(group, one.keys[n]), rank(group, other.keys[n])];
      if (a !== b) return a < b ? -1 : 1;
    }
    return 0;
  };
}

function computeValue(statistic: Statistic, sample: Question['sample'], all: readonly Counted[]): Value {
  const counted = isOfAll(statistic, sample) ? all : all.filter(({ isFirst }) => isFirst);
  switch (statistic.kind) {
    case 'reports':
      return counted.length;
    case 'number': {
      const { of, field } = statistic;
      const numbers = numbersOf(counted, field);
      return of === 'min' || of === 'max'
        ? printedExtreme(numberOf(of, numbers))
        : numberOf(of, numbers.map(summand));
    }
    case 'percentile':
      return percentile(numbersOf(counted, statistic.field).map(summand), statistic.percent / 100);
    case 'time': {
      const values = counted.flatMap(({ report }) => {
        const value = numberIn(report, statistic.field);
        return value === undefined ? [] : [{ value, time: report.observedAt }];
      });
      return timeOfExtreme(values, statistic.of);
    }
    case 'condition': {
      const { of, condition } = statistic;
      const judged = counted.flatMap((each) => {
        const truth = judge(condition, each.report);
        return truth === null ? [] : [{ ...each, truth }];
      });
      if (judged.length === 0) return undefined;
      const meeting = judged.filter(({ truth }) => truth);
      const distinct = (key: (each: Counted) => unknown) => new Set(meeting.map(key)).size;
      if (of === 'days') return distinct(dayOf);
      if (of === 'hours') return distinct(({ report }) => Math.floor((report.observedAt + 600) / HOUR));
      return of === 'count' ? meeting.length : meeting.length / judged.length;
    }
    case 'resultant':
      return resultantByDefinition(
        statistic.of,
        counted.map(({ report }) => report),
      );
    case 'highest':
    case 'time_of_highest': {
      const values = counted.flatMap((each) =>
        statistic.field === 'wgst_kt' ? winds(each) : warmths(each, 'max'),
      );
      return statistic.kind === 'highest'
        ? printedExtreme(
            numberOf(
              'max',
              values.map(({ value }) => value),
            ),
          )
        : timeOfExtreme(values, 'max');
    }
    case 'lowest':
      return printedExtreme(
        numberOf(
          'min',
          counted.flatMap((each) => warmths(each, 'min')).map(({ value }) => value),
        ),
      );
    case 'total': {
      const inDay = (field: string, hours: number) =>
        counted.flatMap((each) => (hoursLieInDay(each, hours) ? (numberIn(each.report, field) ?? []) : []));
      return (
        numberOf('sum', numbersOf(counted, 'pcp1h_in')) ??
        numberOf('sum', inDay('pcp6h_in', 6)) ??
        numberOf('max', inDay('pcp24h_in', 24))
      );
    }
  }
}

/** -0, which `valueOfField` holds below 0, counts as 0 in sums (D62). */
const summand = (value: number) => (value === -0.05 ? 0 : value);
const printedExtreme = (value: number | undefined) => (value === -0.05 ? -0 : value);

const dayOf = ({ local }: Counted) => local.toISOString().slice(0, 10);

/** Whether the hours up to the nominal hour begin on the day of the report. */
function hoursLieInDay(counted: Counted, hours: number): boolean {
  const begin = new Date(counted.localHour.getTime() - hours * HOUR * 1000);
  return begin.toISOString().slice(0, 10) === dayOf(counted);
}

type Timed = { readonly value: number; readonly time: number };

function warmths(counted: Counted, of: 'max' | 'min'): readonly Timed[] {
  const { report } = counted;
  const fields = [
    ['temp_c', 0],
    [`${of}t6_c`, 6],
    [`${of}t24_c`, 24],
  ] as const;
  return fields.flatMap(([field, hours]) => {
    const value = numberIn(report, field);
    if (value === undefined || (hours > 0 && !hoursLieInDay(counted, hours))) return [];
    return [{ value, time: report.observedAt }];
  });
}

function winds(counted: Counted): readonly Timed[] {
  const { report, local } = counted;
  const [gust, peak] = [numberIn(report, 'wgst_kt'), numberIn(report, 'pk_wspd_kt')];
  const at = valueOfField('pk_time', report);
  const values: Timed[] = gust === undefined ? [] : [{ value: gust, time: report.observedAt }];
  if (peak === undefined || at === undefined) return values;
  const midnight = Math.floor(report.observedAt / 86_400) * 86_400;
  const clock = midnight + Number(String(at).slice(0, 2)) * HOUR + Number(String(at).slice(2)) * 60;
  const time = clock > report.observedAt ? clock - 86_400 : clock;
  const localPeak = new Date(local.getTime() - (report.observedAt - time) * 1000);
  if (localPeak.toISOString().slice(0, 10) === dayOf(counted)) values.push({ value: peak, time });
  return values;
}

function numberIn(report: Report, field: string): number | undefined {
  const value = valueOfField(field, report);
  return value === undefined || value === Number.POSITIVE_INFINITY ? undefined : Number(value);
}

function numbersOf(counted: readonly Counted[], field: string): readonly number[] {
  return counted.flatMap(({ report }) => numberIn(report, field) ?? []);
}

function numberOf(of: string, values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  const sum = values.reduce((total, value) => total + value, 0);
  switch (of) {
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'sum':
      return sum;
    case 'mean':
      return sum / values.length;
    default: {
      if (values.length < 2) return undefined;
      const mean = sum / values.length;
      return Math.sqrt(values.reduce((total, value) => total + (value - mean) ** 2, 0) / (values.length - 1));
    }
  }
}

/** Type 7: linear between ranks. */
function percentile(values: readonly number[], share: number): number | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const [low, high] = [sorted[Math.floor(rank)] as number, sorted[Math.ceil(rank)] as number];
  return low + (high - low) * (rank - Math.floor(rank));
}

function timeOfExtreme(values: readonly Timed[], of: 'max' | 'min'): string | undefined {
  const extreme = numberOf(
    of,
    values.map(({ value }) => value),
  );
  const times = values.flatMap(({ value, time }) => (value === extreme ? [time] : []));
  if (times.length === 0) return undefined;
  return new Date(Math.min(...times) * 1000).toISOString().replace('.000Z', 'Z');
}

function present(members: readonly (readonly [string, Value])[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
