import { type Day, FIRST_DAY, parseDay } from '../../clickhouse/model/day.ts';
import { ICAO_CODE } from '../../clickhouse/model/report.ts';
import { isSourceName, SOURCE_NAMES, type SourceName } from '../sources/registry.ts';
import type { CommandName } from './commands.ts';

const ORDERS = ['newest', 'oldest'] as const;
export type Order = (typeof ORDERS)[number];

export type OptionSpec<Value = unknown> = {
  /** The name of the value in the usage text; absent where the option has no value. */
  readonly value?: string;
  /** The value is a list with commas between the items. */
  readonly isList?: true;
  /** Reads the value, or an item of the list; `undefined` where it is not valid. */
  readonly parse: (text: string) => Value | undefined;
  /** What the value must be: the error. */
  readonly description: string;
  /** The text of the usage. */
  readonly purpose: string;
  readonly commands: readonly CommandName[];
  /** How it is written, where another option has that name in other commands. */
  readonly writtenAs?: string;
};

/** Two requests a week apart are too slow for any load, and Node's timers end at 24 days. */
const MAX_INTERVAL_SECONDS = 604_800;
const MAX_SAMPLE = 100_000;

const parsePath = (text: string) => (text === '' ? undefined : text);
const parseSwitch = (text: string) => (text === '' ? true : undefined);

const SECONDS_OF_UNIT: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };
const [MIN_EVERY_SECONDS, MAX_EVERY_SECONDS] = [60, 12 * 3600];

/** `90s`, `30m` or `1h` in seconds. */
function parseEvery(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,5})([smh])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS_OF_UNIT[unit] ?? 0);
  return seconds >= MIN_EVERY_SECONDS && seconds <= MAX_EVERY_SECONDS ? seconds : undefined;
}

const SCOPED = ['load', 'files', 'gaps', 'verify', 'redecode'] as const;

/** Every option of the loader. Parsing, usage text and errors are made from this table. */
export const OPTIONS = {
  source: {
    value: 'NAMES',
    isList: true,
    parse: (text): SourceName | undefined => (isSourceName(text) ? text : undefined),
    description: `one of ${SOURCE_NAMES.join(', ')}, or several with commas between them, or files or snapshot alone`,
    purpose: `${SOURCE_NAMES.join(', ')}, or several at the same time: iem,ogimet,ncei. demo generates synthetic reports of the stations XAAA to XZZZ`,
    commands: ['load', 'follow', 'verify'],
  },
  path: {
    value: 'DIR',
    parse: parsePath,
    description: 'the folder of the files',
    purpose:
      'folder of files in the formats of the sources, gzipped or not; of a snapshot: its folder or https:// address',
    commands: ['files', 'snapshot'],
  },
  stations: {
    value: 'CODES',
    isList: true,
    parse: (text) => (text === 'all' || ICAO_CODE.test(text) ? text : undefined),
    description: 'ICAO codes of four letters or digits in upper case, like KJFK,EGLL, or all',
    purpose: 'ICAO codes with commas between them, or all',
    commands: [...SCOPED, 'export', 'follow', 'status'],
  },
  'stations-file': {
    value: 'FILE',
    parse: parsePath,
    description: 'the path of a file of ICAO codes',
    purpose: 'file of ICAO codes, instead of --stations; # starts a comment',
    commands: [...SCOPED, 'export', 'follow', 'status'],
  },
  'priority-file': {
    value: 'FILE',
    parse: parsePath,
    description: 'the path of a file of ICAO codes',
    purpose: 'file of the stations that are loaded first',
    commands: ['load'],
  },
  from: {
    value: 'DAY',
    parse: (text): Day | undefined => parseDay(text),
    description: 'an existing UTC day like 2024-01-31',
    purpose: `first UTC day, ${FIRST_DAY} or later; follow: 30 days ago`,
    commands: [...SCOPED, 'export', 'follow'],
  },
  to: {
    value: 'DAY',
    parse: (text): Day | undefined => parseDay(text),
    description: 'an existing UTC day like 2024-01-31',
    purpose: 'the UTC day after the last one',
    commands: SCOPED,
  },
  folder: {
    value: 'DIR',
    writtenAs: 'to',
    parse: parsePath,
    description: 'the folder of the snapshot',
    purpose:
      'folder of the snapshot: a new or empty one, or that of an earlier export, of which unchanged files stay',
    commands: ['export'],
  },
  'to-day': {
    value: 'DAY',
    parse: (text): Day | undefined => parseDay(text),
    description: 'an existing UTC day like 2024-01-31',
    purpose: 'the UTC day after the last one, because --to is the folder',
    commands: ['export'],
  },
  interval: {
    value: 'SECONDS',
    parse: (text) =>
      /^\d+(\.\d+)?$/.test(text) && Number(text) <= MAX_INTERVAL_SECONDS ? Number(text) : undefined,
    description: `seconds from 0 to ${MAX_INTERVAL_SECONDS}`,
    purpose: 'seconds between the starts of two requests, instead of the interval of the source',
    commands: ['load', 'follow', 'verify'],
  },
  every: {
    value: 'TIME',
    parse: parseEvery,
    description: 'a time from 1m to 12h, like 30m or 1h',
    purpose: 'from the start of a cycle to the start of the next (1h)',
    commands: ['follow'],
  },
  order: {
    value: 'ORDER',
    parse: (text): Order | undefined => ORDERS.find((order) => order === text),
    description: ORDERS.join(' or '),
    purpose: `${ORDERS.join(' or ')}: load that year of all stations first, instead of station by station`,
    commands: ['load'],
  },
  sample: {
    value: 'N',
    parse: (text) =>
      /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_SAMPLE ? Number(text) : undefined,
    description: `a number of slices from 1 to ${MAX_SAMPLE}`,
    purpose: 'number of slices to compare (10)',
    commands: ['verify'],
  },
  again: {
    parse: parseSwitch,
    description: 'written without a value',
    purpose: 'also request days that are done',
    commands: ['load'],
  },
  'dry-run': {
    parse: parseSwitch,
    description: 'written without a value',
    purpose: 'print the slices and the number of requests, and send no request',
    commands: ['load'],
  },
  json: {
    parse: parseSwitch,
    description: 'written without a value',
    purpose: 'print one JSON text, for programs',
    commands: ['status'],
  },
} as const satisfies Record<string, OptionSpec>;

type OptionName = keyof typeof OPTIONS;

type ValueOf<Spec> = Spec extends { readonly parse: (text: string) => infer Value }
  ? Exclude<Value, undefined>
  : never;

/** The valid options of a command line. */
export type OptionValues = {
  readonly [Name in OptionName]?: (typeof OPTIONS)[Name] extends { readonly isList: true }
    ? readonly ValueOf<(typeof OPTIONS)[Name]>[]
    : ValueOf<(typeof OPTIONS)[Name]>;
};

export function optionsOf(command: CommandName): readonly (readonly [OptionName, OptionSpec])[] {
  const options = Object.entries<OptionSpec>(OPTIONS) as [OptionName, OptionSpec][];
  return options.filter(([, { commands }]) => commands.includes(command));
}

/** The name of an option on the command line. */
export function writtenName(name: OptionName): string {
  const { writtenAs }: OptionSpec = OPTIONS[name];
  return writtenAs ?? name;
}
