import type { Archive } from '../archive.ts';
import type { ArchiveSettings } from '../client.ts';
import { joinEngine } from '../embedded/join.ts';
import { recoverArchive } from '../recovery/recover-archive.ts';
import { repairWhenDamaged } from '../recovery/repair-when-damaged.ts';
import type { ArchiveLocation } from './settings.ts';

/**
 * Finds the archive and the logins it accepts: that of the program, and that of migrations. Joins or starts the embedded
 * engine, which `leave` leaves. The operator repairs a server.
 */
export async function locateArchive(
  location: ArchiveLocation,
  program: 'api' | 'loader',
  log: (line: string) => void,
  signal?: AbortSignal,
) {
  if (location.kind === 'server') {
    const settings: ArchiveSettings = location.settings;
    return {
      ...{ settings, adminSettings: settings },
      recover: async () => {},
      watch: (archive: Archive) => archive,
      leave: async () => {},
    };
  }
  const { database } = location;
  const engine = await joinEngine({ ...location, log, ...(signal && { signal }) });
  const { url, users, openAgent } = engine;
  const adminSettings: ArchiveSettings = { url, database, openAgent, ...users.admin };
  return {
    settings: { ...adminSettings, ...users[program] },
    adminSettings,
    /** Call it after the migrations: repairs damage by a power failure to the engine's files. */
    recover: async () => {
      await recoverArchive(adminSettings, location.dataDir, log);
    },
    /** The archive with repairs of what it finds damaged later. */
    watch: (archive: Archive) =>
      repairWhenDamaged(archive, () => recoverArchive(adminSettings, location.dataDir, log, 'all'), log),
    leave: () => engine.leave(),
  };
}
