import { parseArgs } from 'node:util';
import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { addDays, type Day, FIRST_DAY } from '../../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../../clickhouse/model/report.ts';
import { ORDERS, type Order, type Preference } from '../../plan/schedule.ts';
import { isSourceName, SOURCE_ADAPTERS, type SourceName } from '../../sources/registry.ts';
import { type ImportCommand, readImportArgs } from './import-args.ts';
import { ICAO_WANTED, readDay, readInterval, readSample, refuseStations, shown } from './option.ts';
import { readDetail, readScope, SCOPE_OPTIONS, type Scope, type StatusDetail } from './scope.ts';
import { readStationFile } from './station-file.ts';

export type LoadCommand = {
  readonly kind: 'load';
  /** At least one; loaded side by side. */
  readonly sources: readonly SourceName[];
  /** ICAO codes, or `EVERY_STATION` alone. */
  readonly stations: readonly string[];
  readonly firstDay: Day;
  readonly endDay: Day;
  /** `undefined`: the pace that the source asks for. */
  readonly intervalSeconds: number | undefined;
  readonly preference: Preference;
  /** Ask also for days that are done. */
  readonly again: boolean;
  /** Only tell what would be asked for. */
  readonly dryRun: boolean;
};

export type VerifyCommand = {
  readonly kind: 'verify';
  /** How many slices are asked for again. */
  readonly sample: number;
  readonly sources: readonly SourceName[];
  readonly scope: Scope;
  readonly intervalSeconds: number | undefined;
};

export type Command =
  | LoadCommand
  | ImportCommand
  | { readonly kind: 'redecode' | 'gaps'; readonly scope: Scope }
  | VerifyCommand
  | { readonly kind: 'status'; readonly detail: StatusDetail }
  | { readonly kind: 'remove-demo' }
  | { readonly kind: 'migrate' }
  | { readonly kind: 'help' };

