import { STATION_LIST_NAMES } from '../sources/registry.ts';

type CommandSpec = {
  readonly example: string;
  readonly purpose: string;
  /** Options without which the command is not valid. */
  readonly required: readonly ('source' | 'from' | 'to' | 'path' | 'folder')[];
};

const LIST_NAMES = new Intl.ListFormat('en-GB').format(STATION_LIST_NAMES);

/** Every command of the loader. `load`, `files` and `snapshot` have no word on the command line: `--source`
 * tells which it is. */
export const COMMANDS = {
  load: {
    example: '--source iem --stations KJFK,EGLL --from 2024-01-01 --to 2024-02-01',
    purpose: 'loads reports from one or more sources',
    required: ['source', 'from', 'to'],
  },
  follow: {
    example: 'follow --source iem --stations all',
    purpose: 'keeps the archive up to date until it is stopped',
    required: ['source'],
  },
  files: {
    example: '--source files --path DIR',
    purpose: 'loads local files in the formats of the sources',
    required: ['path'],
  },
  snapshot: {
    example: '--source snapshot --path DIR',
    purpose: 'adds what the archive lacks of a snapshot that export has written',
    required: ['path'],
  },
  export: {
    example: 'export --to DIR',
    purpose: 'writes a snapshot of the archive as Parquet files: --to is the folder, --to-day ends the range',
    required: ['folder'],
  },
  status: {
    example: 'status',
    purpose: 'prints the coverage of each year; with --stations, of each station',
    required: [],
  },
  gaps: {
    example: 'gaps',
    purpose: 'prints the days that are missing or have few reports, as commands that load them',
    required: [],
  },
  verify: {
    example: 'verify',
    purpose: 'requests a sample of the done slices again and compares every report',
    required: [],
  },
  redecode: {
    example: 'redecode',
    purpose: 'decodes the reports again that an older decoder has decoded',
    required: [],
  },
  stations: {
    example: 'stations',
    purpose: `fetches names, countries and positions of stations from ${LIST_NAMES}`,
    required: [],
  },
  'remove-demo': { example: 'remove-demo', purpose: 'deletes the synthetic demo reports', required: [] },
  migrate: { example: 'migrate', purpose: 'creates or updates the schema of the archive', required: [] },
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof COMMANDS;
export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

const WITHOUT_WORD: readonly string[] = ['load', 'files', 'snapshot'] satisfies readonly CommandName[];
export const COMMAND_WORDS = COMMAND_NAMES.filter((name) => !WITHOUT_WORD.includes(name));

export function isCommandWord(word: string): word is CommandName {
  return (COMMAND_WORDS as readonly string[]).includes(word);
}
