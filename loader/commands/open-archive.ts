import type { ClickHouseClient } from '@clickhouse/client';
import { openArchive } from '../../clickhouse/client.ts';
import { joinEngine } from '../../clickhouse/embedded/join.ts';
import { migrate } from '../../clickhouse/migrate.ts';
import type { ArchiveLocation } from '../../clickhouse/settings.ts';

/** The archive open for work: the engine joined or started where none was named, the schema up to date. */
export async function withArchive<T>(
  location: ArchiveLocation,
  log: (line: string) => void,
  work: (client: ClickHouseClient) => Promise<T>,
): Promise<T> {
  const engine = location.kind === 'server' ? undefined : await joinEngine({ ...location, log });
  try {
    const settings =
      location.kind === 'server'
        ? location.settings
        : { url: engine?.url ?? '', username: 'default', password: '', database: location.database };
    await migrate(settings);
    const client = openArchive(settings);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  } finally {
    await engine?.leave();
  }
}
