import type { ArchiveSettings } from '../../clickhouse/client.ts';
import { joinEngine } from '../../clickhouse/embedded/join.ts';
import { readRecord } from '../../clickhouse/embedded/record.ts';
import { migrate } from '../../clickhouse/migrate.ts';
import { type HttpClient, openHttpClient } from './http-client.ts';

export const DATABASE = 'history';

/** An embedded engine with an archive that has the current schema. */
export type BenchEngine = {
  readonly pid: number;
  /** The archive as each user sees it. */
  readonly api: ArchiveSettings;
  readonly loader: ArchiveSettings;
  readonly admin: ArchiveSettings;
  /** Statements of the admin user. */
  readonly http: HttpClient;
  close(): Promise<void>;
};

export async function openBenchEngine(dataDir: string): Promise<BenchEngine> {
  const joined = await joinEngine({ dataDir, port: 0 });
  const settings = { url: joined.url, username: 'default', password: '', database: DATABASE };
  const http = openHttpClient(joined.url, settings);
  const close = async () => {
    http.close();
    await joined.leave();
  };
  try {
    await migrate(settings);
    const pid = (await readRecord(dataDir))?.pid ?? 0;
    return { pid, api: settings, loader: settings, admin: settings, http, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What `CLICKHOUSE_*` of api and loader has to be for this login. */
export function archiveEnvironment({ url, username, password, database }: ArchiveSettings) {
  return {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: database,
  };
}
