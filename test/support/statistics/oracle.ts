import type { Report } from '../../../clickhouse/model/report.ts';
import type { Question, Statistic } from '../../../clickhouse/statistics/question.ts';
import { judge } from '../conditions/judge.ts';
import { byKeys, calendarValue, groupValue, type Key, type LocalTimes, printedKeys } from './groups.ts';
import { numberIn, numberOf, percentile, resultantByDefinition, timeOfExtreme } from './numbers.ts';
import { type Counted, countedReports, isOfAll, nominalHour, readsFirstAlone } from './sample.ts';

/** The answer to a question by the definitions of the guide, report by report, in this process. */

export type Row = Readonly<Record<string, unknown>>;

/** A row before its values are computed. */
type Cell = {
  readonly keys: readonly Key[];
  readonly counted: Counted[];
};

const HOUR = 3600;

/** The offset of a station's local time in seconds, at a time in seconds since 1970. */
export type OffsetOf = (station: string, time: number) => number;

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
  return cells.toSorted(byKeys(groups)).map((cell) => ({
    station,
    ...present(groups.flatMap((group, n) => printedKeys(group, cell.keys[n]))),
    n: cell.counted.filter(({ isFirst }) => sample === 'all' || isFirst).length,
    expected: expectedOf(cell),
    ...present(statistics.map((statistic) => [statistic.name, valueIn(cell, statistic, question, dateOf)])),
  }));
}

function valueIn(
  cell: Cell,
  statistic: Statistic,
  { sample }: Question,
  dateOf: (time: number) => string,
): string | number | undefined {
  const sampled = cell.counted.filter((each) => each.isFirst || isOfAll(statistic, sample));
  const numbersOf = (field: string) => sampled.flatMap(({ report }) => numberIn(report, field) ?? []);
  switch (statistic.kind) {
    case 'reports':
      return sampled.length;
    case 'number': {
      const { of, field } = statistic;
      if (of === 'min' || of === 'max') return printedExtreme(numberOf(of, numbersOf(field)));
      return numberOf(of, numbersOf(field).map(summand));
    }
    case 'percentile':
      return percentile(numbersOf(statistic.field).map(summand), statistic.percent / 100);
    case 'time': {
      const values = sampled.flatMap(({ report }) => {
        const value = numberIn(report, statistic.field);
        return value === undefined ? [] : [{ value, time: report.observedAt }];
      });
      return timeOfExtreme(values, statistic.of);
    }
    case 'resultant':
      return resultantByDefinition(
        statistic.of,
        sampled.map(({ report }) => report),
      );
    case 'condition':
      return conditionValue(statistic, sampled, dateOf);
  }
}

/** -0, which `valueOfField` holds below 0, counts as 0 in sums (D62). */
const summand = (value: number) => (value === -0.05 ? 0 : value);
const printedExtreme = (value: number | undefined) => (value === -0.05 ? -0 : value);

function conditionValue(
  { of, condition }: Extract<Statistic, { kind: 'condition' }>,
  sampled: readonly Counted[],
  dateOf: (time: number) => string,
): number | undefined {
  const judged = sampled.flatMap(({ report }) => {
    const truth = judge(condition, report);
    return truth === null ? [] : [{ time: report.observedAt, truth }];
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

/** The rows, with what belongs to each. */
function placeReports(counted: readonly Counted[], question: Question, localAt: (time: number) => Date) {
  const { groups, condition, from, to } = question;
  const inRange = (time: number) => time >= from && time < to;
  const isCalendarAlone = groups.every(({ kind }) => kind === 'calendar');
  const cells = new Map<string, Cell>();
  const cellOf = (keys: readonly Key[]): Cell => {
    const name = JSON.stringify(keys.map((key) => key ?? null));
    const cell = cells.get(name) ?? { keys, counted: [] };
    cells.set(name, cell);
    return cell;
  };
  const calendarKeys = (times: LocalTimes) =>
    groups.map((group) => (group.kind === 'calendar' ? calendarValue(group.unit, times, groups) : undefined));

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

  for (const each of counted) {
    const { report } = each;
    if (condition !== undefined && judge(condition, report) !== true) continue;
    const times = {
      local: localAt(report.observedAt),
      localHour: localAt(nominalHour(report.observedAt) * HOUR),
    };
    if (!inRange(report.observedAt)) continue;
    cellOf(groups.map((group) => groupValue(group, report, times, groups))).counted.push(each);
  }

  return { cells: [...cells.values()], expectedOf };
}
