import type { Api } from '../../read/api.ts';
import type { Query } from '../../read/queries.ts';
import { walk } from '../../serving/walk.ts';
import { sum } from '../../statistics.ts';
import { isSamePage, type Peer } from '../peer.ts';
import type { PeerServer } from './open-peer-server.ts';

/** Means in milliseconds. */
type HttpTimes = {
  /** Of a page that nothing has asked for. */
  readonly first: number;
  /** Of the pages behind it; where a query has one page alone, of the same page again. */
  readonly next: number;
};

export type HttpComparison = {
  readonly name: string;
  readonly ours: HttpTimes;
  readonly theirs: Readonly<Partial<Record<Peer['name'], HttpTimes>>>;
};

type Times = { readonly first: number[]; readonly next: number[] };

/** The first walk of each query warms up. */
const WALKS = 3;
const MINUTE_SECONDS = 60;
/** A database that takes this long for a page is asked for few of them. */
const SLOW_MS = 60;
const FEW = 3;

/** This service and the other databases behind Koa walk through a query in turn, page after page. */
export async function compareOverHttp(
  api: Api,
  servers: ReadonlyMap<Peer['name'], PeerServer>,
  query: Query,
  pages: number,
): Promise<HttpComparison> {
  const ours: Times = { first: [], next: [] };
  const theirs = new Map([...servers.keys()].map((name) => [name, { first: [], next: [] } as Times]));
  for (let number = 0; number < WALKS; number += 1) {
    const { filters } = query;
    // Another range, so that nothing of it is in memory.
    const walked = { ...query, filters: { ...filters, from: filters.from + number * MINUTE_SECONDS } };
    for (let page = 0; page < pages; )
      for await (const { response, query: ofPage } of walk(api, walked)) {
        const add = ({ first, next }: Times, ms: number) => {
          if (number > 0) (page === 0 ? first : next).push(ms);
        };
        add(ours, response.ms);
        const { data } = JSON.parse(response.body.toString());
        for (const [name, times] of theirs) {
          if (times.next.length >= FEW && meanOf(times.next) > SLOW_MS) continue;
          const server = servers.get(name) as PeerServer;
          const { ms, body } = await server.page(ofPage);
          add(times, ms);
          const records: readonly object[] = JSON.parse(body.toString()).data;
          if (
            !isSamePage(
              records.map((record) => JSON.stringify(record)),
              data,
            )
          )
            throw new Error(`${query.name}: ${name} behind Koa returns another page`);
        }
        page += 1;
        if (page === pages) break;
      }
  }
  return {
    name: query.name,
    ours: meansOf(ours),
    theirs: Object.fromEntries([...theirs].map(([name, times]) => [name, meansOf(times)])),
  };
}

function meansOf({ first, next }: Times): HttpTimes {
  return { first: meanOf(first), next: meanOf(next) };
}

function meanOf(times: readonly number[]): number {
  return sum(times) / times.length;
}
