import type { Report } from '../../../clickhouse/model/report.ts';
import {
  type Group,
  groupName,
  type Question,
  type Statistic,
} from '../../../clickhouse/statistics/question.ts';
import { judge } from '../conditions/judge.ts';
import {
  type AmountWindow,
  amountsOf,
  type GaugeHour,
  givesAmount,
  hasWorkingGauge,
  totalForMonth,
  totalOf,
} from './amounts.ts';
import { completeDays } from './complete-days.ts';
import { type Extreme, hoursOf, numberIn, temperatures, winds } from './extremes.ts';
import {
  byKeys,
  calendarValue,
  groupValue,
  isUnit,
  type Key,
  type LocalTimes,
  printedKey,
} from './groups.ts';
import { numberOf, percentile, timeOfExtreme } from './numbers.ts';
import { resultantByDefinition } from './resultant.ts';
import {
  type Counted,
  countedReports,
  isOfAll,
  isOfAmounts,
  nominalHour,
  readsFirstAlone,
} from './sample.ts';

/** The answer to a question by the definitions of the guide, report by report, in this process. */

export type Row = Readonly<Record<string, unknown>>;

/** The offset of a station's local time in seconds, at a time in seconds since 1970. */
export type OffsetOf = (station: string, time: number) => number;

/** A row before its values are computed. */
type Cell = {
  readonly keys: readonly Key[];
  readonly counted: Counted[];
  readonly hours: GaugeHour[];
  /** Amounts of which all hours lie in the row, and those of which some do. */
  readonly windows: AmountWindow[];
  readonly cut: AmountWindow[];
  readonly winds: Extreme[];
};

/** What the values of all rows of a station are computed with. */
type StationContext = {
  readonly question: Question;
  readonly counted: ReadonlyMap<Report, Counted>;
  readonly temperatures: Readonly<Record<'max' | 'min', readonly Extreme[]>>;
  readonly dateOf: (time: number) => string;
  /** Whether enough is known of the day of a time (D59). */
  readonly isKnown: (time: number) => boolean;
  /** Whether the months of a row have an amount or a gauge that works (D58). */
  readonly isMeasured: (cell: Cell) => boolean;
};

const HOUR = 3600;

export function answerByDefinition(
  reports: readonly Report[],
  question: Question,
  offsetOf: OffsetOf,
): readonly Row[] {
  return question.stations.toSorted().flatMap((station) => {
    const ofStation = reports.filter((report) => report.station === station);
    return answerOfStation(station, ofStation, question, (time) => offsetOf(station, time));
  });
}

function answerOfStation(
  station: string,
  reports: readonly Report[],
  question: Question,
  offsetAt: (time: number) => number,
): readonly Row[] {
  const { groups, statistics, sample } = question;
  const localAt = (time: number) => new Date((time + offsetAt(time)) * 1000);
  const dateOf = (time: number) => localAt(time).toISOString().slice(0, 10);
  const all = countedReports(reports);
  const counted = readsFirstAlone(statistics, sample)
    ? all.filter(({ isFirst }) => isFirst)
    : all.filter(({ report }) => question.types.includes(report.type));
  const { cells, expectedOf } = placeReports(counted, question, localAt);

  const known = counted.map(({ report }) => report);
  const hours = all.flatMap(({ report, isFirst }) => (isFirst ? [report.observedAt] : []));
  const isComplete = completeDays(hours, dateOf);
  const isOf = (kind: Statistic['kind']) => statistics.some((statistic) => statistic.kind === kind);
  const context = {
    question,
    counted: new Map(counted.map((each) => [each.report, each])),
    temperatures: {
      max: isOf('highest') ? temperatures(known, 'max') : [],
      min: isOf('lowest') ? temperatures(known, 'min') : [],
    },
    dateOf,
    isKnown: (time: number) => question.days !== 'complete' || isComplete(dateOf(time)),
    isMeasured: isMeasuredIn(known, cells, question, dateOf),
  };
  return cells.toSorted(byKeys(groups)).map((cell) => ({
    station,
    ...present(groups.map((group, n) => [groupName(group), printedKey(group, cell.keys[n])])),
    n: cell.counted.filter(({ isFirst }) => sample === 'all' || isFirst).length,
    expected: expectedOf(cell),
    ...present(statistics.map((statistic) => [statistic.name, valueIn(cell, statistic, context)])),
  }));
}

