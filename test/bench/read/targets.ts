import { formatMs, formatRatio } from '../markdown.ts';
import type { ServingResults } from '../serving/serving.ts';
import { memoryTarget, servingTargets } from '../serving/targets.ts';
import { sum } from '../statistics.ts';
import { PAGE_CACHE_MEGABYTES } from './api.ts';
import type { SizeComparison } from './measurements/archive-sizes.ts';
import type { QueryResult } from './measurements/measure.ts';
import { SOAK_CONNECTIONS, type SoakResult } from './measurements/soak.ts';

/** What the service has to reach, as far as possible a ratio within one run. Either `atMost` or `atLeast` is the limit. */
export type Target = {
  readonly what: string;
  readonly measured: number;
  readonly unit: '×' | 'ms' | 'MB' | 'errors' | 'statements';
  readonly atMost?: number;
  readonly atLeast?: number;
  /** The query that is furthest from the target, or another figure. */
  readonly detail?: string;
};

/** `undefined` where no option asks for it. */
type OtherResults = {
  readonly soaked: SoakResult | undefined;
  readonly sizes: readonly SizeComparison[] | undefined;
  readonly serving: ServingResults;
  readonly peakMegabytes: number;
};

export function targets(
  measured: readonly QueryResult[],
  { soaked, sizes, serving, peakMegabytes }: OtherResults,
): readonly Target[] {
  return [
    ...(measured.length > 0 ? [...bareEngineTargets(measured), ...queryTargets(measured)] : []),
    ...(sizes ? sizeTargets(sizes) : []),
    ...(soaked ? soakTargets(soaked) : []),
    ...servingTargets(serving),
    memoryTarget(peakMegabytes, PAGE_CACHE_MEGABYTES),
  ];
}

function bareEngineTargets(measured: readonly QueryResult[]): readonly Target[] {
  const pages = measured.filter(({ query, records }) => records === 1000 && query.encoding === undefined);
  const slowest = highest(pages, ({ p50, bareP50 }) => p50 / bareP50);
  const slowestRepeated = highest(pages, ({ repeatedP50, bareP50 }) => repeatedP50 / bareP50);
  const pageAlone = formatRatio(slowest.p50 / slowest.barePageP50);
  const single = find(measured, 'limit 1');
  return [
    {
      what: 'a page of 1,000 records, compared with the bare engine',
      measured: slowest.p50 / slowest.bareP50,
      unit: '×',
      atMost: 1.3,
      detail: `${slowest.query.name}; ${pageAlone} its page statement alone`,
    },
    {
      what: 'the same repeated within a second, compared with the bare engine',
      measured: slowestRepeated.repeatedP50 / slowestRepeated.bareP50,
      unit: '×',
      atMost: 1.3,
      detail: slowestRepeated.query.name,
    },
    {
      what: 'limit 1, in addition to the bare engine',
      measured: single.p50 - single.bareP50,
      unit: 'ms',
      atMost: 5,
    },
  ];
}

function queryTargets(measured: readonly QueryResult[]): readonly Target[] {
  const month = find(measured, 'limit 500: 1 station, 1 month');
  const years = find(measured, 'limit 500: 1 station, 21 years');
  const middle = find(measured, 'limit 500: 1 station, 21 years, middle page');
  const thousand = find(measured, 'limit 500: 1,000 stations, 21 years');
  const sparse = find(measured, 'limit 500: 10 reports a year, 21 years');
  const unknown = find(measured, 'limit 500: unknown station, 21 years');
  return [
    {
      what: '21 years compared with 1 month',
      measured: years.p50 / month.p50,
      unit: '×',
      atMost: 1.3,
    },
    {
      what: 'a page in the middle compared with the first',
      measured: middle.p50 / years.p50,
      unit: '×',
      atMost: 1.3,
    },
    {
      what: '1,000 stations compared with 1, page part',
      // The api keeps the coverage of stations, so a repeated request costs the page alone.
      measured: thousand.repeatedP50 / years.repeatedP50,
      unit: '×',
      atMost: 4,
      detail: `its coverage statement alone: ${formatMs(thousand.bareCoverageP50)} ms`,
    },
    {
      what: 'a station with 10 reports a year compared with an hourly one',
      measured: sparse.p50 / years.p50,
      unit: '×',
      atMost: 3,
    },
    {
      what: 'an unknown station compared with an hourly one',
      measured: unknown.p50 / years.p50,
      unit: '×',
      atMost: 3,
    },
  ];
}

function sizeTargets(sizes: readonly SizeComparison[]): readonly Target[] {
  const slowest = highest(sizes, ({ ratio }) => ratio);
  return [
    {
      what: `this archive compared with one of ${slowest.otherRows.toLocaleString('en')} reports`,
      measured: slowest.ratio,
      unit: '×',
      atMost: 1.3,
      detail: slowest.name,
    },
  ];
}

function soakTargets({ queries, errors, resident, seconds }: SoakResult): readonly Target[] {
  const slowest = highest(queries, ({ p50, p99 }) => p99 / p50);
  const what = `${SOAK_CONNECTIONS} connections, all queries mixed, ${seconds} s`;
  return [
    { what: `${what}: failed requests`, measured: sum(errors.values()), unit: 'errors', atMost: 0 },
    {
      what: `${what}: p99 compared with p50`,
      measured: slowest.p99 / slowest.p50,
      unit: '×',
      atMost: 6,
      detail: slowest.name,
    },
    { what: `${what}: resident memory`, measured: Math.max(...resident), unit: 'MB', atMost: 300 },
  ];
}

function find(measured: readonly QueryResult[], name: string): QueryResult {
  const found = measured.find(({ query }) => query.name === name);
  if (found === undefined) throw new Error(`No query is named ${name}`);
  return found;
}

function highest<T>(values: readonly T[], measure: (value: T) => number): T {
  return values.reduce((a, b) => (measure(b) > measure(a) ? b : a));
}
