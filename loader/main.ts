import type { ClickHouseClient } from '@clickhouse/client';
import { storageFailure } from '../clickhouse/failure.ts';
import { forgetSource } from '../clickhouse/forget.ts';
import { withArchive } from './archive.ts';
import { backfill, missingSlices } from './backfill.ts';
import { type LoadCommand, USAGE } from './command.ts';
import { type Config, readConfig } from './config.ts';
import { DECODER_VERSION, decode } from './decode.ts';
import { counts, displayOn } from './display.ts';
import { dryRunLines } from './dry-run.ts';
import { loadFiles } from './files.ts';
import type { FilesCommand } from './files-command.ts';
import { Pace } from './pace.ts';
import { Progress } from './progress.ts';
import { redecode } from './redecode.ts';
import { type Scope, selectionOf } from './scope.ts';
import { ORIGINS } from './sources/table.ts';
import { statusOf } from './status-command.ts';
import { stepsOn } from './steps.ts';
import { Minutes } from './type.ts';

/** Others script against these: see the usage. */
const EXIT = { done: 0, failed: 1, misused: 2, daysLeft: 3, noArchive: 4, interrupted: 130 } as const;

const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
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
  const stop = interruption();
  return withArchive(place, say, async (client) => {
    switch (command.kind) {
      case 'status':
        for (const line of await statusOf(client, command.detail, new Date(), stop.now)) console.log(line);
        return EXIT.done;
      case 'migrate':
        // Every way to the archive goes through its migrations.
        console.log('The schema of the archive is up to date.');
        return EXIT.done;
      case 'remove-demo':
        await forgetSource(client, 'demo', stop.now);
        console.log('The synthetic demo reports are out of the archive.');
        return EXIT.done;
      case 'redecode':
        return redecodeScope(client, command.scope, read.config, stop);
      case 'files':
        return loadFolder(client, command, read.config, stop);
      case 'load':
        return loadRange(client, command, read.config, stop);
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
  const { decoded, left } = await work.finally(steps.end);
  console.log(`${decoded} reports read again by decoder ${DECODER_VERSION}, ${left} are left`);
  if (stop.afterSlice.aborted) {
    console.log('Interrupted: the same command goes on from here.');
    return EXIT.interrupted;
  }
  return left === 0 ? EXIT.done : EXIT.daysLeft;
}

async function loadFolder(
  client: ClickHouseClient,
  command: FilesCommand,
  { logFormat }: Config,
  stop: Interruption,
): Promise<number> {
  const display = displayOn(process.stderr, logFormat);
  const progress = new Progress(display);
  const work = loadFiles(client, command, progress, stop.afterSlice, stop.now);
  const unread = await work.finally(display.end);
  const { tally } = progress;
  console.log(
    `${tally.slicesDone} of ${tally.slices} files loaded: ${tally.reports} reports, ${tally.inserted} new`,
  );
  for (const [reason, rows] of Object.entries(tally.skipped)) console.log(`${rows} rows skipped: ${reason}`);
  if (stop.afterSlice.aborted) {
    console.log('Interrupted: the same command goes on from here.');
    return EXIT.interrupted;
  }
  return unread === 0 && tally.slices > 0 ? EXIT.done : EXIT.daysLeft;
}

async function loadRange(
  client: ClickHouseClient,
  command: LoadCommand,
  { hosts, userAgent, logFormat }: Config,
  stop: Interruption,
): Promise<number> {
  const origin = ORIGINS[command.source](hosts[command.source]);
  const { parallel, ...courtesy } =
    origin.kind === 'remote' ? origin.courtesy : { intervalSeconds: 0, parallel: 1 };
  const intervalSeconds = command.intervalSeconds ?? courtesy.intervalSeconds;
  const display = displayOn(process.stderr, logFormat);
  const progress = new Progress(display);
  const line = {
    pace: new Pace(intervalSeconds, parallel),
    intervalSeconds,
    userAgent,
    trouble: { faults: 0 },
    signal: stop.now,
    watch: progress,
  };
  const site = { client, origin, line, minutes: new Minutes(), listed: new Set<string>() };
  if (command.dryRun) {
    for (const told of dryRunLines(origin, await missingSlices(site, command), intervalSeconds))
      console.log(told);
    return EXIT.done;
  }
  const work = backfill(site, command, progress, stop.afterSlice);
  const { daysLeft, stationsLeft } = await work.finally(display.end);

  const { tally } = progress;
  console.log(`${tally.slicesDone} of ${tally.slices} slices loaded: ${counts(tally)}`);
  if (tally.slicesEmpty > 0) console.log(`${tally.slicesEmpty} of them hold no reports`);
  for (const [reason, rows] of Object.entries(tally.skipped)) console.log(`${rows} rows skipped: ${reason}`);
  if (stop.afterSlice.aborted) {
    console.log('Interrupted: the same command goes on from here.');
    return EXIT.interrupted;
  }
  if (daysLeft === 0) return EXIT.done;
  const some = stationsLeft.slice(0, 20).join(', ') + (stationsLeft.length > 20 ? ', ...' : '');
  console.log(`${daysLeft} days are not done, of ${some}: the same command asks for them again.`);
  return EXIT.daysLeft;
}

type Interruption = { readonly afterSlice: AbortSignal; readonly now: AbortSignal };

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

try {
  process.exitCode = await main();
} catch (error) {
  const unreachable = storageFailure(error) !== 'unknown';
  if (error instanceof Error && error.name === 'AbortError') process.exitCode = EXIT.interrupted;
  else {
    say(
      unreachable
        ? `The archive cannot be reached: ${String(error)}`
        : String((error as Error).stack ?? error),
    );
    process.exitCode = unreachable ? EXIT.noArchive : EXIT.failed;
  }
}