/** The rows, with what belongs to each. */
function placeReports(counted: readonly Counted[], question: Question, localAt: (time: number) => Date) {
  const { groups, condition, statistics, from, to } = question;
  const inRange = (time: number) => time >= from && time < to;
  const isCalendarAlone = groups.every(({ kind }) => kind === 'calendar');
  const isOfDays = isOfWholeDays(groups);
  const cells = new Map<string, Cell>();
  const cellOf = (keys: readonly Key[]): Cell => {
    const name = JSON.stringify(keys.map((key) => key ?? null));
    const cell = cells.get(name) ?? { keys, counted: [], hours: [], windows: [], cut: [], winds: [] };
    cells.set(name, cell);
    return cell;
  };
  const calendarKeys = (times: LocalTimes) =>
    groups.map((group) => (group.kind === 'calendar' ? calendarValue(group.unit, times, groups) : undefined));
  const keysAt = (time: number) => calendarKeys({ local: localAt(time), localHour: localAt(time) });

  const expected = new Map<string, number>();
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) {
    const keys = calendarKeys({ local: localAt(Math.max(hour, from)), localHour: localAt(hour) });
    if (isCalendarAlone) cellOf(keys);
    const name = JSON.stringify(keys);
    expected.set(name, (expected.get(name) ?? 0) + (hour >= from ? 1 : 0));
  }
  const expectedOf = ({ keys }: Cell) =>
    expected.get(JSON.stringify(keys.map((key, n) => (groups[n]?.kind === 'calendar' ? key : undefined)))) ??
    0;
  if (groups.length === 0) cellOf([]);

  const places = new Map<Report, readonly Key[]>();
  for (const each of counted) {
    const { report } = each;
    if (condition !== undefined && judge(condition, report) !== true) continue;
    const times = {
      local: localAt(report.observedAt),
      localHour: localAt(nominalHour(report.observedAt) * HOUR),
    };
    const keys = groups.map((group) => groupValue(group, report, times, groups));
    places.set(report, keys);
    if (inRange(report.observedAt)) cellOf(keys).counted.push(each);
  }

  const reports = counted.map(({ report }) => report);
  const amounts = amountsOf(statistics.some(isOfAmounts) ? reports : []);
  for (const hour of amounts.hours) {
    const keys = places.get(hour.report);
    if (keys !== undefined && inRange(hour.time)) cellOf(keys).hours.push(hour);
  }
  if (isOfDays && condition === undefined)
    for (const window of [...amounts.sixHours, ...amounts.days]) {
      const times = boundsOfHours(window);
      const touched = new Set(times.filter(inRange).map((time) => cellOf(keysAt(time))));
      const isWhole = touched.size === 1 && times.every(inRange);
      for (const cell of touched) cell[isWhole ? 'windows' : 'cut'].push(window);
    }
  for (const wind of winds(statistics.some(isOfWinds) ? reports : [])) {
    const keys = places.get(wind.report);
    if (keys === undefined || !inRange(wind.time)) continue;
    // Only rows of whole days are those of the minute of the wind (D61).
    cellOf(isOfDays ? keysAt(wind.time) : keys).winds.push(wind);
  }
  return { cells: [...cells.values()], expectedOf };
}

/** Whether rows are days, months, years or the whole range. */
const isOfWholeDays = (groups: readonly Group[]) =>
  groups.every((group) => group.kind === 'calendar' && group.unit !== 'hour');

const isOfWinds = ({ kind, ...statistic }: Statistic) =>
  (kind === 'highest' || kind === 'time_of_highest') && 'field' in statistic && statistic.field === 'wgst_kt';

/** The first and the last second of each hour: where days begin at half hours, an hour can lie in two. */
function boundsOfHours({ begin, end }: AmountWindow): readonly number[] {
  return Array.from({ length: (end - begin) / HOUR }, (_, n) => begin + n * HOUR).flatMap((hour) => [
    hour,
    hour + HOUR - 1,
  ]);
}

function valueIn(cell: Cell, statistic: Statistic, context: StationContext): string | number | undefined {
  const { sample } = context.question;
  const sampled = cell.counted.filter((each) => each.isFirst || isOfAll(statistic, sample));
  const known = sampled.filter(({ report }) => context.isKnown(report.observedAt));
  const numbersOf = (field: string) => known.flatMap(({ report }) => numberIn(report, field) ?? []);
  switch (statistic.kind) {
    case 'reports':
      return sampled.length;
    case 'number': {
      const { of, field } = statistic;
      if (isOfAmounts(statistic)) return sumOfHours(cell);
      if (of === 'min' || of === 'max') return printedExtreme(numberOf(of, numbersOf(field)));
      return numberOf(of, numbersOf(field).map(summand));
    }
    case 'percentile':
      return percentile(numbersOf(statistic.field).map(summand), statistic.percent / 100);
    case 'time': {
      const values = known.flatMap(({ report }) => {
        const value = numberIn(report, statistic.field);
        return value === undefined ? [] : [{ value, time: report.observedAt }];
      });
      return timeOfExtreme(values, statistic.of);
    }
    case 'resultant':
      return resultantByDefinition(
        statistic.of,
        known.map(({ report }) => report),
      );
    case 'condition':
      return conditionValue(statistic, statistic.of === 'share' ? known : sampled, context);
    case 'highest':
    case 'lowest': {
      const of = statistic.kind === 'highest' ? 'max' : 'min';
      const values = extremesOf(cell, statistic, context).map(({ value }) => value);
      return printedExtreme(numberOf(of, values));
    }
    case 'time_of_highest':
      return timeOfExtreme(extremesOf(cell, statistic, context), 'max');
    case 'total':
      return totalIn(cell, statistic.isOfMonth ?? false, context);
  }
}

