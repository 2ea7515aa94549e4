import {
  ARCHIVE_SETTINGS,
  compileSettings,
  type Environment,
  LISTENING_HOST,
  LISTENING_PORT,
  LOG_FORMAT,
  toArchiveLocation,
} from '../clickhouse/settings/settings.ts';
import { HOSTED_SOURCES, type KnownSource } from './sources/registry.ts';

export type Config = Extract<ReturnType<typeof readConfig>, { readonly kind: 'valid' }>['config'];

/** The same version as in package.json. */
export const VERSION = '0.1.0';

/** How the program names itself to sources and in snapshots. */
export const PROGRAM = `historical-observations/${VERSION}`;

const HOST = {
  type: 'string',
  format: 'origin',
  description: 'only scheme and host, like http://127.0.0.1:9000',
} as const;

export const SETTINGS = {
  ...ARCHIVE_SETTINGS,
  ...(Object.fromEntries(HOSTED_SOURCES.map((source) => [hostSetting(source), HOST])) as object),
  HOST: LISTENING_HOST,
  LOADER_METRICS_PORT: LISTENING_PORT,
  LOADER_CONTACT: { type: 'string', description: 'a text' },
  LOG_FORMAT,
} as const;

const readSettings = compileSettings(SETTINGS);

/** The settings as one typed value, or every mistake in them. */
export function readConfig(environment: Environment) {
  const result = readSettings(environment);
  if (result.kind === 'invalid') {
    const errors = result.errors.map(({ name, detail }) => `${name} ${detail}`);
    return { kind: 'invalid', errors } as const;
  }
  const settings = result.value;
  const sent: Environment = settings;
  const { LOADER_CONTACT: contact, LOADER_METRICS_PORT: port } = settings;
  const hosts = HOSTED_SOURCES.flatMap((source) => {
    const url = sent[hostSetting(source)];
    return url === undefined ? [] : [[source, new URL(url).origin]];
  });
  const config = {
    archive: toArchiveLocation(settings),
    /** Scheme and host in place of a source's own. */
    hosts: Object.fromEntries(hosts) as Readonly<Partial<Record<KnownSource, string>>>,
    /** Sent to each source, so that its operator can contact the user. */
    userAgent: `${PROGRAM}${contact ? ` (+${contact.replace(/[^ -~]/g, '')})` : ''}`,
    host: settings.HOST,
    /** Where `follow` serves its metrics. */
    metricsPort: port === undefined ? undefined : Number(port),
  };
  return { kind: 'valid', config } as const;
}

/** `IEM_URL` for iem. */
function hostSetting(source: KnownSource): string {
  return `${source.toUpperCase()}_URL`;
}
