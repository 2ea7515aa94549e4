import type { ArchiveSettings } from '../../clickhouse/client.ts';
import { migrate } from '../../clickhouse/schema.ts';
import { joinOpenEngine, OPEN_ENGINE } from '../support/engine/engine.ts';
import { recordOf } from '../support/engine/engine-directory.ts';
import { type HttpClient, openHttpClient } from './http-client.ts';

export const DATABASE = OPEN_ENGINE.database;

/** An embedded engine with an archive that has the current schema. */
export type BenchEngine = {
  readonly pid: number;
  /** The archive with the logins that api and loader have in production. */
  readonly api: ArchiveSettings;
  readonly loader: ArchiveSettings;
  /** All rights: `history_admin` may neither stop merges nor create the database of the templates. */
  readonly admin: ArchiveSettings;
  /** Statements of `admin`. */
  readonly http: HttpClient;
  close(): Promise<void>;
};

export async function openBenchEngine(dataDir: string): Promise<BenchEngine> {
  const { url, users, leave } = await joinOpenEngine(dataDir);
  const archive = { url, database: DATABASE };
  const admin = { ...archive, username: 'default', password: '' };
  const http = openHttpClient(url, admin);
  const close = async () => {
    http.close();
    await leave();
  };
  try {
    await migrate(admin);
    const pid = (await recordOf(dataDir)).pid;
    return {
      pid,
      api: { ...archive, ...users.api },
      loader: { ...archive, ...users.loader },
      admin,
      http,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The settings of api and loader for this login. */
export function archiveEnvironment({ url, username, password, database }: ArchiveSettings) {
  return {
    CLICKHOUSE_URL: url,
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: database,
  };
}
