import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { addDays, type Day, dayOf, FIRST_DAY } from '../../clickhouse/model/day.ts';
import { once, required } from '../../clickhouse/program-arguments.ts';
import { SOURCE_NAMES, STATION_LIST_NAMES } from '../sources/registry.ts';
import type { Command as LoaderCommand, Scope } from './command.ts';
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

const DEFAULT_EVERY_SECONDS = 3600;
const DEFAULT_SAMPLE = 10;

const SOURCE = new Option(
  '--source <names>',
  `${SOURCE_NAMES.join(', ')}, or several at the same time: iem,ogimet,ncei; demo generates synthetic reports of the stations XAAA to XZZZ`,
).argParser(once(parseSources));
const STATIONS = new Option('--stations <codes>', 'ICAO codes separated by commas, or all').argParser(
  once(parseStations),
);
const STATIONS_FILE = new Option(
  '--stations-file <file>',
  'file of ICAO codes, instead of --stations; # starts a comment',
)
  .argParser(once(readStationFile))
  .conflicts('stations');
const FROM = new Option('--from <day>', `first UTC day, ${FIRST_DAY} or later`).argParser(
  once(parseDayOption),
);
const TO = new Option('--to <day>', 'the UTC day after the last one').argParser(once(parseDayOption));
const INTERVAL = new Option(
  '--interval <seconds>',
  'seconds between the starts of two requests, instead of the interval of the source',
).argParser(once(parseInterval));

