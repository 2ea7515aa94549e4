import type { Report } from '../../../clickhouse/model/report.ts';
import { groupName, type Question, type Statistic } from '../../../clickhouse/statistics/question.ts';
import { judge } from '../conditions/judge.ts';
import { hasWorkingGauge, totalForMonth, totalOf } from './amounts.ts';
import { completeDays } from './complete-days.ts';
import { type Extreme, hoursOf, numberIn, temperatures } from './extremes.ts';
import { byKeys, isUnit, printedKey } from './groups.ts';
import { numberOf, percentile, timeOfExtreme } from './numbers.ts';
import { resultantByDefinition } from './resultant.ts';
import { type Cell, isMeasuredIn, placeReports } from './rows.ts';
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
    case 'trace':
      return traceIn(cell, known.length > 0 && totalIn(cell, false, context) !== undefined);
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

/** That there is none is known where a gauge works, and all that fell on the day. */
function traceIn({ counted }: Cell, isKnown: boolean): number | undefined {
  const amounts = counted.flatMap(({ report }) => {
    const inches = numberIn(report, 'pcp1h_in');
    return inches === undefined && !hasWorkingGauge(report) ? [] : [{ report, inches }];
  });
  if (amounts.some(({ report, inches }) => inches === 0 && report.decoded.pcp1h_trace)) return 1;
  return amounts.length === 0 || !isKnown ? undefined : 0;
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
