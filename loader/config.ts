import {
  ARCHIVE_SETTINGS,
  type ArchiveLocation,
  compileSettings,
  type Environment,
  toArchiveLocation,
} from '../clickhouse/settings/settings.ts';
import { type Command, readCommand } from './commands/args/command.ts';
import type { LogFormat } from './progress/display.ts';
import type { SourceName } from './sources/registry.ts';
import type { StationListName } from './sources/station-lists.ts';

export type Config = {
  readonly command: Command;
  readonly archive: ArchiveLocation;
  /** Scheme and host in place of a source's own. */
  readonly hosts: Readonly<Partial<Record<SourceName | StationListName, string>>>;
  /** Sent to each source, so that its operator can contact the user. */
  readonly userAgent: string;
  readonly logFormat: LogFormat;
};

const HOST = {
  type: 'string',
  format: 'origin',
  description: 'scheme and host alone, like http://127.0.0.1:9000',
} as const;

export const SETTINGS = {
  ...ARCHIVE_SETTINGS,
  IEM_URL: HOST,
  OGIMET_URL: HOST,
  NCEI_URL: HOST,
  AWC_URL: HOST,
  LOADER_CONTACT: { type: 'string', description: 'a text' },
  LOG_FORMAT: { enum: ['text', 'json'], description: 'text or json', default: 'text' },
} as const;

const readSettings = compileSettings(SETTINGS);

/** The settings and the command line as one typed value, or all errors in both. */
export function readConfig(
  args: readonly string[],
  environment: Environment,
): { readonly config: Config } | { readonly errors: readonly string[] } {
  const errors: string[] = [];
  const command = readCommand(args, errors);
  const result = readSettings(environment);
  if (result.kind === 'invalid') errors.push(...result.errors.map(({ name, detail }) => `${name} ${detail}`));
  if (command === undefined || result.kind === 'invalid' || errors.length > 0) return { errors };

  const settings = result.value;
  const { IEM_URL: iem, OGIMET_URL: ogimet, NCEI_URL: ncei, AWC_URL: awc } = settings;
  return {
    config: {
      command,
      archive: toArchiveLocation(settings),
      hosts: toOrigins({ iem, ogimet, ncei, awc }),
      userAgent: formatUserAgent(settings.LOADER_CONTACT),
      logFormat: settings.LOG_FORMAT === 'json' ? 'json' : 'text',
    },
  };
}

function toOrigins(hosts: Readonly<Record<string, string | undefined>>): Config['hosts'] {
  const set = Object.entries(hosts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set.map(([source, url]) => [source, new URL(url).origin]));
}

function formatUserAgent(contact: string | undefined): string {
  return `historical-observations/0.1${contact ? ` (+${contact.replace(/[^ -~]/g, '')})` : ''}`;
}
