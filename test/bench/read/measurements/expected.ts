import { type Api, requestPage } from '../api.ts';
import type { Query } from '../queries.ts';

/** What the api returns for a query. The statements for the bare engine have to find the same. */
export type Expected = {
  readonly ids: readonly string[];
  /** RFC 3339, of the first and the last record; absent for a page without records. */
  readonly first?: string;
  readonly last?: string;
  readonly yearsDone: ReadonlyMap<string, number>;
};

type Page = {
  readonly data: readonly { readonly id: string; readonly observedAt: string }[];
  readonly meta: {
    readonly coverage: {
      readonly stations: readonly { readonly station: string; readonly yearsDone: number }[];
    };
  };
};

export async function readExpected(api: Api, { encoding: _, ...query }: Query): Promise<Expected> {
  const { data, meta }: Page = JSON.parse((await requestPage(api, query)).body.toString());
  const [first, last] = [data[0]?.observedAt, data.at(-1)?.observedAt];
  return {
    ids: data.map(({ id }) => id),
    ...(first && { first }),
    ...(last && { last }),
    yearsDone: new Map(meta.coverage.stations.map(({ station, yearsDone }) => [station, yearsDone])),
  };
}
