import { formatMs } from '../markdown.ts';
import type { Target } from '../read/targets.ts';
import { sum } from '../statistics.ts';
import type { PeerResults } from './compare.ts';
import type { Peer } from './peer.ts';
import type { WalkComparison } from './walk.ts';

type NamedRatio = { readonly name: string; readonly ratio: number };
type Ratio = NamedRatio & { readonly limit: number };

/** How many times the service's time another database has to need at least. */
export function peerTargets(results: PeerResults): readonly Target[] {
  const { ours, postgres } = results.bytesPerReport;
  return [
    ...target('PostgreSQL, any page of 1,000', 1, ratiosOf(results, 'postgres').filter(isFullPage)),
    ...target(
      'PostgreSQL, many stations over 21 years',
      5,
      ratiosOf(results, 'postgres').filter(hasManyStations),
    ),
    ...target('DuckDB on Parquet, any query', 3, ratiosOf(results, 'duckdb')),
    ...httpTargets(results),
    ...(results.walk ? [walkTarget(results.walk)] : []),
    ...target('PostgreSQL, COPY of a range as CSV', 3, csvRatiosOf(results, 'postgres')),
    ...target('DuckDB on Parquet, a range as CSV', 3, csvRatiosOf(results, 'duckdb')),
    ...(postgres === undefined
      ? []
      : [
          {
            what: 'disk space of PostgreSQL, compared with this service',
            measured: postgres / ours,
            unit: '×',
            atLeast: 3,
          } as const,
        ]),
  ];
}

/** Page after page, with PostgreSQL behind Koa. */
function httpTargets({ overHttp }: PeerResults): readonly Target[] {
  const ratios = overHttp.flatMap(({ name, ours, theirs }) =>
    theirs.postgres === undefined ? [] : [{ name, ratio: theirs.postgres.next / ours.next }],
  );
  if (ratios.length === 0) return [];
  const mean = Math.exp(sum(ratios.map(({ ratio }) => Math.log(ratio))) / ratios.length);
  return [
    ...target('PostgreSQL behind Koa, any query page after page', 1, ratios),
    {
      what: 'time of PostgreSQL behind Koa, compared with this service, geometric mean of all queries',
      measured: mean,
      unit: '×',
      atLeast: 3,
    },
  ];
}

const isFullPage = ({ limit }: Ratio) => limit === 1000;
const hasManyStations = ({ name }: Ratio) => name.includes('stations, 21 years');

function ratiosOf({ queries }: PeerResults, peer: Peer['name']): readonly Ratio[] {
  return queries.flatMap(({ name, limit, ours, theirs }) => {
    const other = theirs[peer];
    return other === undefined ? [] : [{ name, limit, ratio: other / ours }];
  });
}

function csvRatiosOf({ csv }: PeerResults, peer: Peer['name']): readonly Ratio[] {
  return csv.flatMap(({ name, ours, theirs }) => {
    const other = theirs[peer];
    return other === undefined ? [] : [{ name, limit: Number.POSITIVE_INFINITY, ratio: other / ours }];
  });
}

function walkTarget({ ours, theirs }: WalkComparison): Target {
  return {
    what: "pages of a walk after the first, compared with PostgreSQL's keyset pages",
    measured: ours.mean / theirs.mean,
    unit: '×',
    atMost: 1,
    detail: `means; medians ${formatMs(ours.p50)} and ${formatMs(theirs.p50)} ms`,
  };
}

/** None where the database is not installed. */
function target(what: string, atLeast: number, ratios: readonly NamedRatio[]): readonly Target[] {
  const lowest = ratios.toSorted((a, b) => a.ratio - b.ratio)[0];
  if (lowest === undefined) return [];
  const { ratio, name } = lowest;
  return [
    {
      what: `time of ${what}, compared with this service`,
      measured: ratio,
      unit: '×',
      atLeast,
      detail: name,
    },
  ];
}
