import type { Api } from '../read/api.ts';
import type { FreshRange } from '../serving/fresh-ranges.ts';
import { walk } from '../serving/walk.ts';
import { median, sum } from '../statistics.ts';
import { isSamePage, type Peer } from './peer.ts';

/** The pages of walks after the first one; milliseconds. */
export type WalkComparison = {
  readonly pages: number;
  readonly ours: WalkTimes;
  readonly theirs: WalkTimes;
};

/** A mean, because one page in several pays for all that are read ahead. */
type WalkTimes = { readonly mean: number; readonly p50: number };

const WALKS = 2;
const PAGES = 100;

/** Page by page in turn: the service with its cursor, and PostgreSQL from the position behind the last record. */
export async function comparePostgresWalk(
  api: Api,
  postgres: Peer,
  stations: readonly string[],
  freshRange: FreshRange,
): Promise<WalkComparison> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let number = -1; number < WALKS; number += 1) {
    const query = freshRange('walk', stations.at(number) ?? '');
    let page = 0;
    for await (const { response, query: ofPage } of walk(api, query)) {
      page += 1;
      const started = performance.now();
      const records = await postgres.page(ofPage);
      const ms = performance.now() - started;
      if (!isSamePage(records, JSON.parse(response.body.toString()).data))
        throw new Error(`Page ${page} of PostgreSQL is another one`);
      if (number >= 0 && page > 1) {
        ours.push(response.ms);
        theirs.push(ms);
      }
      if (page === PAGES) break;
    }
  }
  return { pages: ours.length, ours: timesOf(ours), theirs: timesOf(theirs) };
}

function timesOf(times: readonly number[]): WalkTimes {
  return { mean: sum(times) / times.length, p50: median(times) };
}
