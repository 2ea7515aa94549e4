import type { ClickHouseClient } from '@clickhouse/client';
import { readNewestPartCodec } from '../clickhouse/compression.ts';
import { storageFailure } from '../clickhouse/errors.ts';
import { deleteSource } from '../clickhouse/observations/delete-source.ts';
import { findGaps } from './checks/gaps.ts';
import { USAGE } from './commands/args/command.ts';
import type { ImportCommand } from './commands/args/import-args.ts';
import { type Scope, selectionOf } from './commands/args/scope.ts';
import { formatGaps } from './commands/format-gaps.ts';
import { importFolder } from './commands/import-folder.ts';
import { type Interruption, loadCommand } from './commands/load.ts';
import { withArchive } from './commands/open-archive.ts';
import { redecode } from './commands/redecode.ts';
import { statusOf } from './commands/status.ts';
import { verifySample } from './commands/verify.ts';
import { type Config, readConfig } from './config.ts';
import { DECODER_VERSION, decode } from './decode.ts';
import { displayOn } from './progress/bars.ts';
import { ConsoleOutput } from './progress/console.ts';
import { Progress } from './progress/progress.ts';
import { stepsOn } from './progress/steps.ts';

/** Others script against these: see the usage. */
const EXIT = { done: 0, failed: 1, misused: 2, daysLeft: 3, noArchive: 4, interrupted: 130 } as const;

const LIGHTLY_COMPRESSED =
  'The server compresses with LZ4, and the archive will take three quarters more disk: put ' +
  'clickhouse/server/config.d/history.xml into its /etc/clickhouse-server/config.d, which governs what is added from then on.';

const voice = new ConsoleOutput((line) => process.stderr.write(`${line}\n`));
const { say } = voice;

async function main(stop: Interruption): Promise<number> {
  const read = readConfig(process.argv.slice(2), process.env);
  if ('mistakes' in read) {
    for (const mistake of read.mistakes) say(mistake);
    return EXIT.misused;
  }
  const { command, place } = read.config;
  if (command.kind === 'help') {
    console.log(USAGE);
    return EXIT.done;
  }
  return withArchive(place, say, async (client) => {
    switch (command.kind) {
      case 'status':
        for (const line of await statusOf(client, command.detail, new Date(), stop.now)) console.log(line);
        return EXIT.done;
      case 'migrate':
        // Every way to the archive goes through its migrations.
        console.log('The schema of the archive is up to date.');
        if ((await readNewestPartCodec(client, stop.now))?.startsWith('LZ4')) say(LIGHTLY_COMPRESSED);
        return EXIT.done;
      case 'remove-demo':
        await deleteSource(client, 'demo', stop.now);
        console.log('The synthetic demo reports are out of the archive.');
        return EXIT.done;
      case 'gaps': {
        const gaps = await findGaps(client, command.scope, new Date(), stop.now);
        for (const line of formatGaps(gaps)) console.log(line);
        return gaps.gaps.length === 0 ? EXIT.done : EXIT.daysLeft;
      }
      case 'verify':
        if (await verifySample(client, command, read.config, stop, say)) return EXIT.done;
        return stop.afterSlice.aborted ? interrupted() : EXIT.daysLeft;
      case 'redecode':
        return redecodeScope(client, command.scope, read.config, stop);
      case 'files':
        return loadFolder(client, command, read.config, stop);
      case 'load':
        if (await loadCommand(client, command, read.config, stop, voice)) return EXIT.done;
        return stop.afterSlice.aborted ? interrupted() : EXIT.daysLeft;
    }
  });
}

async function redecodeScope(
  client: ClickHouseClient,
  scope: Scope,
  { logFormat }: Config,
  stop: Interruption,
): Promise<number> {
  const steps = stepsOn(process.stderr, logFormat, 'reports');
  const decoder = { version: DECODER_VERSION, decode };
  const work = redecode(client, selectionOf(scope), decoder, steps, {
    noMore: stop.afterSlice,
    signal: stop.now,
  });
  const { decoded, left } = await voice.during(steps.say, work.finally(steps.end));
  console.log(`${decoded} reports read again by decoder ${DECODER_VERSION}, ${left} are left`);
  if (stop.afterSlice.aborted) return interrupted();
  return left === 0 ? EXIT.done : EXIT.daysLeft;
}

async function loadFolder(
  client: ClickHouseClient,
  command: ImportCommand,
  { logFormat }: Config,
  stop: Interruption,
): Promise<number> {
  const display = displayOn(process.stderr, logFormat);
  const progress = new Progress(display);
  const work = importFolder(client, command, progress, stop.afterSlice, stop.now);
  const unread = await voice.during(display.say, work.finally(display.end));
  const { tally } = progress;
  console.log(
    `${tally.slicesDone} of ${tally.slices} files loaded: ${tally.reports} reports, ${tally.inserted} new`,
  );
  for (const [reason, rows] of Object.entries(tally.skipped)) console.log(`${rows} rows skipped: ${reason}`);
  if (stop.afterSlice.aborted) return interrupted();
  return unread === 0 && tally.slices > 0 ? EXIT.done : EXIT.daysLeft;
}

function interrupted(): number {
  console.log('Interrupted: the same command goes on from here.');
  return EXIT.interrupted;
}

/** The first Ctrl-C lets the slices under way finish, the second does not. */
function interruption(): Interruption {
  const afterSlice = new AbortController();
  const now = new AbortController();
  const onSignal = () => {
    if (afterSlice.signal.aborted) now.abort();
    else say('Finishing what is under way; once more to stop at once.');
    afterSlice.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return { afterSlice: afterSlice.signal, now: now.signal };
}

const stop = interruption();
try {
  process.exitCode = await main(stop);
} catch (error) {
  const unreachable = storageFailure(error) !== 'unknown';
  // Whatever was under way says in its own words that it was broken off.
  if (stop.now.aborted) process.exitCode = EXIT.interrupted;
  else {
    say(
      unreachable
        ? `The archive cannot be reached: ${String(error)}`
        : String((error as Error).stack ?? error),
    );
    process.exitCode = unreachable ? EXIT.noArchive : EXIT.failed;
  }
}