const OPTIONS = {
  source: { type: 'string' },
  stations: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  interval: { type: 'string' },
  path: { type: 'string' },
  'stations-file': { type: 'string' },
  'priority-file': { type: 'string' },
  order: { type: 'string' },
  again: { type: 'boolean' },
  sample: { type: 'string' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
type Option = keyof typeof OPTIONS;

/** Every command but loading, and the options that it takes. */
const COMMANDS = {
  status: ['stations', 'stations-file'],
  gaps: SCOPE_OPTIONS,
  redecode: SCOPE_OPTIONS,
  verify: [...SCOPE_OPTIONS, 'source', 'sample', 'interval'],
  'remove-demo': [],
  migrate: [],
} as const satisfies Record<string, readonly Option[]>;

export const USAGE = `Fills the archive of METAR and SPECI reports from an open source.

  npm run load -- --source iem --stations KJFK,EGLL --from 2024-01-01 --to 2024-02-01 [--interval SECONDS]
  npm run load -- --source files --path DIR   files in the formats of the sources, such as a mirror
  npm run load -- status         what the archive holds and lacks, by year; with --stations one by one
  npm run load -- gaps           which days are missing or doubtful, as commands that ask for them
  npm run load -- verify         asks again for some slices that are done (--sample 10) and compares report for report
  npm run load -- redecode       lets a newer decoder read the archived reports again
  npm run load -- remove-demo    takes the synthetic demo reports out

  --source    ${Object.keys(SOURCE_ADAPTERS).join(', ')}, or several side by side: iem,ogimet,ncei; demo makes synthetic reports of stations XAAA, XAAB, ... XZZZ
  --stations  ICAO codes with commas between them, or all, which iem is asked for day by day
  --from      first UTC day, ${FIRST_DAY} or later
  --to        the UTC day after the last one
  --interval  seconds between the starts of two requests, instead of the pace that the source asks for
  --stations-file FILE   stations from a file, instead of --stations
  --priority-file FILE   stations that are loaded before the others
  --order     newest or oldest: that year of all stations first, instead of station by station
  --again     ask also for days that are done
  --dry-run   tell what would be asked for, and ask nothing

Exit codes: 0 every day of the range that is old enough is done; 1 unexpected failure; 2 wrong arguments or settings;
3 some days are not done, run it again; 4 the archive cannot be reached; 130 interrupted.`;

/** Reads the command line; every mistake is added to `mistakes`, with what to write instead. */
export function readCommand(args: readonly string[], mistakes: string[]): Command | undefined {
  const { tokens } = parseArgs({ args: [...args], options: OPTIONS, strict: false, tokens: true });
  const words: string[] = [];
  const values = new Map<Option, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    if (!isOption(token.name)) mistakes.push(`${token.rawName} is not known: see --help`);
    else if (values.has(token.name)) mistakes.push(`${token.rawName} is given twice: write it once`);
    else values.set(token.name, token.value ?? '');
  }
  if (values.has('help')) return { kind: 'help' };
  const [word, ...more] = words;
  if (word === undefined)
    return values.get('source') === 'files' ? readImportArgs(values, mistakes) : readLoad(values, mistakes);
  if (!isCommand(word)) {
    mistakes.push(
      `${word} is no command: write ${Object.keys(COMMANDS).join(' or ')}, or options alone to load`,
    );
    return undefined;
  }
  if (more.length > 0) mistakes.push(`nothing may follow ${word}, but there is: ${more.join(' ')}`);
  const taken: readonly Option[] = COMMANDS[word];
  const others = [...values.keys()].filter((option) => !taken.includes(option));
  if (others.length > 0)
    mistakes.push(
      `${word} takes no ${taken.length > 0 ? 'such ' : ''}options: leave out --${others.join(', --')}`,
    );
  switch (word) {
    case 'gaps':
    case 'redecode':
      return { kind: word, scope: readScope(values, mistakes) };
    case 'verify':
      return readVerify(values, mistakes);
    case 'status':
      return { kind: word, detail: readDetail(values, mistakes) };
    default:
      return { kind: word };
  }
}

function readLoad(values: ReadonlyMap<Option, string>, mistakes: string[]): LoadCommand | undefined {
  const sources = readSources(values.get('source') ?? '', mistakes);
  if (values.has('path')) mistakes.push('--path is for --source files alone: leave it out');
  const stations = readStations(values, sources, mistakes);
  const priority = values.get('priority-file');
  const preference = {
    order: readOrder(values.get('order'), mistakes),
    priority: priority === undefined ? [] : readStationFile('priority-file', priority, mistakes),
  };
  const firstDay = readDay('from', values.get('from'), mistakes);
  const endDay = readDay('to', values.get('to'), mistakes);
  if (firstDay !== undefined && firstDay < FIRST_DAY)
    mistakes.push(`--from is ${firstDay}, but the archive begins on ${FIRST_DAY}: write that or a later day`);
  if (firstDay !== undefined && endDay !== undefined && firstDay >= endDay)
    mistakes.push(
      `--to is not after --from: the last day loaded is the one before --to, so one day is --from ${firstDay} --to ${addDays(firstDay, 1)}`,
    );
  const intervalSeconds = readInterval(values.get('interval'), mistakes);
  if (firstDay === undefined || endDay === undefined) return undefined;
  const again = values.has('again');
  const dryRun = values.has('dry-run');
  return { kind: 'load', sources, stations, firstDay, endDay, intervalSeconds, preference, again, dryRun };
}

function readVerify(values: ReadonlyMap<Option, string>, mistakes: string[]): VerifyCommand {
  const source = values.get('source');
  return {
    kind: 'verify',
    sample: readSample(values.get('sample'), mistakes),
    sources:
      source === undefined
        ? Object.keys(SOURCE_ADAPTERS).filter(isSourceName)
        : readSources(source, mistakes),
    scope: readScope(values, mistakes),
    intervalSeconds: readInterval(values.get('interval'), mistakes),
  };
}

function readSources(text: string, mistakes: string[]): readonly SourceName[] {
  const names = [...new Set(text.split(','))];
  for (const name of names)
    if (!isSourceName(name))
      mistakes.push(
        `--source is ${shown(name)}: write one of ${Object.keys(SOURCE_ADAPTERS).join(', ')}, or several with commas between them, or files alone`,
      );
  if (names.length > 1 && names.includes('demo'))
    mistakes.push('--source has demo among others, but demo has stations of its own: write demo alone');
  return names.filter(isSourceName);
}

function readStations(
  values: ReadonlyMap<Option, string>,
  sources: readonly SourceName[],
  mistakes: string[],
): readonly string[] {
  const file = values.get('stations-file');
  if (file !== undefined && values.has('stations'))
    mistakes.push('--stations and --stations-file are both given: write one of them');
  const text = values.get('stations') ?? '';
  if (text === 'all') return everyStation(sources, mistakes);
  const stations =
    file === undefined ? [...new Set(text.split(','))] : readStationFile('stations-file', file, mistakes);
  if (sources.includes('demo')) refuseStations(stations, /^X[A-Z]{3}$/, 'from XAAA to XZZZ', mistakes);
  else refuseStations(stations, ICAO_CODE, ICAO_WANTED, mistakes);
  return stations;
}

function everyStation(sources: readonly SourceName[], mistakes: string[]): readonly string[] {
  const able = Object.entries(SOURCE_ADAPTERS).filter(([, origin]) => origin().givesAllStations);
  for (const source of sources)
    if (!SOURCE_ADAPTERS[source]().givesAllStations)
      mistakes.push(
        `--stations all is more than ${source} can give: name stations, or use ${able.map(([name]) => name)}`,
      );
  return [ALL_STATIONS];
}

function readOrder(text: string | undefined, mistakes: string[]): Order | undefined {
  const order = ORDERS.find((known) => known === text);
  if (text !== undefined && order === undefined)
    mistakes.push(`--order is ${shown(text)}: write ${ORDERS.join(' or ')}`);
  return order;
}

function isOption(name: string): name is Option {
  return Object.hasOwn(OPTIONS, name);
}

function isCommand(word: string): word is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, word);
}
