import { setTimeout as sleep } from 'node:timers/promises';
import type { ArchiveSettings } from '../clickhouse/client.ts';
import { joinEngine } from '../clickhouse/embedded/join.ts';
import { storageFailure } from '../clickhouse/errors.ts';
import { migrate } from '../clickhouse/migrate.ts';
import { startService } from './compose.ts';
import { type Config, readConfig } from './config.ts';
import { openConnections } from './connections.ts';
import { claimForDemo, demoRequest, loadDemo, replaceDemoKey, revokeDemoKey } from './demo.ts';
import { createLog, formatError } from './ops/log.ts';
import { collectMetrics } from './ops/metrics.ts';
import { memoryCounter } from './rate-limit/rate-limit.ts';
import { serveByWorkers } from './workers/workers.ts';

type Closing = () => Promise<unknown>;

const log = createLog((line) => process.stdout.write(line));
const stopping = new AbortController();
/** What has been opened, to be closed in reverse. */
const opened: Closing[] = [];

let askedAt = Number.POSITIVE_INFINITY;
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    // Asked again: whoever asks does not want to wait. At once it is npm, passing on what the terminal sent us too.
    if (performance.now() - askedAt > 1000) process.exit(1);
    askedAt = Math.min(askedAt, performance.now());
    stopping.abort();
  });

try {
  await run(readConfig());
} catch (error) {
  if (!stopping.signal.aborted) {
    // One line that says what to mend: an operator reads it, not a developer.
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
await close();
process.exit();

async function run(config: Config): Promise<void> {
  const claimed = config.demo && (await claimForDemo(config.dataDir));
  const { reader, migrator } = await locateArchive(config);
  await migrateWhenReachable(migrator);
  const stores = await openConnections(config, reader, memoryCounter, log);
  opened.push(() => stores.close());
  const service =
    config.workers === 1
      ? await startService(stores, config, log, collectMetrics())
      : await serveByWorkers({ ...config, archive: reader }, log, stopping.signal);
  opened.push(() => service.stop());

  if (claimed) await loadDemo(config.dataDir, log, stopping.signal);
  const { keys, archive } = stores;
  const demoKey = config.demo ? await replaceDemoKey(keys, archive, stopping.signal) : undefined;
  if (!config.demo && config.keys.kind === 'file') await revokeDemoKey(keys);
  stopping.signal.throwIfAborted();
  service.open();
  process.stdout.write(startMessage(service.url, demoKey));
  await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
}

type Archive = { readonly reader: ArchiveSettings; readonly migrator: ArchiveSettings };

async function locateArchive({ archive, dataDir }: Config): Promise<Archive> {
  if (archive.kind === 'server') return { reader: archive.place, migrator: archive.place };
  const { database } = archive;
  const engine = await joinEngine({
    dataDir,
    port: archive.port,
    database,
    adminPassword: archive.adminPassword,
    signal: stopping.signal,
    log: (line) => log('info', 'engine', { line }),
  });
  opened.push(() => engine.leave());
  const { url, users } = engine;
  return { reader: { url, database, ...users.api }, migrator: { url, database, ...users.admin } };
}

/** A server may start together with us: it is waited for. */
async function migrateWhenReachable(settings: ArchiveSettings): Promise<void> {
  for (const patience = performance.now() + 30_000; ; ) {
    try {
      const applied = await migrate(settings);
      if (applied.length > 0) log('info', 'schema brought up to date', { applied });
      return;
    } catch (error) {
      if (storageFailure(error) !== 'unavailable' || performance.now() > patience) throw error;
      log('warn', 'waiting for the archive', { error: String(error) });
      await sleep(1000, undefined, { signal: stopping.signal });
    }
  }
}

/** The line that scripts wait for comes last, so that whoever has read it has read all. */
function startMessage(url: string, demoKey: string | undefined): string {
  const hint =
    demoKey === undefined
      ? 'Create a key with: npm run keys -- create --plan starter'
      : `The archive holds synthetic demo reports. Try:\n${demoRequest(url.replace('0.0.0.0', '127.0.0.1'), demoKey)}`;
  return `${hint}\nHistorical observations: listening on ${url}\n`;
}

async function close(): Promise<void> {
  for (const closing of opened.reverse())
    await closing().catch((error) => log('error', 'not closed', { error: formatError(error) }));
}
