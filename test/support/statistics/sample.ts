import type { Report } from '../../../clickhouse/model/report.ts';
import type { Question, Statistic } from '../../../clickhouse/statistics/question.ts';
import { rankOfText } from '../../../loader/sources/registry.ts';

/** Which reports count, and for what (D45, D52). */

/** A report that counts, and whether it is the first METAR of its nominal hour. */
export type Counted = { readonly report: Report; readonly isFirst: boolean };

export const nominalHour = (time: number) => Math.floor((time + 600) / 3600);

/** Amounts of an hour that a special report repeats. */
const AMOUNTS = ['pcp1h_in', 'snow_inc_in', 'ice1h_in'];

/**
 * Reports of one station in the order of their times, within a minute the SPECI first, without NIL reports, and only the best
 * one of each minute and type.
 */
export function countedReports(all: readonly Report[]): readonly Counted[] {
  const best = new Map<string, Report>();
  for (const report of all) {
    if (report.decoded.nil) continue;
    const minute = `${report.observedAt} ${report.type}`;
    const other = best.get(minute);
    if (other === undefined || isBetter(report, other)) best.set(minute, report);
  }
  const hours = new Set<number>();
  return [...best.values()]
    .toSorted((one, other) => one.observedAt - other.observedAt || (one.type < other.type ? 1 : -1))
    .map((report) => {
      const hour = nominalHour(report.observedAt);
      const isFirst = report.type === 'METAR' && !hours.has(hour);
      if (isFirst) hours.add(hour);
      return { report, isFirst };
    });
}

function isBetter(one: Report, other: Report): boolean {
  const order = ({ decoded, source, raw, clean }: Report) =>
    [clean && decoded.cor ? 1 : 0, rankOfText(source), raw.length] as const;
  const [a, b] = [order(one), order(other)];
  const at = a.findIndex((value, n) => value !== b[n]);
  return at >= 0 && (a[at] as number) > (b[at] as number);
}

export function readsFirstAlone(statistics: readonly Statistic[], sample: Question['sample']): boolean {
  return sample !== 'all' && !statistics.some((each) => isOfAll(each, sample));
}

export function isOfAll(statistic: Statistic, sample: Question['sample']): boolean {
  if (statistic.kind === 'number' && statistic.of === 'sum' && AMOUNTS.includes(statistic.field))
    return false;
  if (sample !== 'auto') return sample === 'all';
  if (statistic.kind === 'number') return ['min', 'max'].includes(statistic.of);
  if (statistic.kind === 'condition') return ['days', 'hours'].includes(statistic.of);
  return statistic.kind === 'time';
}
