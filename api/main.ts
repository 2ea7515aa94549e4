import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics } from 'prom-client';
import { storeAerodromes } from '../clickhouse/aerodromes/aerodromes.ts';
import { canceledBy } from '../clickhouse/archive.ts';
import { prepareDataDir } from '../clickhouse/embedded/join.ts';
import { isLoginRefused, storageFailure } from '../clickhouse/errors.ts';
import { DAMAGE_EXIT_CODE } from '../clickhouse/recovery/recover-archive.ts';
import { migrate } from '../clickhouse/schema.ts';
import { locateArchive } from '../clickhouse/settings/locate-archive.ts';
import { durabilityWarning } from '../clickhouse/settings/server-warnings.ts';
import { describeSettings, readLogFormat } from '../clickhouse/settings/settings.ts';
import { type Config, readConfig, SETTINGS, SettingsError } from './config.ts';
import { openConnections } from './connections.ts';
import { claimForDemo, demoRequest, keyFileOf, loadDemo, openDemoKey, removeDemoKey } from './demo.ts';
import { formatError, openLog } from './ops/log.ts';
import { startService } from './service.ts';

const USAGE = `Serves the archive over HTTP.

  npm start

Settings are environment variables; docs/operations.md says what each does:
${describeSettings(SETTINGS)}

Exit codes:
  0  stopped by a signal
  1  the service could not start
  2  invalid arguments
  ${DAMAGE_EXIT_CODE}  a part of the archive is damaged; start again: the start repairs it`;

const STORAGE_TIMEOUT_MS = 30_000;

/** The format of messages to a person; the log always has lines of JSON. */
const messageFormat = readLogFormat(process.env);
const log = openLog(process.stdout);
const stopping = new AbortController();
/** Close what has been opened; run in reverse order. */
const closers: (() => Promise<unknown>)[] = [];

let firstSignalAt = Number.POSITIVE_INFINITY;
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    // A second signal ends the process without waiting. One within a second is npm's copy of the terminal's signal.
    if (performance.now() - firstSignalAt > 1000) process.exit(1);
    firstSignalAt = Math.min(firstSignalAt, performance.now());
    stopping.abort();
  });

try {
  if (process.argv.length > 2) printHelp(process.argv.slice(2));
  else await run(readConfig());
} catch (error) {
  if (!stopping.signal.aborted) {
    // The message without a stack: it tells the operator what to change.
    const message = error instanceof Error ? error.message : String(error);
    if (messageFormat === 'text') process.stderr.write(`${message}\n`);
    else for (const line of message.split('\n')) log.error('start failed', { error: line });
    process.exitCode = error instanceof SettingsError ? 2 : 1;
  }
}
for (const close of closers.reverse())
  await close().catch((error) => log.error('close failed', { error: formatError(error) }));
process.exit();

/** Any argument but --help is an error: settings are environment variables. */
function printHelp(args: readonly string[]): void {
  const isHelp = args.includes('--help') || args.includes('-h');
  if (isHelp) process.stdout.write(`${USAGE}\n`);
  else process.stderr.write(`This program takes no arguments but --help.\n\n${USAGE}\n`);
  process.exitCode = isHelp ? 0 : 2;
}

async function run(config: Config): Promise<void> {
  if (config.archive.kind === 'embedded' || config.keys.kind === 'file') await prepareDataDir(config.dataDir);
  const isClaimed = config.demo && (await claimForDemo(config.dataDir));
  const logEngine = (line: string) => log.info('engine message', { line });
  const located = await locateArchive(config.archive, 'api', logEngine, stopping.signal);
  closers.push(() => located.leave());
  const created = await whenReachable(() => migrate(located.adminSettings));
  if (created.length > 0) log.info('schema migrated', { applied: created });
  await located.recover();
  await storeAerodromes(located.adminSettings, (warning) => log.warn('aerodromes', { warning }));
  const connections = await openConnections(config, located.settings, log);
  closers.push(() => connections.close());
  const warning = await durabilityWarning(connections.archive, stopping.signal);
  if (warning !== undefined) log.warn('server settings', { warning });
  collectDefaultMetrics();
  const service = await startService(connections, config, log);
  closers.push(() => service.stop());
  // A second signal, or a failure. The kernel would close connections normally, which completes an HTTP/1.0 stream.
  process.once('exit', () => service.abort());
  log.info('metrics served', { url: service.metricsUrl });

  const { dataDir } = config;
  if (isClaimed) await loadDemo(dataDir, log, stopping.signal);
  const { keys } = connections;
  // Reads the keys, which also reports damaged lines.
  if (config.keys.kind === 'file') await keys.list().catch(explainKeyFile);
  const archive = canceledBy(stopping.signal, connections.archive);
  const demoKey = config.demo ? await whenReachable(() => openDemoKey(keys, archive, dataDir)) : undefined;
  if (!config.demo && config.keys.kind === 'file') await removeDemoKey(keys, dataDir);
  stopping.signal.throwIfAborted();
  service.setReady();
  if (messageFormat === 'text') process.stdout.write(startMessage(service.url, demoKey));
  else {
    if (demoKey !== undefined) log.info('demo key', { file: keyFileOf(dataDir) });
    log.info('ready', { text: `listening on ${service.url} for requests` });
  }
  await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
}

function explainKeyFile(cause: Error): never {
  throw new Error(
    `API keys cannot be read: ${cause.message}. Correct this, restore the file from a backup, or remove it: then all keys are unknown.`,
    { cause },
  );
}

async function whenReachable<T>(work: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + STORAGE_TIMEOUT_MS; ; ) {
    try {
      return await work();
    } catch (error) {
      if (storageFailure(error) !== 'unavailable') throw error;
      if (performance.now() > deadline)
        throw new Error(
          isLoginRefused(error)
            ? 'ClickHouse refuses the login: check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD'
            : `ClickHouse cannot be used: ${String(error)}`,
          { cause: error },
        );
      log.warn('storage unavailable', { error: String(error) });
      await sleep(1000, undefined, { signal: stopping.signal });
    }
  }
}

/** A message for a person, which may show the demo key; the log never does. Its last line is the one that scripts wait for. */
function startMessage(url: string, demoKey: string | undefined): string {
  const reachable = url.replace('0.0.0.0', '127.0.0.1');
  // A link to the page with this key: browsers send no fragment to a server, and the page removes it from the address.
  const link = `${reachable}/#key=${demoKey}`;
  const hint =
    demoKey === undefined
      ? 'Create a key with: npm run keys -- create --plan starter'
      : `The archive holds synthetic demo reports. Open:\n${link}\nOr try:\n${demoRequest(reachable, demoKey)}`;
  return `${hint}\nHistorical observations: listening on ${url}\n`;
}
