import { setTimeout as sleep } from 'node:timers/promises';
import type { ArchiveSettings } from '../../clickhouse/client.ts';
import { migrate } from '../../clickhouse/schema.ts';
import { joinOpenEngine, OPEN_ENGINE, recordOf } from '../support/engine/engine.ts';
import { run } from '../support/process.ts';
import { cpuSeconds, peakMegabytes, watchHighest } from '../support/process-usage.ts';
import { type HttpClient, openHttpClient } from './http-client.ts';
import { describeMachine, formatCount } from './results.ts';

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
    const { pid } = await recordOf(dataDir);
    const [api, loader] = [
      { ...archive, ...users.api },
      { ...archive, ...users.loader },
    ];
    return { pid, api, loader, admin, http, close };
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

/** Runs the loader as its users start it, to its end. Returns its output and its cost, with the merges that follow. */
export async function runLoader(
  { loader, pid, http }: BenchEngine,
  line: string,
  settings: Readonly<Record<string, string>> = {},
) {
  await mergesEnded(http);
  const engineCpuBefore = await cpuSeconds(pid);
  const startedAt = performance.now();
  const program = run('load', line.split(' '), { ...archiveEnvironment(loader), ...settings });
  const memory = watchHighest(() => peakMegabytes(program.pid));
  const cpu = watchHighest(() => cpuSeconds(program.pid));
  const { code, out } = await program.finished;
  const endedAt = performance.now();
  const [megabytes, cpuOfLoader] = [memory.stop(), cpu.stop()];
  if (code !== 0) throw new Error(`${line} ended with ${code}: ${out}`);
  await mergesEnded(http);
  return {
    out,
    endedAt,
    seconds: (endedAt - startedAt) / 1000,
    megabytes,
    engineMegabytes: await peakMegabytes(pid),
    cpu: cpuOfLoader,
    engineCpu: (await cpuSeconds(pid)) - engineCpuBefore,
  };
}

/** Rows of a load are merged after it too: without these merges a loader that ends sooner would look cheaper. */
async function mergesEnded(http: HttpClient): Promise<void> {
  for (let quiet = 0; quiet < 3; await sleep(300))
    quiet = (await http.command('SELECT count() FROM system.merges')) === '0' ? quiet + 1 : 0;
}

/** The archive, the machine and the versions. */
export async function describeArchive({ http }: BenchEngine): Promise<string> {
  const row = await http.command(
    `SELECT version(), count(), uniqExact(station),
       (SELECT count() FROM system.parts WHERE active AND database = '${DATABASE}' AND table = 'observations')
     FROM ${DATABASE}.observations FORMAT TSV`,
  );
  const [version, reports, stations, parts] = row.split('\t');
  return (
    `${formatCount(Number(reports))} reports of ${formatCount(Number(stations))} stations, in ${parts} parts. ` +
    `ClickHouse ${version} (embedded). ${describeMachine()}`
  );
}
