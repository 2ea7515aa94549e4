import { rm } from 'node:fs/promises';
import type { BenchArchive } from '../read/archive.ts';
import { openDuckdb } from './duckdb/duckdb.ts';
import { exportRows } from './export.ts';
import { type Peer, PeerNotInstalledError } from './peer.ts';
import { openPostgres } from './postgres/postgres.ts';

export type Peers = {
  readonly installed: readonly Peer[];
  /** What to install for each one that is left out. */
  readonly missing: readonly string[];
  close(): Promise<void>;
};

/** Loads the rows of the archive into each peer. */
export async function openPeers(archive: BenchArchive): Promise<Peers> {
  const file = await exportRows(archive);
  const installed: Peer[] = [];
  const missing: string[] = [];
  const close = async () => {
    for (const peer of installed) await peer.close();
    await rm(file, { force: true });
  };
  try {
    for (const open of [openPostgres, openDuckdb])
      try {
        installed.push(await open(file));
      } catch (error) {
        if (!(error instanceof PeerNotInstalledError)) throw error;
        missing.push(error.message);
      }
    return { installed, missing, close };
  } catch (error) {
    await close();
    throw error;
  }
}
