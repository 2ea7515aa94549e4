import type { ArchiveSettings } from '../client.ts';
import { joinEngine } from '../embedded/join.ts';
import { recoverArchive } from '../recovery/recover-archive.ts';
import type { ArchiveLocation } from './settings.ts';

type LocatedArchive = {
  /** The login of the program. */
  readonly settings: ArchiveSettings;
  /** The login for migrations; with a server, the same one. */
  readonly adminSettings: ArchiveSettings;
  /**
   * Call it after the migrations: repairs damage by a power failure to the embedded engine's files. The operator
   * repairs a server.
   */
  recover(): Promise<void>;
  /** Leaves the embedded engine. With a server, it does nothing. */
  leave(): Promise<void>;
};

/** Finds the archive and the logins it accepts. Joins or starts the embedded engine. */
export async function locateArchive(
  location: ArchiveLocation,
  program: 'api' | 'loader',
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<LocatedArchive> {
  if (location.kind === 'server') {
    const { settings } = location;
    return { settings, adminSettings: settings, recover: async () => {}, leave: async () => {} };
  }
  const { database } = location;
  const engine = await joinEngine({ ...location, log, ...(signal && { signal }) });
  const { url, users, openAgent } = engine;
  const adminSettings = { url, database, openAgent, ...users.admin };
  return {
    settings: { url, database, openAgent, ...users[program] },
    adminSettings,
    recover: () => recoverArchive(adminSettings, location.dataDir, log),
    leave: () => engine.leave(),
  };
}
