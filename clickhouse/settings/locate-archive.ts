import type { ArchiveSettings } from '../client.ts';
import { joinEngine } from '../embedded/join.ts';
import type { ArchiveLocation } from './settings.ts';

export type LocatedArchive = {
  /** The login of the program. */
  readonly settings: ArchiveSettings;
  /** The login that migrates: with a server the same one. */
  readonly adminSettings: ArchiveSettings;
  /** Leaves the embedded engine; with a server it does nothing. */
  leave(): Promise<void>;
};

/** Where the archive can be reached, and with which logins. Joins or starts the embedded engine. */
export async function locateArchive(
  location: ArchiveLocation,
  program: 'api' | 'loader',
  log: (line: string) => void,
  signal?: AbortSignal,
): Promise<LocatedArchive> {
  if (location.kind === 'server')
    return { settings: location.settings, adminSettings: location.settings, leave: async () => {} };
  const { database } = location;
  const engine = await joinEngine({ ...location, log, ...(signal && { signal }) });
  const { url, users } = engine;
  return {
    settings: { url, database, ...users[program] },
    adminSettings: { url, database, ...users.admin },
    leave: () => engine.leave(),
  };
}
