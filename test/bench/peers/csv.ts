import { createHash } from 'node:crypto';
import type { Api } from '../read/api.ts';
import type { Layout } from '../read/build/layout.ts';
import { type Query, streamPathOf } from '../read/queries.ts';
import { median } from '../statistics.ts';
import type { Peer } from './peer.ts';

/** A range as CSV with `raw`; medians in milliseconds. */
export type CsvComparison = {
  readonly name: string;
  readonly records: number;
  readonly megabytes: number;
  readonly ours: number;
  readonly theirs: Readonly<Partial<Record<Peer['name'], number>>>;
};

const ROUNDS = 5;
const HIGHEST_LIMIT = 1_000_000;

/** This service over HTTP and each peer in turn, with warm caches. */
export async function compareCsv(
  api: Api,
  peers: readonly Peer[],
  layout: Layout,
): Promise<readonly CsvComparison[]> {
  const comparisons: CsvComparison[] = [];
  for (const query of queriesOf(layout)) {
    comparisons.push(await compareQuery(api, peers, query));
    process.stderr.write('.');
  }
  process.stderr.write('\n');
  return comparisons;
}

function queriesOf({ hourly, thousand }: Layout): readonly Query[] {
  const query = (name: string, stations: readonly string[], first: number, end: number): Query => ({
    name,
    filters: {
      stations,
      from: Date.UTC(first, 0) / 1000,
      to: Date.UTC(end, 0) / 1000,
      type: 'all',
      include: ['raw'],
    },
    limit: HIGHEST_LIMIT,
  });
  return [
    query('1 station, 21 years', hourly.slice(0, 1), 2005, 2026),
    query('1,000 stations, 1 year', thousand, 2024, 2025),
  ];
}

async function compareQuery(api: Api, peers: readonly Peer[], query: Query): Promise<CsvComparison> {
  const path = streamPathOf(query, 'csv');
  const expected = new CsvText();
  const { headers, bytes } = await api.download(path, (chunk) => expected.add(chunk));
  if (headers['x-has-more'] !== 'false') throw new Error(`${query.name}: more than ${HIGHEST_LIMIT} records`);
  const sum = expected.digest();
  for (const peer of peers) {
    const text = new CsvText();
    await peer.csv(query, (chunk) => text.add(chunk));
    if (text.digest() !== sum) throw new Error(`${query.name}: ${peer.name} prints other records`);
  }
  const ours: number[] = [];
  const theirs = new Map(peers.map((peer) => [peer, [] as number[]]));
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push((await api.download(path)).ms);
    for (const [peer, times] of theirs) {
      const started = performance.now();
      await peer.csv(query);
      times.push(performance.now() - started);
    }
  }
  return {
    name: query.name,
    records: expected.lines - 1,
    megabytes: bytes / 2 ** 20,
    ours: median(ours),
    theirs: Object.fromEntries([...theirs].map(([{ name }, times]) => [name, median(times)])),
  };
}

/** The text of a CSV file without quotes and carriage returns, which programs write or leave out as they like. */
class CsvText {
  readonly #hash = createHash('sha256');
  lines = 0;

  add(chunk: Buffer): void {
    const text = chunk.toString('latin1').replace(/["\r]/g, '');
    this.#hash.update(text, 'latin1');
    this.lines += text.split('\n').length - 1;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
