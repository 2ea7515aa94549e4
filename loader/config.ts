import type { ArchiveSettings } from '../clickhouse/client.ts';
import { type Command, readCommand } from './commands/args/command.ts';
import type { LogFormat } from './progress/bars.ts';
import type { SourceName } from './sources/registry.ts';

/** Where the archive is: a server, or the engine embedded in a data directory. */
export type ArchivePlace = {
  readonly embedded:
    | { readonly dataDir: string; readonly port: number; readonly adminPassword: string | undefined }
    | undefined;
  readonly settings: ArchiveSettings;
};

export type Config = {
  readonly command: Command;
  readonly place: ArchivePlace;
  /** Scheme and host that stand in for a source's own. */
  readonly hosts: Readonly<Partial<Record<SourceName, string>>>;
  /** Told to every source, so that its keeper can write to somebody. */
  readonly userAgent: string;
  readonly logFormat: LogFormat;
};

type Environment = Readonly<Record<string, string | undefined>>;

const HOSTS = { iem: 'IEM_URL', ogimet: 'OGIMET_URL', ncei: 'NCEI_URL' } as const satisfies Partial<
  Record<SourceName, string>
>;

/** The environment and the command line as one typed value, or every mistake in them at once. */
export function readConfig(
  args: readonly string[],
  env: Environment,
): { readonly config: Config } | { readonly mistakes: readonly string[] } {
  const mistakes: string[] = [];
  const command = readCommand(args, mistakes);
  const place = readPlace(env, mistakes);
  const hosts: Partial<Record<SourceName, string>> = {};
  for (const [source, name] of Object.entries(HOSTS)) {
    const host = readUrl(name, env[name], mistakes);
    if (host !== undefined) hosts[source as keyof typeof HOSTS] = host;
  }
  const logFormat = readLogFormat(env.LOG_FORMAT, mistakes);
  if (command === undefined || mistakes.length > 0) return { mistakes };
  return { config: { command, place, hosts, userAgent: userAgent(env.LOADER_CONTACT), logFormat } };
}

function readPlace(env: Environment, mistakes: string[]): ArchivePlace {
  const url = readUrl('CLICKHOUSE_URL', env.CLICKHOUSE_URL, mistakes);
  if (env.CLICKHOUSE_CLUSTER)
    mistakes.push(
      'CLICKHOUSE_CLUSTER must be left unset: clusters are not supported yet, only one server or the embedded engine',
    );
  const port = readPort(env.EMBEDDED_CLICKHOUSE_PORT, mistakes);
  const database = env.CLICKHOUSE_DATABASE || 'history';
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(database))
    mistakes.push(`CLICKHOUSE_DATABASE is ${JSON.stringify(database)}: write letters, digits and _`);
  const settings = {
    username: env.CLICKHOUSE_USER || 'default',
    password: env.CLICKHOUSE_PASSWORD ?? '',
    database,
  };
  if (url !== undefined) return { embedded: undefined, settings: { url, ...settings } };
  // Set to nothing is not the same as not set here.
  const adminPassword = env.EMBEDDED_CLICKHOUSE_PASSWORD;
  if (adminPassword !== undefined && !/^[!-~]*$/.test(adminPassword))
    mistakes.push('EMBEDDED_CLICKHOUSE_PASSWORD: write visible ASCII characters without blanks, or nothing');
  const embedded = { dataDir: env.DATA_DIR || 'data', port, adminPassword };
  return { embedded, settings: { url: `http://127.0.0.1:${port}`, ...settings } };
}

/** Scheme and host alone; `undefined` when not set. */
function readUrl(name: string, text: string | undefined, mistakes: string[]): string | undefined {
  if (text === undefined || text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHost = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isHost) return url.origin;
  // Not shown where it may hold a password.
  const shown = url?.username || url?.password ? 'holds a user or a password' : `is ${JSON.stringify(text)}`;
  mistakes.push(`${name} ${shown}: write scheme and host alone, like http://127.0.0.1:8123`);
  return undefined;
}

function readPort(text: string | undefined, mistakes: string[]): number {
  if (text === undefined || text === '') return 8123;
  const port = /^\d+$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  mistakes.push(`EMBEDDED_CLICKHOUSE_PORT is ${JSON.stringify(text)}: write a port from 1 to 65535`);
  return 0;
}

function readLogFormat(text: string | undefined, mistakes: string[]): LogFormat {
  if (text !== undefined && text !== '' && text !== 'text' && text !== 'json')
    mistakes.push(`LOG_FORMAT is ${JSON.stringify(text)}: write text or json`);
  return text === 'json' ? 'json' : 'text';
}

function userAgent(contact: string | undefined): string {
  return `historical-observations/0.1${contact ? ` (+${contact.replace(/[^ -~]/g, '')})` : ''}`;
}
