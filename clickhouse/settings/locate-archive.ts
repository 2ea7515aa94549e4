import type { ArchiveSettings } from '../client.ts';
import { joinEngine } from '../embedded/join.ts';
import { endForRepair, recoverArchive } from '../recovery/recover-archive.ts';
import type { ArchiveLocation } from './settings.ts';

/** Joins or starts the embedded engine, which `leave` leaves; `adminSettings` are those of migrations. */
export async function locateArchive(
  location: ArchiveLocation,
  program: 'api' | 'loader',
  log: (line: string) => void,
  signal?: AbortSignal,
) {
  if (location.kind === 'server') {
    const { settings } = location;
    return { settings, adminSettings: settings, recover: async () => {}, leave: async () => {} };
  }
  const { database } = location;
  const engine = await joinEngine({ ...location, log, ...(signal && { signal }) });
  const { url, users, openAgent } = engine;
  const adminSettings: ArchiveSettings = { url, database, openAgent, ...users.admin };
  let mayEnd = true;
  const onDamage = (error: unknown) => {
    if (mayEnd) endForRepair(location.dataDir, log, error);
  };
  return {
    settings: { ...adminSettings, ...users[program], onDamage },
    adminSettings,
    /** Call it after the migrations: repairs damage to the engine's files by a power failure or a bad disk. */
    recover: async () => {
      mayEnd = await recoverArchive(adminSettings, location.dataDir, log);
    },
    leave: () => engine.leave(),
  };
}
