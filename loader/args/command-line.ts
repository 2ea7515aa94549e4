import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { addDays, type Day, dayOf, FIRST_DAY } from '../../clickhouse/model/day.ts';
import type { Scope } from '../../clickhouse/model/time-window.ts';
import { once, parseArguments, required } from '../../clickhouse/program-arguments.ts';
import { describeSettings } from '../../clickhouse/settings/settings.ts';
import { SETTINGS } from '../config.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { SOURCE_NAMES, STATION_LIST_NAMES } from '../sources/registry.ts';
import type { Command as LoaderCommand } from './command.ts';
import {
  parseDayOption,
  parseEvery,
  parseInterval,
  parsePath,
  parseSample,
  parseSources,
  parseStations,
  readStationFile,
  refuseEarlierDays,
  refuseUnfollowable,
  stationsFor,
} from './option-values.ts';

type CommandLine =
  | { readonly kind: 'command'; readonly command: LoaderCommand }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'mistake'; readonly text: string };

/** Reads the arguments of `npm run load`, up to the first mistake. */
export function readCommandLine(args: readonly string[]): CommandLine {
  let command: LoaderCommand | undefined;
  const program = new Command()
    .description('Fills the archive of METAR and SPECI reports from open sources.')
    .usage('[command] [options]')
    .helpCommand(false)
    .configureHelp({
      commandUsage: (each) => `npm run load -- ${each.usage()}`,
      subcommandTerm: (each) => each.usage().split(' --', 1).join(),
    })
    .addHelpText('after', SETTINGS_HELP)
    .addHelpText('afterAll', EXIT_CODES_HELP)
    .allowExcessArguments()
    .hook('preAction', (_, { args: [word] }) => {
      if (word !== undefined)
        throw new InvalidArgumentError(
          `${word} is not expected here; write a list with commas and no spaces, like KJFK,EGLL`,
        );
    });
  addCommands(program, (given) => {
    command = given;
  });
  const parsed = parseArguments(program, withCommandWord(args));
  if (parsed.kind !== 'accepted') return parsed;
  return { kind: 'command', command: command ?? assert.fail('no action has run') };
}

/** Adds the command's word if the options alone imply it: those of a load, and `--source files` or `snapshot`. */
function withCommandWord(args: readonly string[]): readonly string[] {
  if (/^([^-]|-h$|--help$)/.test(args[0] ?? '')) return args;
  const [, word = 'load'] = /(?:^| )--source[ =](files|snapshot)(?: |$)/.exec(args.join(' ')) ?? [];
  return [word, ...args];
}

const SETTINGS_HELP = `
With --help, each command prints its own options:
  npm run load -- --source iem --help

Settings are environment variables; docs/operations.md says what each does:
${describeSettings(SETTINGS)}`;

const EXIT_CODES_HELP = `
Exit codes:
${Object.values(EXIT_CODES)
  .map(({ code, meaning }) => `  ${String(code).padEnd(3)}  ${meaning}`)
  .join('\n')}`;

const SOURCE = option(
  '--source <names>',
  `${SOURCE_NAMES.join(', ')}, or several at the same time: iem,ogimet,ncei; demo generates synthetic reports for the stations XAAA to XZZZ`,
  parseSources,
);
const STATIONS = option('--stations <codes>', 'ICAO codes separated by commas, or all', parseStations);
const STATIONS_FILE = option(
  '--stations-file <file>',
  'file of ICAO codes, instead of --stations; # starts a comment',
  readStationFile,
).conflicts('stations');
const FROM = option('--from <day>', `first UTC day, ${FIRST_DAY} or later`, parseDayOption);
const TO = option('--to <day>', 'the UTC day after the last one', parseDayOption);
const INTERVAL = option(
  '--interval <seconds>',
  'seconds between the starts of two requests, instead of the interval of the source',
  parseInterval,
);

function option<Flags extends string, Value>(
  flags: Flags,
  description: string,
  parse: (text: string) => Value,
) {
  return new Option(flags, description).argParser(once(parse));
}

