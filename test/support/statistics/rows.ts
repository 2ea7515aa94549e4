import type { Report } from '../../../clickhouse/model/report.ts';
import type { Group, Question, Statistic } from '../../../clickhouse/statistics/question.ts';
import { judge } from '../conditions/judge.ts';
import { type AmountWindow, amountsOf, type GaugeHour, givesAmount, hasWorkingGauge } from './amounts.ts';
import { type Extreme, winds } from './extremes.ts';
import { calendarValue, groupValue, type Key, type LocalTimes } from './groups.ts';
import { type Counted, isOfAll, isOfAmounts, nominalHour } from './sample.ts';

/** The rows of an answer, with the reports, amounts and winds that belong to each. */

const HOUR = 3600;

/** A row before its values are computed. */
export type Cell = {
  readonly keys: readonly Key[];
  readonly counted: Counted[];
  readonly hours: GaugeHour[];
  /** Amounts of which all hours lie in the row, and those of which some do. */
  readonly windows: AmountWindow[];
  readonly cut: AmountWindow[];
  readonly winds: Extreme[];
};

/** The rows, with what belongs to each. */
export function placeReports(
  counted: readonly Counted[],
  question: Question,
  localAt: (time: number) => Date,
) {
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
  // Of a statistic of first METARs a special report brings no wind, and no row.
  const isOfSample = ({ isFirst }: Counted) =>
    statistics.some((statistic) => isOfWinds(statistic) && (isFirst || isOfAll(statistic, question.sample)));
  for (const wind of winds(counted.filter(isOfSample).map(({ report }) => report))) {
    const keys = places.get(wind.report);
    if (keys === undefined || !inRange(wind.time)) continue;
    // The calendar is that of the wind (D61), a class or category that of its report.
    const ofWind = calendarKeys({
      local: localAt(wind.time),
      localHour: localAt(nominalHour(wind.time) * HOUR),
    });
    cellOf(keys.map((key, n) => (groups[n]?.kind === 'calendar' ? ofWind[n] : key))).winds.push(wind);
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

/**
 * Rows of days, months and years have their months as a whole, also before and after the range. Others, which have some reports
 * of their time, as those of a wind sector, have what the rows of the same months have.
 */
export function isMeasuredIn(
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