/** -0, which `valueOfField` holds below 0, counts as 0 in sums (D62). */
const summand = (value: number) => (value === -0.05 ? 0 : value);
const printedExtreme = (value: number | undefined) => (value === -0.05 ? -0 : value);

function sumOfHours({ hours }: Cell): number | undefined {
  return hours.length === 0 ? undefined : hours.reduce((sum, hour) => sum + hour.hundredths, 0) / 100;
}

/**
 * Rows of days, months and years have their months as a whole, also before and after the range. Others, which have some reports
 * of their time, as those of a wind sector, have what the rows of the same months have.
 */
function isMeasuredIn(
  reports: readonly Report[],
  cells: readonly Cell[],
  { groups }: Question,
  dateOf: (time: number) => string,
): (cell: Cell) => boolean {
  const isMeasure = (report: Report) => givesAmount(report) || hasWorkingGauge(report);
  const monthOf = ({ observedAt }: Report) => dateOf(observedAt).slice(0, 7);
  if (isOfWholeDays(groups)) {
    const months = new Set(reports.filter(isMeasure).map(monthOf));
    return ({ counted }) => counted.some(({ report }) => months.has(monthOf(report)));
  }
  const monthsOf = ({ keys }: Cell) =>
    JSON.stringify(
      keys.flatMap((key, n) => {
        const group = groups[n];
        if (group?.kind !== 'calendar' || group.unit === 'hour') return [];
        return group.unit === 'date' ? String(key).slice(0, 7) : key;
      }),
    );
  const measured = cells.filter(({ counted }) => counted.some(({ report }) => isMeasure(report)));
  const parts = new Set(measured.map(monthsOf));
  return (cell) => parts.has(monthsOf(cell));
}

/** Nothing is known to have fallen on a day of which too little is known (D59). */
function totalIn(cell: Cell, isOfMonth: boolean, context: StationContext): number | undefined {
  const { question, dateOf, isKnown, isMeasured } = context;
  const isOfOneDay = question.groups.some((group) => isUnit(group, 'date'));
  const times = cell.counted.map(({ report }) => report.observedAt);
  const monthOf = (time: number) => dateOf(time).slice(0, 7);
  const group = {
    ...cell,
    reports: cell.counted.map(({ report }) => report),
    cut: isOfOneDay ? cell.cut : [],
    isMeasured: isMeasured(cell),
  };
  const ofMonth = cell.cut.filter(
    ({ begin, end }) =>
      begin >= question.from &&
      end <= question.to &&
      monthOf(begin) === monthOf(end - 1) &&
      cell.keys.includes(dateOf(end - 1)),
  );
  const total = isOfMonth ? totalForMonth(group, ofMonth) : totalOf(group);
  return total === 0 && !times.some(isKnown) ? undefined : total;
}

/** Those of known days. The hours of an extreme of six or 24 hours have to lie in the day of its report. */
function extremesOf(
  { counted, winds }: Cell,
  statistic: Extract<Statistic, { kind: 'highest' | 'lowest' | 'time_of_highest' }>,
  context: StationContext,
): readonly Extreme[] {
  const { question, dateOf, isKnown } = context;
  const isOfSample = (each: Counted | undefined) =>
    each !== undefined && (each.isFirst || isOfAll(statistic, question.sample));
  const reports = new Set(counted.filter(isOfSample).map(({ report }) => report));
  const extremes =
    statistic.field === 'wgst_kt'
      ? winds.filter(({ report }) => isOfSample(context.counted.get(report)))
      : context.temperatures[statistic.kind === 'lowest' ? 'min' : 'max'].filter(({ report }) =>
          reports.has(report),
        );
  return extremes.filter((extreme) => {
    const { time, hours } = extreme;
    return isKnown(time) && (hours === 0 || dateOf(hoursOf(extreme).begin) === dateOf(time));
  });
}

/** On a day of which too little is known, weather that was not seen is unknown, and a share is, as a mean (D59). */
function conditionValue(
  { of, condition }: Extract<Statistic, { kind: 'condition' }>,
  sampled: readonly Counted[],
  { dateOf, isKnown }: StationContext,
): number | undefined {
  const judged = sampled.flatMap(({ report }) => {
    const truth = judge(condition, report);
    return truth === null || (!truth && !isKnown(report.observedAt))
      ? []
      : [{ time: report.observedAt, truth }];
  });
  if (judged.length === 0) return undefined;
  const times = judged.flatMap(({ time, truth }) => (truth ? [time] : []));
  if (of === 'days') return new Set(times.map(dateOf)).size;
  if (of === 'hours') return new Set(times.map(nominalHour)).size;
  return of === 'count' ? times.length : times.length / judged.length;
}

function present(members: readonly (readonly [string, unknown])[]): Row {
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
