import { statSync } from 'node:fs';
import type { Day } from '../../clickhouse/model/day.ts';
import { SOURCE_NAMES, type SourceName } from '../sources/registry.ts';
import { commandOf, splitCommandLine } from './command-line.ts';
import { COMMAND_WORDS } from './commands.ts';
import { readFollow } from './follow-args.ts';
import { readLoad, readSources } from './load-args.ts';
import type { OptionValues, Order } from './options.ts';
import { readOptions } from './read-options.ts';
import { readScope, readStations, type Scope, type StatusDetail } from './scope.ts';

export type Preference = {
  /** The newest or the oldest year of all stations first; `undefined`: station by station. */
  readonly order: Order | undefined;
  /** Stations that are loaded before all others. */
  readonly priority: readonly string[];
};

export type LoadCommand = {
  readonly kind: 'load';
  /** At least one; loaded at the same time. */
  readonly sources: readonly SourceName[];
  /** ICAO codes, or `ALL_STATIONS` alone. */
  readonly stations: readonly string[];
  readonly firstDay: Day;
  readonly endDay: Day;
  /** `undefined`: the interval of the source's rate limit. */
  readonly intervalSeconds: number | undefined;
  readonly preference: Preference;
  /** Also request days that are done. */
  readonly again: boolean;
  readonly dryRun: boolean;
};

/** Keeps the archive up to date from these sources until it is stopped (D51). */
export type FollowCommand = Pick<LoadCommand, 'sources' | 'stations' | 'intervalSeconds'> & {
  readonly kind: 'follow';
  /** From the start of a cycle to the start of the next. */
  readonly everySeconds: number;
  /** The first day that is kept up to date; `undefined`: some days back. */
  readonly firstDay: Day | undefined;
};

/** Loads the files of a folder, those reports of them that are in the scope. */
export type ImportCommand = { readonly kind: 'files'; readonly path: string; readonly scope: Scope };

/** Adds a snapshot, in a folder or below an `https://` address. */
export type SnapshotCommand = { readonly kind: 'snapshot'; readonly path: string };

/** Writes a snapshot of the part of the archive that is in the scope. */
export type ExportCommand = { readonly kind: 'export'; readonly folder: string; readonly scope: Scope };

export type VerifyCommand = {
  readonly kind: 'verify';
  /** Number of slices to compare. */
  readonly sample: number;
  readonly sources: readonly SourceName[];
  readonly scope: Scope;
  readonly intervalSeconds: number | undefined;
};

export type Command =
  | LoadCommand
  | FollowCommand
  | ImportCommand
  | ExportCommand
  | SnapshotCommand
  | VerifyCommand
  | { readonly kind: 'redecode' | 'gaps'; readonly scope: Scope }
  | { readonly kind: 'status'; readonly detail: StatusDetail; readonly json: boolean }
  | { readonly kind: 'remove-demo' | 'migrate' | 'stations' };

const DEFAULT_SAMPLE = 10;

/** Reads the command line; each error is added to `errors`, with what to write instead. */
export function readCommand(args: readonly string[], errors: string[]): Command | undefined {
  const line = splitCommandLine(args, errors);
  const command = commandOf(line);
  const [word, ...more] = line.words;
  if (command === undefined) {
    errors.push(`${word} is not a command: write ${COMMAND_WORDS.join(' or ')}, or options alone to load`);
    return undefined;
  }
  if (more.length > 0) errors.push(`${word} takes no further words: leave out ${more.join(' ')}`);
  const options = new Map(line.options);
  if (command === 'files' || command === 'snapshot') options.delete('source');
  const values = readOptions(command, options, errors);
  switch (command) {
    case 'load':
      return readLoad(values, errors);
    case 'follow':
      return readFollow(values, errors);
    case 'files':
      return readImport(values, errors);
    case 'snapshot':
      return values.path === undefined ? undefined : { kind: command, path: values.path };
    case 'export':
      return readExport(values, errors);
    case 'verify':
      return readVerify(values, errors);
    case 'status':
      return { kind: command, detail: readStations(values, errors), json: values.json ?? false };
    case 'gaps':
    case 'redecode':
      return { kind: command, scope: readScope(values, errors) };
    default:
      return { kind: command };
  }
}

function readImport(values: OptionValues, errors: string[]): ImportCommand | undefined {
  const { path } = values;
  if (path === undefined) return undefined;
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    errors.push(`--path must be the folder of the files; found ${JSON.stringify(path)}`);
  return { kind: 'files', path, scope: readScope(values, errors) };
}

function readExport(
  { folder, 'to-day': to, ...values }: OptionValues,
  errors: string[],
): ExportCommand | undefined {
  const { from } = values;
  const isNoRange = from !== undefined && to !== undefined && from >= to;
  if (isNoRange) errors.push('--to-day must be after --from, because it is the day after the last one');
  const scope = readScope({ ...values, ...(to && !isNoRange && { to }) }, errors);
  return folder === undefined ? undefined : { kind: 'export', folder, scope };
}

function readVerify(values: OptionValues, errors: string[]): VerifyCommand {
  return {
    kind: 'verify',
    sample: values.sample ?? DEFAULT_SAMPLE,
    sources: readSources(values, errors) ?? SOURCE_NAMES,
    scope: readScope(values, errors),
    intervalSeconds: values.interval,
  };
}