/** Adds every loader command; what the user wrote goes to `accept`. */
function addCommands(program: Command, accept: (command: LoaderCommand) => void): void {
  const add = (name: string, description: string, usage = name) =>
    program.command(name).description(description).usage(usage);
  const addForStations = (...command: Parameters<typeof add>) =>
    add(...command)
      .addOption(STATIONS)
      .addOption(STATIONS_FILE);
  const addForScope = (...command: Parameters<typeof add>) =>
    addForStations(...command)
      .addOption(FROM)
      .addOption(TO);

  addForScope(
    'load',
    'loads reports from one or more sources',
    '--source NAMES --stations CODES --from DAY --to DAY',
  )
    .addOption(SOURCE)
    .option(
      '--priority-file <file>',
      'file of ICAO codes of the stations to load first',
      once(readStationFile),
    )
    .addOption(INTERVAL)
    .addOption(
      new Option(
        '--order <order>',
        'load the newest or the oldest year of all stations first, instead of station by station',
      ).choices(['newest', 'oldest']),
    )
    .option('--again', 'also request days that are done')
    .option('--dry-run', 'print the slices and the number of requests, and send no request')
    .action((options) => {
      const { interval: intervalSeconds, priorityFile: priority, order } = options;
      const { again = false, dryRun = false } = options;
      const sources = required('--source NAMES', options.source);
      const stations = stationsFor(sources, stationsIn(options));
      const firstDay = required('--from DAY', options.from);
      const endDay = required('--to DAY', options.to);
      refuseEarlierDays(firstDay);
      refuseEmptyRange(firstDay, endDay);
      const days = { firstDay, endDay };
      accept({ kind: 'load', sources, stations, ...days, intervalSeconds, order, priority, again, dryRun });
    });

  addForStations(
    'follow',
    'keeps the archive up to date until it is stopped',
    'follow --source NAMES --stations CODES',
  )
    .addOption(SOURCE)
    .option('--from <day>', 'first UTC day to keep up to date (30 days ago)', once(parseDayOption))
    .addOption(INTERVAL)
    .option('--every <time>', 'from the start of a cycle to the start of the next (1h)', once(parseEvery))
    .action(({ every: everySeconds = 3600, ...options }) => {
      const sources = required('--source NAMES', options.source);
      const stations = stationsFor(sources, stationsIn(options));
      const { from: firstDay, interval: intervalSeconds } = options;
      if (firstDay !== undefined) refuseEarlierDays(firstDay);
      if (firstDay !== undefined && firstDay > dayOf(Date.now() / 1000))
        throw new InvalidArgumentError(`--from must not be in the future; found ${firstDay}`);
      refuseUnfollowable(sources, stations, everySeconds, intervalSeconds);
      accept({ kind: 'follow', sources, stations, everySeconds, firstDay, intervalSeconds });
    });

  addForScope('files', 'loads local files in the formats of the sources', '--source files --path DIR')
    .option('--source <name>', 'files')
    .option('--path <dir>', 'folder of the files, gzipped or not', once(parsePath))
    .action((options) => {
      const path = required('--path DIR', options.path);
      if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
        throw new InvalidArgumentError(
          `--path must be the folder of the files; found ${JSON.stringify(path)}`,
        );
      accept({ kind: 'files', path, scope: scopeOf(options) });
    });

  add(
    'snapshot',
    'adds the parts of an exported snapshot that the archive lacks',
    '--source snapshot --path DIR',
  )
    .option('--source <name>', 'snapshot')
    .option('--path <dir>', 'folder of the snapshot, or its https:// address', once(parsePath))
    .option(
      '--decode-again',
      'ignore the decoded fields of the snapshot and decode every report from its text',
    )
    .action(({ path, decodeAgain = false }) =>
      accept({ kind: 'snapshot', path: required('--path DIR', path), decodeAgain }),
    );

  addForStations('export', 'writes a snapshot of the archive as Parquet files', 'export --to DIR')
    .option(
      '--to <dir>',
      'folder for the snapshot: new, empty, or from an earlier export, whose unchanged files are kept',
      once(parsePath),
    )
    .addOption(FROM)
    .option('--to-day <day>', 'the UTC day after the last one; --to names the folder', once(parseDayOption))
    .action(({ to, toDay, ...options }) => {
      const folder = required('--to DIR', to);
      accept({ kind: 'export', folder, scope: scopeOf({ ...options, to: toDay }, '--to-day') });
    });

  addForStations('status', 'prints the coverage of each year; with --stations, of each station')
    .option('--json', 'print one JSON text, for programs')
    .action((options) =>
      accept({ kind: 'status', detail: stationsIn(options), json: options.json ?? false }),
    );

  addForScope('gaps', 'prints the days that are missing or have few reports, as commands that load them')
    .option('--all', 'also the days that no load has requested, for every station that a source lists')
    .action((options) => accept({ kind: 'gaps', scope: scopeOf(options), all: options.all ?? false }));

  addForScope('verify', 'requests a sample of the done slices again and compares every report')
    .addOption(SOURCE)
    .addOption(INTERVAL)
    .option('--sample <n>', 'number of slices to compare (10)', once(parseSample))
    .action(({ sample = 10, source: sources = SOURCE_NAMES, interval: intervalSeconds, ...options }) =>
      accept({ kind: 'verify', sample, sources, scope: scopeOf(options), intervalSeconds }),
    );

  addForScope('redecode', 'decodes again the reports that an older decoder decoded').action((options) =>
    accept({ kind: 'redecode', scope: scopeOf(options) }),
  );

  const lists = new Intl.ListFormat('en-US').format(STATION_LIST_NAMES);
  add('stations', `fetches names, countries and positions of stations from ${lists}`).action(() =>
    accept({ kind: 'stations' }),
  );
  add('remove-demo', 'deletes the synthetic demo reports').action(() => accept({ kind: 'remove-demo' }));
  add('migrate', 'creates or updates the schema of the archive').action(() => accept({ kind: 'migrate' }));
}

type StationOptions = {
  readonly stations?: readonly string[] | 'all';
  readonly stationsFile?: readonly string[];
};

/** Codes; an empty list for all stations; `undefined` if neither option is given. */
function stationsIn({ stations, stationsFile }: StationOptions): readonly string[] | undefined {
  return stationsFile ?? (stations === 'all' ? [] : stations);
}

type ScopeOptions = StationOptions & { readonly from?: Day; readonly to?: Day | undefined };

function scopeOf({ from = FIRST_DAY, to, ...options }: ScopeOptions, endOption = '--to'): Scope {
  const firstDay = from < FIRST_DAY ? FIRST_DAY : from;
  if (to !== undefined) refuseEmptyRange(firstDay, to, endOption);
  const endDay = to ?? addDays(dayOf(Date.now() / 1000), 1);
  return { stations: stationsIn(options) ?? [], firstDay, endDay };
}

function refuseEmptyRange(firstDay: Day, endDay: Day, endOption = '--to'): void {
  if (firstDay >= endDay)
    throw new InvalidArgumentError(
      `${endOption} must be after --from, because it is the day after the last one; for one day write --from ${firstDay} ${endOption} ${addDays(firstDay, 1)}`,
    );
}
