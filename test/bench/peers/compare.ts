import { rm } from 'node:fs/promises';
import { DATABASE } from '../embedded-engine.ts';
import { type Api, requestPage } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import type { Query } from '../read/queries.ts';
import { median } from '../statistics.ts';
import { openDuckdb } from './duckdb.ts';
import { exportRows } from './export.ts';
import { type Peer, PeerNotInstalledError } from './peer.ts';
import { openPostgres } from './postgres.ts';

type QueryComparison = {
  readonly name: string;
  readonly limit: number;
  /** Medians in milliseconds. */
  readonly ours: number;
  readonly theirs: Readonly<Partial<Record<Peer['name'], number>>>;
};

export type PeerResults = {
  readonly about: string;
  readonly queries: readonly QueryComparison[];
  readonly bytesPerReport: Readonly<{ ours: number } & Partial<Record<Peer['name'], number>>>;
};

const WARM_UP_ROUNDS = 3;
/** A peer that takes this long for a page is measured three times only. */
const SLOW_MS = 500;

const METHOD =
  'Medians in milliseconds, and as multiples of the time of this service. The service is measured over HTTP, with keys, ' +
  'limits and coverage; the others at their own driver up to the JSON text of the page, with the faster of two ' +
  'statements, with warm caches and with `decoded` stored as the text that they print. To be built in time, this archive ' +
  'is compressed less than by a loader: `npm run bench -- size` has the bytes of a loader.';

/** The service over HTTP and each peer through its driver, in turn, on the same rows. */
export async function comparePeers(
  archive: BenchArchive,
  api: Api,
  queries: readonly Query[],
  rounds: number,
): Promise<PeerResults> {
  const { reports, bytes } = await measureArchive(archive);
  const file = await exportRows(archive);
  const { peers, missing } = await openPeers(file);
  try {
    const compared: QueryComparison[] = [];
    for (const query of queries.filter(({ encoding }) => encoding === undefined)) {
      compared.push(await compareQuery(api, peers, query, rounds));
      process.stderr.write('.');
    }
    process.stderr.write('\n');
    return {
      about: [METHOD, ...peers.map(({ version }) => version), ...missing].join('\n\n'),
      queries: compared,
      bytesPerReport: {
        ours: bytes / reports,
        ...Object.fromEntries(peers.map((peer) => [peer.name, peer.bytes / reports])),
      },
    };
  } finally {
    for (const peer of peers) await peer.close();
    await rm(file, { force: true });
  }
}

async function measureArchive({ engine }: BenchArchive): Promise<{ reports: number; bytes: number }> {
  const [reports, bytes] = (
    await engine.http.command(
      `SELECT sumIf(rows, table = 'observations'), sum(bytes_on_disk)
       FROM system.parts WHERE active AND database = '${DATABASE}' FORMAT TSV`,
    )
  ).split('\t');
  return { reports: Number(reports), bytes: Number(bytes) };
}

async function openPeers(file: string): Promise<{ peers: readonly Peer[]; missing: readonly string[] }> {
  const peers: Peer[] = [];
  const missing: string[] = [];
  for (const open of [openPostgres, openDuckdb])
    try {
      peers.push(await open(file));
    } catch (error) {
      if (!(error instanceof PeerNotInstalledError)) throw error;
      missing.push(error.message);
    }
  return { peers, missing };
}

async function compareQuery(
  api: Api,
  peers: readonly Peer[],
  query: Query,
  rounds: number,
): Promise<QueryComparison> {
  const ours: number[] = [];
  const theirs = new Map(peers.map((peer) => [peer, [] as number[]]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const response = await requestPage(api, query);
    if (round >= 0) ours.push(response.ms);
    const { data }: { data: readonly { id: string }[] } = JSON.parse(response.body.toString());
    for (const [peer, times] of theirs) {
      if (times.length >= 3 && median(times) > SLOW_MS) continue;
      const started = performance.now();
      const records = await peer.page(query);
      if (round >= 0) times.push(performance.now() - started);
      if (!isSamePage(records, data)) throw new Error(`${query.name}: ${peer.name} returns another page`);
    }
  }
  return {
    name: query.name,
    limit: query.limit,
    ours: median(ours),
    theirs: Object.fromEntries([...theirs].map(([peer, times]) => [peer.name, median(times)])),
  };
}

/** Whether the texts of records are as many as those of the api, and the last one has the same id. */
function isSamePage(records: readonly string[], data: readonly { readonly id: string }[]): boolean {
  if (records.length !== data.length) return false;
  const last = data.at(-1);
  return last === undefined || records.at(-1)?.startsWith(`{"id":"${last.id}"`) === true;
}
