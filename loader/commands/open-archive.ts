import type { ClickHouseClient } from '@clickhouse/client';
import { openArchive } from '../../clickhouse/client.ts';
import { joinEngine } from '../../clickhouse/embedded/join.ts';
import { migrate } from '../../clickhouse/migrate.ts';
import type { ArchivePlace } from '../config.ts';

/** The archive open for work: the engine joined or started where none was named, the schema up to date. */
export async function withArchive<T>(
  { embedded, settings }: ArchivePlace,
  log: (line: string) => void,
  work: (client: ClickHouseClient) => Promise<T>,
): Promise<T> {
  const engine =
    embedded === undefined ? undefined : await joinEngine({ ...embedded, database: settings.database, log });
  try {
    const place = engine === undefined ? settings : { ...settings, url: engine.url, ...engine.users.loader };
    await migrate({ ...place, ...engine?.users.admin });
    const client = openArchive(place);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  } finally {
    await engine?.leave();
  }
}
