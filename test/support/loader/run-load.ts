import { EventEmitter } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import type { Archive } from '../../../clickhouse/archive.ts';
import { readLogFormat } from '../../../clickhouse/settings/settings.ts';
import { readCommandLine } from '../../../loader/command-line.ts';
import { type FilesToImport, importFiles } from '../../../loader/commands/import/import-files.ts';
import { backfill } from '../../../loader/commands/load/backfill.ts';
import { readConfig } from '../../../loader/config.ts';
import { EXIT_CODES } from '../../../loader/exit-codes.ts';
import { createSourceClient } from '../../../loader/http/fetch-with-retry.ts';
import type { Timer } from '../../../loader/http/retry-policy.ts';
import { interruptOnSignals } from '../../../loader/interruption.ts';
import { loadContext, startRun } from '../../../loader/pipeline/load-slice.ts';
import { countStationDays, type LoadCommand, readRemainingDaysOf } from '../../../loader/plan/slices.ts';
import { consoleOutput } from '../../../loader/progress/display.ts';
import { loadProgress, type Tally } from '../../../loader/progress/load-progress.ts';
import { demo } from '../../../loader/sources/demo/demo.ts';
import type { SourceAdapter } from '../../../loader/sources/source.ts';
import { NO_LIMIT, type TestArchive } from '../archive/archive.ts';
import type { Finished } from '../process.ts';
import { newFolder } from '../test-run.ts';

export type LoadRun = {
  readonly failed: number;
  readonly daysLeft: number;
  readonly stationsLeft: readonly string[];
  readonly tally: Tally;
  readonly messages: readonly string[];
};

/** A clock that a pause moves on at once. */
export function fastTimer(): Timer {
  let now = 0;
  const sleep = async (ms: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    now += ms;
  };
  return { elapsedMs: () => now, sleep };
}

/** Runs one `load` command in this process, which waits for no source, against an archive and a source of the test. */
export async function loadWith(
  client: Archive,
  adapter: SourceAdapter,
  args: string,
  timer = fastTimer(),
): Promise<LoadRun> {
  const command = readCommand<LoadCommand>(args);
  if (command.kind !== 'load') throw new Error(`${args} is not a load`);
  const messages: string[] = [];
  const progress = loadProgress({
    begin: () => {},
    log: (text) => messages.push(text),
  });
  const now = () => new Date();
  const options = { userAgent: 'test', signal: NO_LIMIT, events: progress.events, now };
  const sourceClient = createSourceClient({ intervalSeconds: 0, parallel: 1 }, options, timer);
  const run = startRun(client, now);
  const context = loadContext(run, adapter, sourceClient);
  const failed = await backfill(context, command, { progress, stop: NO_LIMIT });
  await run.writer.close();
  const remaining = await readRemainingDaysOf([context], command);
  return {
    failed,
    daysLeft: countStationDays(remaining),
    stationsLeft: [...remaining.keys()],
    tally: progress.tally,
    messages,
  };
}

/** Imports files, which are put into a folder by their names, with further options of the command. */
export async function importInto(
  client: Archive,
  files: Readonly<Record<string, string | Buffer>>,
  { more = '', folder = newFolder(), afterSlice = NO_LIMIT } = {},
): Promise<{ readonly said: readonly string[]; readonly tally: Tally }> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  const command = readCommand<{ readonly kind: 'import' } & FilesToImport>(`import ${folder}${more}`);
  const said: string[] = [];
  const progress = loadProgress({ begin() {}, log: (text) => said.push(text) });
  await importFiles(client, command, progress, { afterSlice, now: NO_LIMIT });
  return { said, tally: progress.tally };
}

/** Runs a command line over an archive as the program does, in this process. */
export async function runLoader(
  { url, database }: Pick<TestArchive, 'url' | 'database'>,
  line: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const command = readCommandLine(line.split(' '));
  const environment = { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, ...settings };
  const read = readConfig(environment);
  if (command.kind !== 'command' || read.kind === 'invalid') throw new Error(JSON.stringify([command, read]));
  const printed = { stdout: '', stderr: '', out: '' };
  const into = (name: 'stdout' | 'stderr') =>
    new Writable({
      write(bytes, _, done) {
        printed[name] += bytes;
        printed.out += bytes;
        done();
      },
    });
  const shape = { format: readLogFormat(environment), isQuiet: command.isQuiet };
  const output = consoleOutput(into('stdout'), into('stderr'), shape);
  const stop = interruptOnSignals(output.log, new EventEmitter());
  const reason = await command.run({ config: read.config, stop, output });
  return { code: EXIT_CODES[reason].code, ...printed };
}

/** Loads the first days of the demo archive, which every new installation holds too. */
export async function loadDemo(client: Archive): Promise<void> {
  await loadWith(client, demo(), '--source demo --stations XAAA,XAAB --from 2024-01-01 --to 2024-01-08');
}

/**
 * The command of one line of arguments.
 *
 * @throws Error with the mistake in it
 */
export function readCommand<Command extends { readonly kind: string }>(line: string): Command {
  const read = readCommandLine(line.split(' '));
  if (read.kind !== 'command') throw new Error(read.text);
  return read.command as Command;
}