/** Adds every loader command; what the user wrote goes to `accept`. */
export function addCommands(program: Command, accept: (command: LoaderCommand) => void): void {
  program
    .command('load')
    .usage('--source NAMES --stations CODES --from DAY --to DAY')
    .description('loads reports from one or more sources')
    .addOption(SOURCE)
    .addOption(STATIONS)
    .addOption(STATIONS_FILE)
    .option('--priority-file <file>', 'file of the stations that are loaded first', once(readStationFile))
    .addOption(FROM)
    .addOption(TO)
    .addOption(INTERVAL)
    .addOption(
      new Option(
        '--order <order>',
        'load that year of all stations first, instead of station by station',
      ).choices(['newest', 'oldest']),
    )
    .option('--again', 'also request days that are done')
    .option('--dry-run', 'print the slices and the number of requests, and send no request')
    .action((options) => {
      const sources = required('--source NAMES', options.source);
      const stations = stationsFor(sources, stationsIn(options));
      const firstDay = required('--from DAY', options.from);
      const endDay = required('--to DAY', options.to);
      refuseEarlierDays(firstDay);
      refuseEmptyRange(firstDay, endDay);
      accept({
        kind: 'load',
        sources,
        stations,
        firstDay,
        endDay,
        intervalSeconds: options.interval,
        preference: { order: options.order, priority: options.priorityFile ?? [] },
        again: options.again ?? false,
        dryRun: options.dryRun ?? false,
      });
    });

  program
    .command('follow')
    .usage('follow --source NAMES --stations CODES')
    .description('keeps the archive up to date until it is stopped')
    .addOption(SOURCE)
    .addOption(STATIONS)
    .addOption(STATIONS_FILE)
    .option('--from <day>', 'first UTC day to keep up to date (30 days ago)', once(parseDayOption))
    .addOption(INTERVAL)
    .option('--every <time>', 'from the start of a cycle to the start of the next (1h)', once(parseEvery))
    .action((options) => {
      const sources = required('--source NAMES', options.source);
      const stations = stationsFor(sources, stationsIn(options));
      const {
        from: firstDay,
        interval: intervalSeconds,
        every: everySeconds = DEFAULT_EVERY_SECONDS,
      } = options;
      if (firstDay !== undefined) refuseEarlierDays(firstDay);
      if (firstDay !== undefined && firstDay > dayOf(Date.now() / 1000))
        throw new InvalidArgumentError(`--from must be a day that has begun; found ${firstDay}`);
      refuseUnfollowable(sources, stations, everySeconds, intervalSeconds);
      accept({ kind: 'follow', sources, stations, everySeconds, firstDay, intervalSeconds });
    });

  program
    .command('files')
    .usage('--source files --path DIR')
    .description('loads local files in the formats of the sources')
    .option('--source <name>', 'files')
    .option('--path <dir>', 'folder of the files, gzipped or not', once(parsePath))
    .addOption(STATIONS)
    .addOption(STATIONS_FILE)
    .addOption(FROM)
    .addOption(TO)
    .action((options) => {
      const path = required('--path DIR', options.path);
      if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
        throw new InvalidArgumentError(
          `--path must be the folder of the files; found ${JSON.stringify(path)}`,
        );
      accept({ kind: 'files', path, scope: scopeOf(options) });
    });

  program
    .command('snapshot')
    .usage('--source snapshot --path DIR')
    .description('adds what the archive lacks of a snapshot that export has written')
    .option('--source <name>', 'snapshot')
    .option('--path <dir>', 'folder of the snapshot, or its https:// address', once(parsePath))
    .option('--decode-again', 'take no decoded field of the snapshot: decode every report from its text')
    .action(({ path, decodeAgain = false }) =>
      accept({ kind: 'snapshot', path: required('--path DIR', path), decodeAgain }),
    );

  program
    .command('export')
    .usage('export --to DIR')
    .description('writes a snapshot of the archive as Parquet files')
    .option(
      '--to <dir>',
      'folder of the snapshot: a new or empty one, or that of an earlier export, of which unchanged files stay',
      once(parsePath),
    )
    .addOption(STATIONS)
    .addOption(STATIONS_FILE)
    .addOption(FROM)
    .option(
      '--to-day <day>',
      'the UTC day after the last one, because --to is the folder',
      once(parseDayOption),
    )
    .action(({ to, toDay, ...options }) => {
      const folder = required('--to DIR', to);
      accept({ kind: 'export', folder, scope: scopeOf({ ...options, to: toDay }, '--to-day') });
    });

  program
    .command('status')
    .usage('status')
    .description('prints the coverage of each year; with --stations, of each station')
    .addOption(STATIONS)
    .addOption(STATIONS_FILE)
    .option('--json', 'print one JSON text, for programs')
    .action((options) =>
      accept({ kind: 'status', detail: stationsIn(options), json: options.json ?? false }),
    );

  program
    .command('gaps')
    .usage('gaps')
    .description('prints the days that are missing or have few reports, as commands that load them')
    .addOption(STATIONS)
    .addOption(STATIONS_FILE)
    .addOption(FROM)
    .addOption(TO)
    .option('--all', 'also days that no load has asked for, of every station that a source lists')
    .action((options) => accept({ kind: 'gaps', scope: scopeOf(options), all: options.all ?? false }));

  program
    .command('verify')
    .usage('verify')
    .description('requests a sample of the done slices again and compares every report')
    .addOption(SOURCE)
    .addOption(STATIONS)
    .addOption(STATIONS_FILE)
    .addOption(FROM)
    .addOption(TO)
    .addOption(INTERVAL)
    .option('--sample <n>', 'number of slices to compare (10)', once(parseSample))
    .action((options) =>
      accept({
        kind: 'verify',
        sample: options.sample ?? DEFAULT_SAMPLE,
        sources: options.source ?? SOURCE_NAMES,
        scope: scopeOf(options),
        intervalSeconds: options.interval,
      }),
    );

  program
    .command('redecode')
    .usage('redecode')
    .description('decodes the reports again that an older decoder has decoded')
    .addOption(STATIONS)
    .addOption(STATIONS_FILE)
    .addOption(FROM)
    .addOption(TO)
    .action((options) => accept({ kind: 'redecode', scope: scopeOf(options) }));

  for (const [kind, description] of [
    ['stations', `fetches names, countries and positions of stations from ${LIST_NAMES}`],
    ['remove-demo', 'deletes the synthetic demo reports'],
    ['migrate', 'creates or updates the schema of the archive'],
  ] as const)
    program
      .command(kind)
      .usage(kind)
      .description(description)
      .action(() => accept({ kind }));
}

const LIST_NAMES = new Intl.ListFormat('en-US').format(STATION_LIST_NAMES);

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
