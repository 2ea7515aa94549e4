import { median } from '../../statistics.ts';
import { type Api, requestPage, startApi } from '../api.ts';
import { openBenchArchive } from '../archive.ts';
import { type Query, queriesOf } from '../queries.ts';

/** One query on this archive and on one of another size; medians in milliseconds. */
export type SizeComparison = {
  readonly name: string;
  readonly otherRows: number;
  readonly p50: number;
  readonly otherP50: number;
  readonly ratio: number;
};

const WARM_UP_ROUNDS = 5;

/**
 * Asks for the pages of 500 records of both archives in turn. The stations of the queries are the same in both; the
 * larger archive has further stations.
 */
export async function compareArchiveSizes(
  api: Api,
  queries: readonly Query[],
  otherRows: number,
  dataDir: string,
  rounds: number,
): Promise<readonly SizeComparison[]> {
  const other = await openBenchArchive(otherRows, dataDir);
  try {
    const otherApi = await startApi(other.engine);
    try {
      const otherQueries = new Map((await queriesOf(other)).map((query) => [query.name, query]));
      const comparisons: SizeComparison[] = [];
      for (const query of queries.filter(({ limit }) => limit === 500)) {
        const twin = otherQueries.get(query.name);
        if (twin === undefined) throw new Error(`No query is named ${query.name}`);
        const [here, there]: [number[], number[]] = [[], []];
        for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
          const [page, otherPage] = [await requestPage(api, query), await requestPage(otherApi, twin)];
          if (round < 0) continue;
          here.push(page.ms);
          there.push(otherPage.ms);
        }
        const [p50, otherP50] = [median(here), median(there)];
        comparisons.push({ name: query.name, otherRows, p50, otherP50, ratio: p50 / otherP50 });
      }
      return comparisons;
    } finally {
      await otherApi.stop();
    }
  } finally {
    await other.close();
  }
}
