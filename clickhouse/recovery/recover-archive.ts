import { type ArchiveSettings, openArchive } from '../client.ts';
import { rebuildBrokenProjections } from './projections.ts';

const TIMEOUT_MS = 120_000;

/**
 * Mends what a power failure or a damaged disk has done to the archive of the embedded engine. Call it after the
 * migrations and before anything is read.
 *
 * @param settings the login of `history_admin`
 */
export async function recoverArchive(settings: ArchiveSettings, log: (line: string) => void): Promise<void> {
  const archive = openArchive(settings);
  try {
    await rebuildBrokenProjections(archive, log, AbortSignal.timeout(TIMEOUT_MS));
  } finally {
    await archive.close();
  }
}
