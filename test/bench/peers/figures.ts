import { type Figure, type Section, worst } from '../figures.ts';
import { formatMs, formatRatio } from '../markdown.ts';
import { sum } from '../statistics.ts';
import type { PeerResults } from './compare.ts';
import type { Peer } from './peer.ts';

const NAMES: Readonly<Record<Peer['name'], string>> = { postgres: 'PostgreSQL', duckdb: 'DuckDB on Parquet' };

const HTTP_METHOD =
  'The other databases behind a service of Koa with a pool of connections, keyset pages and JSON text made in the database, ' +
  'without keys, limits, checks and coverage. Means of pages in turn, after the first; where a query has one page alone, the ' +
  'same page again. `first`: the first page of ranges that nothing has asked for.';

const CSV_METHOD =
  'All records of a range as CSV with `raw`, the same text in the same order, in turn: this service as a stream over HTTP, ' +
  'PostgreSQL by `COPY (SELECT …) TO STDOUT` through psql, DuckDB by `COPY (SELECT …) TO` a file.';

type Times = Readonly<Partial<Record<Peer['name'], number>>>;
type Compared = { readonly name: string; readonly ours: number; readonly theirs: Times };

export function peerSections({
  about,
  queries,
  overHttp,
  walk,
  csv,
  bytesPerReport,
}: PeerResults): readonly Section[] {
  const next = overHttp.map(({ name, ours, theirs }) => ({
    name,
    ours: ours.next,
    theirs: { ...withPeer('postgres', theirs.postgres?.next), ...withPeer('duckdb', theirs.duckdb?.next) },
  }));
  const { ours: bytes, ...others } = bytesPerReport;
  return [
    {
      title: 'Time of other databases with the same rows, compared with this service',
      figures: [
        ...slowest(
          'postgres',
          'any page of 1,000',
          1,
          queries.filter(({ limit }) => limit === 1000),
        ),
        ...slowest(
          'postgres',
          'many stations over 21 years',
          5,
          queries.filter(({ name }) => name.includes('stations, 21 years')),
        ),
        ...slowest('duckdb', 'any page', 3, queries),
        ...slowest('postgres', 'behind Koa, any query page after page', 1, next),
        ...meanOf(next),
        ...slowest('postgres', 'COPY of a range as CSV', 3, csv),
        ...slowest('duckdb', 'a range as CSV', 3, csv),
        ...(walk === undefined
          ? []
          : [
              {
                what: "PostgreSQL, keyset pages of a walk, compared with this service's pages after the first",
                measured: walk.theirs.mean / walk.ours.mean,
                unit: '×',
                atLeast: 1,
                detail: `means of ${walk.pages} pages; medians ${formatMs(walk.ours.p50)} and ${formatMs(walk.theirs.p50)} ms`,
              } as const,
            ]),
        {
          what: 'bytes per report on disk',
          measured: bytes,
          unit: 'bytes',
          detail: detailOf({ name: '', ours: bytes, theirs: others }),
        },
      ],
    },
    { title: 'Pages, the others at their driver', about, figures: queries.map(toFigure) },
    {
      title: 'Pages, page after page over HTTP',
      about: HTTP_METHOD,
      figures: next.map((compared, n) => {
        const first = overHttp[n];
        const times = first && [first.ours, first.theirs.postgres, first.theirs.duckdb];
        const firsts = times?.flatMap((each) => (each === undefined ? [] : [formatMs(each.first)]));
        return { ...toFigure(compared), detail: `${detailOf(compared)}; first ${firsts?.join(', ')}` };
      }),
    },
    {
      title: 'A range as CSV',
      about: CSV_METHOD,
      figures: csv.map((range) => ({
        ...toFigure(range),
        detail: `${detailOf(range)}; ${range.records.toLocaleString('en')} records, ${range.megabytes.toFixed(1)} MB`,
      })),
    },
  ];
}

function withPeer(name: Peer['name'], ms: number | undefined): Times {
  return ms === undefined ? {} : { [name]: ms };
}

function toFigure(compared: Compared): Figure {
  return { what: compared.name, measured: compared.ours, unit: 'ms', detail: detailOf(compared) };
}

function detailOf({ ours, theirs }: Compared): string {
  return (Object.entries(theirs) as [Peer['name'], number][])
    .map(([name, value]) => `${NAMES[name]} ${formatMs(value)} (${formatRatio(value / ours)})`)
    .join(', ');
}

/** None where the database is not installed. */
function slowest(
  peer: Peer['name'],
  what: string,
  atLeast: number,
  all: readonly Compared[],
): readonly Figure[] {
  const ratios = all.flatMap(({ name, ours, theirs }) => {
    const other = theirs[peer];
    return other === undefined ? [] : [{ name, ratio: other / ours }];
  });
  return worst(
    ratios,
    ({ ratio }) => ratio,
    { what: `${NAMES[peer]}, ${what}`, atLeast },
    ({ name }) => name,
  );
}

function meanOf(all: readonly Compared[]): readonly Figure[] {
  const ratios = all.flatMap(({ ours, theirs }) =>
    theirs.postgres === undefined ? [] : [Math.log(theirs.postgres / ours)],
  );
  if (ratios.length === 0) return [];
  const measured = Math.exp(sum(ratios) / ratios.length);
  return [{ what: 'PostgreSQL behind Koa, geometric mean of all queries', measured, unit: '×', atLeast: 3 }];
}
