import { ms, times } from '../markdown.ts';
import type { Peers } from '../peers/compare.ts';
import type { SizeCompared } from './archive-sizes.ts';
import type { Measured } from './measure.ts';
import type { Soaked } from './throughput.ts';

export type Promised = {
  readonly what: string;
  readonly measured: number;
  readonly unit: '×' | 'ms' | 'MB' | 'errors';
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Which query was worst, or what else there is to say. */
  readonly where?: string;
};

type Beside = {
  readonly soaked: Soaked | undefined;
  readonly sizes: readonly SizeCompared[] | undefined;
  readonly peers: Peers | undefined;
};

/** What this service promises of its reads, each as a ratio within this run. */
export function promises(
  measured: readonly Measured[],
  { soaked, sizes, peers }: Beside,
): readonly Promised[] {
  const of = (name: string): Measured => {
    const found = measured.find(({ query }) => query.name === name);
    if (found === undefined) throw new Error(`No query is named ${name}`);
    return found;
  };
  const plain = measured.filter(({ query, records }) => records === 1000 && query.encoding === undefined);
  const above = worst(plain, ({ p50, floorP50 }) => p50 / floorP50);
  const aboveAgain = worst(plain, ({ againP50, floorP50 }) => againP50 / floorP50);
  const alone = above.p50 / above.floorPage;
  const [one, far] = [of('limit 500: 1 station, 1 month'), of('limit 500: 1 station, 21 years')];
  const one1000 = of('limit 500: 1,000 stations, 21 years');
  const single = of('limit 1');
  return [
    {
      what: 'a page of 1,000 records, against the engine alone',
      measured: above.p50 / above.floorP50,
      unit: '×',
      atMost: 1.3,
      where: `${above.query.name}; ${times(alone)} its page statement alone`,
    },
    {
      what: 'the same again within a second, against the engine alone',
      measured: aboveAgain.againP50 / aboveAgain.floorP50,
      unit: '×',
      atMost: 1.3,
      where: aboveAgain.query.name,
    },
    {
      what: 'limit 1, above the engine alone',
      measured: single.p50 - single.floorP50,
      unit: 'ms',
      atMost: 5,
    },
    { what: '21 years instead of 1 month', measured: far.p50 / one.p50, unit: '×', atMost: 1.3 },
    {
      what: 'a page in the middle instead of the first',
      measured: of('limit 500: 1 station, 21 years, middle page').p50 / far.p50,
      unit: '×',
      atMost: 1.3,
    },
    {
      what: '1,000 stations instead of 1, page part',
      // What is known of stations is kept: what is asked again is the page alone.
      measured: one1000.againP50 / far.againP50,
      unit: '×',
      atMost: 4,
      where: `its coverage alone, as a statement: ${ms(one1000.floorCoverage)} ms`,
    },
    {
      what: 'a station with 10 reports a year instead of an ordinary one',
      measured: of('limit 500: 10 reports a year, 21 years').p50 / far.p50,
      unit: '×',
      atMost: 3,
    },
    {
      what: 'an unknown station instead of an ordinary one',
      measured: of('limit 500: unknown station, 21 years').p50 / far.p50,
      unit: '×',
      atMost: 3,
    },
    ...(sizes ? sizePromises(sizes) : []),
    ...(soaked ? soakPromises(soaked) : []),
    ...(peers ? peerPromises(peers) : []),
  ];
}

function sizePromises(sizes: readonly SizeCompared[]): readonly Promised[] {
  const most = worst(sizes, ({ ratio }) => ratio);
  return [
    {
      what: `this archive instead of one of ${most.besideRows.toLocaleString('en')}`,
      measured: most.ratio,
      unit: '×',
      atMost: 1.3,
      where: most.name,
    },
  ];
}

function soakPromises({ queries, errors, resident, seconds }: Soaked): readonly Promised[] {
  const spread = worst(queries, ({ p50, p99 }) => p99 / p50);
  const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
  const what = `32 connections, all queries mixed, ${seconds} s`;
  return [
    { what: `${what}: answers that are no page`, measured: failed, unit: 'errors', atMost: 0 },
    {
      what: `${what}: p99 against p50`,
      measured: spread.p99 / spread.p50,
      unit: '×',
      atMost: 6,
      where: spread.name,
    },
    { what: `${what}: resident memory`, measured: Math.max(...resident), unit: 'MB', atMost: 300 },
  ];
}

function peerPromises({ queries, disks }: Peers): readonly Promised[] {
  const promised: Promised[] = [];
  for (const peer of ['postgres', 'duckdb'] as const) {
    const name = { postgres: 'PostgreSQL', duckdb: 'DuckDB on Parquet' }[peer];
    const faster = queries.flatMap(({ name, limit, ours, theirs }) => {
      const other = theirs[peer];
      return other === undefined ? [] : [{ name, limit, ratio: other / ours }];
    });
    if (faster.length === 0) continue;
    const groups =
      peer === 'duckdb'
        ? [{ what: `${name} takes as long, any query`, among: faster, atLeast: 3 }]
        : [
            {
              what: `${name} takes as long, any page of 1,000`,
              among: faster.filter(({ limit }) => limit === 1000),
              atLeast: 1,
            },
            {
              what: `${name} takes as long, many stations over 21 years`,
              among: faster.filter(({ name }) => name.includes('stations, 21 years')),
              atLeast: 5,
            },
          ];
    for (const { what, among, atLeast } of groups) {
      const least = worst(among, ({ ratio }) => -ratio);
      promised.push({ what, measured: least.ratio, unit: '×', atLeast, where: least.name });
    }
  }
  if (disks.postgres !== undefined)
    promised.push({
      what: 'PostgreSQL takes as much disk',
      measured: disks.postgres / disks.ours,
      unit: '×',
      atLeast: 3,
    });
  return promised;
}

function worst<T>(values: readonly T[], measure: (value: T) => number): T {
  return values.reduce((a, b) => (measure(b) > measure(a) ? b : a));
}
