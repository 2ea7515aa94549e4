import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { at } from '../statistics.ts';
import type { Api } from './api.ts';
import type { BuiltArchive } from './archive.ts';
import { type Expected, type Floor, floorOf } from './bare-engine.ts';
import { type Query, queriesOf } from './queries.ts';

/** All times in milliseconds. */
export type Measured = {
  readonly query: Query;
  readonly records: number;
  readonly kilobytes: number;
  /** Once a round, which is more than a second: one of a round's requests looks what was told of stations meanwhile. */
  readonly p50: number;
  readonly p95: number;
  /** The same request again, two statements of the floor later. */
  readonly againP50: number;
  readonly floorCoverage: number;
  readonly floorPage: number;
  readonly floorP50: number;
};

type Subject = { readonly query: Query; readonly expected: Expected; readonly floor: Floor };
type Times = {
  readonly api: number[];
  readonly again: number[];
  readonly coverage: number[];
  readonly page: number[];
};

/** Longer than a look at what loaders have told is good for. */
const ROUND_MS = 1100;
const WARM_UP_ROUNDS = 3;
const WARM_UP_ASKS = 100;

/**
 * Each round asks the service, then the engine, for every query in turn, so that noise of the machine meets both; in
 * another order each time, for what an answer leaves to be done, such as forgetting a large page, falls to the next.
 */
export async function measure(archive: BuiltArchive, api: Api, rounds: number): Promise<readonly Measured[]> {
  const subjects: Subject[] = [];
  for (const query of await queriesOf(archive)) {
    const expected = await expectedOf(api, query);
    subjects.push({
      query,
      expected,
      floor: await floorOf(archive.engine, archive.database, query, expected),
    });
    process.stderr.write('.');
  }
  const times = subjects.map((): Times => ({ api: [], again: [], coverage: [], page: [] }));
  const sizes = new Map<Query, number>();
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const started = performance.now();
    for (const [n, { query, floor }] of shuffled([...subjects.entries()], round)) {
      const first = await pageOf(api, query);
      const coverage = await archive.engine.query(floor.coverage.text, floor.coverage.settings);
      const page = await archive.engine.query(floor.page.text, floor.page.settings);
      const again = await pageOf(api, query);
      if (round < 0) continue;
      sizes.set(query, first.body.length);
      times[n]?.api.push(first.ms);
      times[n]?.again.push(again.ms);
      times[n]?.coverage.push(coverage.ms);
      times[n]?.page.push(page.ms);
    }
    await sleep(Math.max(0, ROUND_MS - (performance.now() - started)));
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return subjects.map(({ query, expected }, n) => {
    const { api: asked = [], again = [], coverage = [], page = [] } = times[n] ?? {};
    return {
      query,
      records: expected.ids.length,
      kilobytes: (sizes.get(query) ?? 0) / 1024,
      p50: at(asked, 0.5),
      p95: at(asked, 0.95),
      againP50: at(again, 0.5),
      floorCoverage: at(coverage, 0.5),
      floorPage: at(page, 0.5),
      floorP50: at(
        coverage.map((ms, m) => ms + (page[m] ?? 0)),
        0.5,
      ),
    };
  });
}

/** Medians in milliseconds, of pages of 500 records of stations that were never asked for before, and of the same again. */
export type FirstAsks = { readonly stations: number; readonly p50: number; readonly againP50: number };

/** To be asked for before anything else: a process of the api knows a station once it was asked for. */
export async function measureFirstAsks(archive: BuiltArchive, api: Api): Promise<FirstAsks> {
  const years = (await queriesOf(archive)).find(({ name }) => name === 'limit 500: 1 station, 21 years');
  if (years === undefined) throw new Error('no query for one station');
  const of = (station: string): Query => ({ ...years, filters: { ...years.filters, stations: [station] } });
  for (let n = 0; n < WARM_UP_ASKS; n += 1) await pageOf(api, of(archive.layout.sparse));
  const [first, again]: [number[], number[]] = [[], []];
  for (const station of archive.layout.fifty) {
    first.push((await pageOf(api, of(station))).ms);
    again.push((await pageOf(api, of(station))).ms);
  }
  return { stations: first.length, p50: at(first, 0.5), againP50: at(again, 0.5) };
}

/** In an order of chance, the same for the same round. */
function shuffled<T>(values: readonly T[], round: number): readonly T[] {
  const dice = values.map((value, n) => {
    const die = createHash('sha256').update(`${round} ${n}`).digest('hex');
    return { value, die };
  });
  return dice.sort((a, b) => (a.die < b.die ? -1 : 1)).map(({ value }) => value);
}

async function pageOf(api: Api, query: Query) {
  const answer = await api.page(query);
  if (answer.status !== 200) throw new Error(`${query.name}: ${answer.status} ${answer.body}`);
  return answer;
}

async function expectedOf(api: Api, { encoding: _, ...query }: Query): Promise<Expected> {
  const { data, meta } = JSON.parse((await pageOf(api, query)).body.toString()) as {
    data: readonly { id: string; observedAt: string }[];
    meta: { coverage: { stations: readonly { station: string; yearsDone: number }[] } };
  };
  const [first, last] = [data[0]?.observedAt, data.at(-1)?.observedAt];
  return {
    ids: data.map(({ id }) => id),
    ...(first && { first }),
    ...(last && { last }),
    yearsDone: new Map(meta.coverage.stations.map(({ station, yearsDone }) => [station, yearsDone])),
  };
}
