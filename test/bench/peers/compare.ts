import { DATABASE } from '../embedded-engine.ts';
import { type Api, requestPage } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import type { Query } from '../read/queries.ts';
import { freshRanges } from '../serving/fresh-ranges.ts';
import { median } from '../statistics.ts';
import { type CsvComparison, compareCsv } from './csv.ts';
import { openPeerServer, type PeerServer } from './http/open-peer-server.ts';
import { compareOverHttp, type HttpComparison } from './http/over-http.ts';
import type { Peers } from './open-peers.ts';
import { isSamePage, type Peer } from './peer.ts';
import { comparePostgresWalk, type WalkComparison } from './walk.ts';

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
  readonly overHttp: readonly HttpComparison[];
  /** Absent where PostgreSQL is not installed. */
  readonly walk: WalkComparison | undefined;
  readonly csv: readonly CsvComparison[];
  readonly bytesPerReport: Readonly<{ ours: number } & Partial<Record<Peer['name'], number>>>;
};

const WARM_UP_ROUNDS = 3;
/** A database that takes this long for a page is asked for three of them only: else a run takes hours. */
const SLOW_MS = 60;

const METHOD =
  'Medians in milliseconds, and as multiples of the time of this service. The service is measured over HTTP, with keys, ' +
  'limits and coverage; the others at their own driver up to the JSON text of the page, with the faster of two ' +
  'statements, with warm caches and with `decoded` stored as the text that they print. To be built in time, this archive ' +
  'is compressed less than by a loader: `npm run bench -- size` has the bytes of a loader.';

/** The service over HTTP and each peer through its driver, in turn, on the same rows. */
export async function comparePeers(
  archive: BenchArchive,
  api: Api,
  { installed, missing }: Peers,
  queries: readonly Query[],
  rounds: number,
): Promise<PeerResults> {
  const { reports, bytes } = await measureArchive(archive);
  const compared: QueryComparison[] = [];
  for (const query of queries) {
    compared.push(await compareQuery(api, installed, query, rounds));
    process.stderr.write('.');
  }
  const overHttp = await compareServers(api, installed, queries, rounds);
  process.stderr.write('\n');
  const postgres = installed.find(({ name }) => name === 'postgres');
  return {
    about: [METHOD, ...installed.map(({ version }) => version), ...missing].join('\n\n'),
    queries: compared,
    overHttp,
    walk: postgres && (await comparePostgresWalk(api, postgres, archive.layout.hourly, freshRanges())),
    csv: await compareCsv(api, installed, archive.layout),
    bytesPerReport: {
      ours: bytes / reports,
      ...Object.fromEntries(installed.map((peer) => [peer.name, peer.bytes / reports])),
    },
  };
}

/** Each database behind the smallest service, in turn with this one. */
async function compareServers(
  api: Api,
  peers: readonly Peer[],
  queries: readonly Query[],
  pages: number,
): Promise<readonly HttpComparison[]> {
  const servers = new Map<Peer['name'], PeerServer>();
  const compared: HttpComparison[] = [];
  try {
    for (const { name, server } of peers) servers.set(name, await openPeerServer(server));
    for (const query of queries) {
      compared.push(await compareOverHttp(api, servers, query, pages));
      process.stderr.write('.');
    }
  } finally {
    for (const server of servers.values()) await server.close();
  }
  return compared;
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
