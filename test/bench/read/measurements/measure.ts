import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE } from '../../embedded-engine.ts';
import { median, quantile } from '../../statistics.ts';
import { type Api, requestPage } from '../api.ts';
import type { BenchArchive } from '../archive.ts';
import { type Query, queriesOf } from '../queries.ts';
import { type BareStatements, findBareStatements } from './bare-engine.ts';
import { readExpected } from './expected.ts';

/** Times in milliseconds. */
export type QueryResult = {
  readonly query: Query;
  readonly records: number;
  readonly kilobytes: number;
  /** Once in a round, which is longer than a second: some request of a round reads what changed in coverage meanwhile. */
  readonly p50: number;
  readonly p95: number;
  /** The same request repeated, after the two statements for the bare engine. */
  readonly repeatedP50: number;
  readonly bareCoverageP50: number;
  readonly barePageP50: number;
  readonly bareP50: number;
};

type Subject = { readonly query: Query; readonly records: number; readonly bare: BareStatements };

type Times = {
  readonly api: number[];
  readonly repeated: number[];
  readonly coverage: number[];
  readonly page: number[];
  /** Bytes of the page. */
  size: number;
};

/** Longer than the api trusts its coverage state. */
const ROUND_MS = 1100;
const WARM_UP_ROUNDS = 3;

/**
 * A round asks the api and then the bare engine for every query, so that noise of the machine affects both. Each round
 * has another order, because what a response leaves to be done, such as freeing a large page, delays the next.
 */
export async function measureQueries(
  archive: BenchArchive,
  api: Api,
  rounds: number,
): Promise<readonly QueryResult[]> {
  const subjects = await prepare(archive, api);
  const times = new Map(
    subjects.map((subject): [Subject, Times] => [
      subject,
      { api: [], repeated: [], coverage: [], page: [], size: 0 },
    ]),
  );
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const started = performance.now();
    for (const [subject, recorded] of shuffled([...times], round)) {
      const { query, bare } = subject;
      const response = await requestPage(api, query);
      const coverage = await archive.engine.http.query(bare.coverage.text, bare.coverage.settings);
      const page = await archive.engine.http.query(bare.page.text, bare.page.settings);
      const repeated = await requestPage(api, query);
      if (round < 0) continue;
      recorded.size = response.body.length;
      recorded.api.push(response.ms);
      recorded.repeated.push(repeated.ms);
      recorded.coverage.push(coverage.ms);
      recorded.page.push(page.ms);
    }
    await sleep(Math.max(0, ROUND_MS - (performance.now() - started)));
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return [...times].map(([subject, recorded]) => summarize(subject, recorded));
}

async function prepare(archive: BenchArchive, api: Api): Promise<readonly Subject[]> {
  const subjects: Subject[] = [];
  for (const query of await queriesOf(archive)) {
    const expected = await readExpected(api, query);
    const bare = await findBareStatements(archive.engine.http, DATABASE, query, expected);
    subjects.push({ query, records: expected.ids.length, bare });
    process.stderr.write('.');
  }
  return subjects;
}

function summarize({ query, records }: Subject, { api, repeated, coverage, page, size }: Times): QueryResult {
  return {
    query,
    records,
    kilobytes: size / 1024,
    p50: median(api),
    p95: quantile(api, 0.95),
    repeatedP50: median(repeated),
    bareCoverageP50: median(coverage),
    barePageP50: median(page),
    bareP50: median(coverage.map((ms, n) => ms + (page[n] ?? 0))),
  };
}

/** Pseudo-random, and the same for the same round. */
function shuffled<T>(values: readonly T[], round: number): readonly T[] {
  const ranked = values.map((value, n) => {
    const rank = createHash('sha256').update(`${round} ${n}`).digest('hex');
    return { value, rank };
  });
  return ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ value }) => value);
}
