import { rm } from 'node:fs/promises';
import type { Api } from '../read/api.ts';
import type { BuiltArchive } from '../read/archive.ts';
import type { Query } from '../read/queries.ts';
import { at } from '../statistics.ts';
import { openDuckdb } from './duckdb.ts';
import { exportRows } from './export.ts';
import { type Peer, PeerMissing } from './peer.ts';
import { openPostgres } from './postgres.ts';

export type Peers = {
  readonly about: string;
  /** Medians in milliseconds. */
  readonly queries: readonly {
    readonly name: string;
    readonly limit: number;
    readonly ours: number;
    readonly theirs: Readonly<Partial<Record<Peer['name'], number>>>;
  }[];
  /** Bytes per report. */
  readonly disks: Readonly<{ ours: number } & Partial<Record<Peer['name'], number>>>;
};

const WARM_UP_ROUNDS = 3;
/** A peer that takes this long for a page is asked less often: its ratio is known well enough. */
const SLOW_MS = 500;

/** The service over HTTP beside each peer's driver, query by query in turn, on the same rows. */
export async function comparePeers(
  archive: BuiltArchive,
  api: Api,
  queries: readonly Query[],
  rounds: number,
): Promise<Peers> {
  const [rows, bytes] = (
    await archive.engine.command(
      `SELECT sum(rows), (SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '${archive.database}')
       FROM system.parts WHERE active AND database = '${archive.database}' AND table = 'observations' FORMAT TSV`,
    )
  )
    .split('\t')
    .map(Number) as [number, number];
  const file = await exportRows(archive);
  const missing: string[] = [];
  const peers: Peer[] = [];
  for (const open of [openPostgres, openDuckdb])
    try {
      peers.push(await open(file));
    } catch (error) {
      if (!(error instanceof PeerMissing)) throw error;
      missing.push(error.message);
    }
  try {
    const compared: Peers['queries'][number][] = [];
    for (const query of queries.filter(({ encoding }) => encoding === undefined)) {
      compared.push(await compareOne(api, peers, query, rounds));
      process.stderr.write('.');
    }
    return {
      about: [
        'Medians in milliseconds, and how many times as long as this service. The service is asked over HTTP, with keys, limits and coverage; the others ' +
          'at their own driver up to the JSON text of the page, with the faster of two statements, their caches warm, `decoded` stored as the text they have to print. ' +
          'This archive is packed less tightly than a loader packs one, to be built in time: `npm run bench -- size` has the bytes of those.',
        ...peers.map(({ version }) => version),
        ...missing,
      ].join('\n\n'),
      queries: compared,
      disks: {
        ours: bytes / rows,
        ...Object.fromEntries(peers.map((peer) => [peer.name, peer.bytes / rows])),
      },
    };
  } finally {
    for (const peer of peers) await peer.close();
    await rm(file, { force: true });
  }
}

async function compareOne(
  api: Api,
  peers: readonly Peer[],
  query: Query,
  rounds: number,
): Promise<Peers['queries'][number]> {
  const ours: number[] = [];
  const theirs = new Map(peers.map((peer) => [peer, [] as number[]]));
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    const answer = await api.page(query);
    if (round >= 0) ours.push(answer.ms);
    const { data } = JSON.parse(answer.body.toString()) as { data: readonly { id: string }[] };
    for (const [peer, times] of theirs) {
      if (times.length >= 3 && at(times, 0.5) > SLOW_MS) continue;
      const started = performance.now();
      const records = await peer.page(query);
      if (round >= 0) times.push(performance.now() - started);
      const same = records.length === data.length && records.at(-1)?.startsWith(`{"id":"${data.at(-1)?.id}"`);
      if (!same && data.length > 0) throw new Error(`${query.name}: ${peer.name} finds another page`);
    }
  }
  return {
    name: query.name,
    limit: query.limit,
    ours: at(ours, 0.5),
    theirs: Object.fromEntries([...theirs].map(([peer, times]) => [peer.name, at(times, 0.5)])),
  };
}
