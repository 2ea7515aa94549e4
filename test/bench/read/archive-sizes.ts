import { at } from '../statistics.ts';
import { type Api, startApi } from './api.ts';
import { openBuilt } from './archive.ts';
import { type Query, queriesOf } from './queries.ts';

export type SizeCompared = {
  readonly name: string;
  readonly besideRows: number;
  /** Medians in milliseconds. */
  readonly p50: number;
  readonly besideP50: number;
  readonly ratio: number;
};

/** Asks this archive and another in turn. The same stations stand in both; the larger has others besides. */
export async function compareSizes(
  api: Api,
  queries: readonly Query[],
  besideRows: number,
  dataDir: string,
  rounds: number,
): Promise<readonly SizeCompared[]> {
  const beside = await openBuilt(besideRows, dataDir);
  const other = await startApi(beside);
  try {
    const theirs = new Map((await queriesOf(beside)).map((query) => [query.name, query]));
    const compared: SizeCompared[] = [];
    for (const query of queries.filter(({ limit }) => limit === 500)) {
      const twin = theirs.get(query.name) as Query;
      const [here, there]: [number[], number[]] = [[], []];
      for (let round = -5; round < rounds; round += 1) {
        const [ours, others] = [await api.page(query), await other.page(twin)];
        if (round < 0) continue;
        here.push(ours.ms);
        there.push(others.ms);
      }
      const [p50, besideP50] = [at(here, 0.5), at(there, 0.5)];
      compared.push({ name: query.name, besideRows, p50, besideP50, ratio: p50 / besideP50 });
    }
    return compared;
  } finally {
    await other.stop();
    await beside.close();
  }
}
