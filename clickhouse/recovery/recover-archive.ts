import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ArchiveSettings, openArchive } from '../client.ts';
import { askEngine, lineOf } from '../embedded/engine-socket.ts';
import { reopenDaysOfBrokenParts } from './broken-parts.ts';
import { rebuildBrokenProjections } from './projections.ts';

/** Of a large archive: a year is counted and its coverage made again. */
const TIMEOUT_MS = 3_600_000;

/**
 * Mends what a power failure or a damaged disk has done to the archive of the embedded engine. Call it after the
 * migrations and before anything is read or written; a program that starts at the same time waits.
 *
 * @param settings the login of `history_admin`
 */
export async function recoverArchive(
  settings: ArchiveSettings,
  dataDir: string,
  log: (line: string) => void,
): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const turn = await waitForTurn(dataDir, signal);
  const archive = openArchive(settings);
  try {
    await reopenDaysOfBrokenParts(archive, dataDir, log, signal);
    await rebuildBrokenProjections(archive, log, signal);
  } finally {
    await archive.close();
    turn.destroy();
  }
}

/** Of the programs that start at once. It lasts until the connection closes. */
async function waitForTurn(dataDir: string, signal: AbortSignal): Promise<Socket> {
  for (;;) {
    const turn = await askEngine(dataDir, 'recovery');
    if (turn && (await lineOf(turn, TIMEOUT_MS)) !== undefined) return turn;
    turn?.destroy();
    // The engine has ended and starts again.
    await sleep(100, undefined, { signal });
  }
}
