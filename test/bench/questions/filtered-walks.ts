import type { Figure } from '../figures.ts';
import { formatMs, formatRatio } from '../markdown.ts';
import type { Api } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import { median } from '../statistics.ts';
import type { Database } from './databases.ts';

/** Reports of some years that meet a condition, which means the same in CQL2 and in SQL. */
export type FilteredWalk = {
  readonly stations: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly filter: string;
};

const ROUNDS = 3;

/** One condition that a report in a thousand meets, and one that none meets: 21 years of 50 stations. */
export async function measureFilteredWalks(
  { layout }: BenchArchive,
  api: Api,
  databases: readonly Database[],
): Promise<readonly Figure[]> {
  const range = { stations: layout.fifty, from: '2005-01-01', to: '2026-01-01' };
  const figures: Figure[] = [];
  for (const filter of ['wspd_kt >= 32', 'temp_c < -90']) {
    const walk = { ...range, filter };
    const pages: Pages[] = [];
    const streams: number[] = [];
    const others = databases.map(() => [] as number[]);
    for (let round = 0; round < ROUNDS; round += 1) {
      pages.push(await readPages(api, walk, round));
      const started = performance.now();
      const records = await readStream(api, walk);
      streams.push(performance.now() - started);
      for (const [n, database] of databases.entries()) {
        const began = performance.now();
        const found = await database.find(walk);
        others[n]?.push(performance.now() - began);
        if (found !== records) throw new Error(`${filter}: ${database.name} finds ${found}, not ${records}`);
      }
      if (pages[round]?.records !== records)
        throw new Error(`${filter}: ${pages[round]?.records} in pages, not ${records}`);
    }
    const stream = median(streams);
    const ofPages = `as pages ${formatMs(median(pages.map(({ ms }) => ms)))} in ${pages[0]?.requests} requests, the longest ${formatMs(Math.max(...pages.map(({ longest }) => longest)))}`;
    const ofOthers = databases.map(({ name }, n) => {
      const ms = median(others[n] ?? []);
      return `${name} ${formatMs(ms)} (${formatRatio(ms / stream)})`;
    });
    figures.push({
      what: filter,
      measured: stream,
      unit: 'ms',
      detail: [...ofOthers, ofPages, `${pages[0]?.records} records`].join(', '),
    });
  }
  return figures;
}

type Pages = {
  readonly ms: number;
  readonly requests: number;
  readonly longest: number;
  readonly records: number;
};

/** @param shift hours at the end that are left out: nothing is in memory */
async function readPages(
  api: Api,
  { stations, from, to, filter }: FilteredWalk,
  shift: number,
): Promise<Pages> {
  const end = new Date(Date.parse(`${to}T00:00:00Z`) + shift * 3_600_000).toISOString();
  const query = { stations: stations.join(), from: `${from}T00:00:00Z`, to: end, filter, limit: '1000' };
  let [ms, requests, longest, records] = [0, 0, 0, 0];
  for (let cursor: string | undefined; ; ) {
    const started = performance.now();
    const path = `/v1/history/observations?${new URLSearchParams({ ...query, ...(cursor && { cursor }) })}`;
    const response = await fetch(`${api.url}${path}`, { headers: { authorization: api.authorization() } });
    const body = await response.text();
    const took = performance.now() - started;
    if (response.status !== 200) throw new Error(body);
    const { data, meta } = JSON.parse(body) as {
      readonly data: readonly unknown[];
      readonly meta: { readonly nextCursor?: string };
    };
    records += data.length;
    requests += 1;
    ms += took;
    longest = Math.max(longest, took);
    cursor = meta.nextCursor;
    if (cursor === undefined) return { ms, requests, longest, records };
  }
}

async function readStream(api: Api, { stations, from, to, filter }: FilteredWalk): Promise<number> {
  const query = { stations: stations.join(), from: `${from}T00:00:00Z`, to: `${to}T00:00:00Z`, filter };
  let lines = 0;
  await api.download(`/v1/history/observations.ndjson?${new URLSearchParams(query)}`, (chunk) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  });
  return lines;
}
