import {
  ARCHIVE_SETTINGS,
  type ArchiveLocation,
  compileSettings,
  type Environment,
  LISTENING_HOST,
  LISTENING_PORT,
  LOG_FORMAT,
  readLogFormat,
  toArchiveLocation,
} from '../clickhouse/settings/settings.ts';
import { HOSTED_SOURCES, type KnownSource } from './sources/registry.ts';

export type LogFormat = ReturnType<typeof readLogFormat>;

export type Config = {
  readonly archive: ArchiveLocation;
  /** Scheme and host in place of a source's own. */
  readonly hosts: Readonly<Partial<Record<KnownSource, string>>>;
  /** Sent to each source, so that its operator can contact the user. */
  readonly userAgent: string;
  readonly logFormat: LogFormat;
  readonly host: string;
  /** Where `follow` serves its metrics. */
  readonly metricsPort: number | undefined;
};

/** That of package.json. */
export const VERSION = '0.1.0';

/** How the program names itself to sources and in snapshots. */
export const PROGRAM = `historical-observations/${VERSION}`;

const HOST = {
  type: 'string',
  format: 'origin',
  description: 'only scheme and host, like http://127.0.0.1:9000',
} as const;

type HostSettings = Readonly<Record<`${Uppercase<KnownSource>}_URL`, typeof HOST>>;

export const SETTINGS = {
  ...ARCHIVE_SETTINGS,
  ...(Object.fromEntries(HOSTED_SOURCES.map((source) => [hostSetting(source), HOST])) as HostSettings),
  HOST: LISTENING_HOST,
  LOADER_METRICS_PORT: LISTENING_PORT,
  LOADER_CONTACT: { type: 'string', description: 'a text' },
  LOG_FORMAT,
} as const;

const readSettings = compileSettings(SETTINGS);

type ReadConfig = { readonly logFormat: LogFormat } & (
  | { readonly kind: 'valid'; readonly config: Config }
  | { readonly kind: 'invalid'; readonly errors: readonly string[] }
);

/** The settings as one typed value, or every mistake in them. */
export function readConfig(environment: Environment): ReadConfig {
  const result = readSettings(environment);
  const logFormat = readLogFormat(environment);
  if (result.kind === 'invalid') {
    const errors = result.errors.map(({ name, detail }) => `${name} ${detail}`);
    return { kind: 'invalid', logFormat, errors };
  }
  const settings: typeof result.value & { readonly [Setting in keyof HostSettings]?: string | undefined } =
    result.value;
  const { LOADER_CONTACT: contact, LOADER_METRICS_PORT: port } = settings;
  const hosts = HOSTED_SOURCES.flatMap((source) => {
    const url = settings[hostSetting(source)];
    return url === undefined ? [] : [[source, new URL(url).origin]];
  });
  const config = {
    archive: toArchiveLocation(settings),
    hosts: Object.fromEntries(hosts),
    userAgent: `${PROGRAM}${contact ? ` (+${contact.replace(/[^ -~]/g, '')})` : ''}`,
    logFormat,
    host: settings.HOST,
    metricsPort: port === undefined ? undefined : Number(port),
  } as const;
  return { kind: 'valid', logFormat, config };
}

/** `IEM_URL` for iem. */
function hostSetting(source: KnownSource): keyof HostSettings {
  return `${source.toUpperCase() as Uppercase<KnownSource>}_URL`;
}
