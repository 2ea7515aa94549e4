import { BlockList } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { ArchiveSettings } from '../clickhouse/client.ts';
import { compileSchema } from '../clickhouse/schema-validator.ts';
import type { ServiceSettings } from './compose.ts';
import { parseTrustedProxies } from './rate-limit/client-address.ts';

export type Config = ServiceSettings & {
  readonly dataDir: string;
  readonly archive:
    | {
        readonly kind: 'embedded';
        readonly port: number;
        readonly database: string;
        readonly adminPassword: string | undefined;
      }
    | { readonly kind: 'server'; readonly place: ArchiveSettings };
  readonly keys:
    | { readonly kind: 'redis'; readonly url: string }
    | { readonly kind: 'file'; readonly path: string };
  /** Processes that answer requests. */
  readonly workers: number;
  /** Whether demo records and a demo key are wanted: never beside real servers. */
  readonly demo: boolean;
};

/** Every mistake in the environment, one a line. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Every setting of the service. Other variables of the environment are none of its business. */
export const SETTINGS = {
  HOST: { type: 'string', format: 'host', description: 'a host name or an IP address', default: '127.0.0.1' },
  PORT: {
    type: 'string',
    format: 'port',
    description: 'a port from 1 to 65535, or 0 for any',
    default: '8080',
  },
  DATA_DIR: { type: 'string', description: 'a folder', default: 'data' },
  DEMO: { enum: ['on', 'off'], description: 'on or off', default: 'on' },
  EMBEDDED_CLICKHOUSE_PORT: {
    type: 'string',
    format: 'enginePort',
    description: 'a port from 1 to 65535',
    default: '8123',
  },
  EMBEDDED_CLICKHOUSE_PASSWORD: {
    type: 'string',
    format: 'password',
    description:
      'visible ASCII characters without blanks, or nothing to admit the user default without a password',
  },
  CLICKHOUSE_URL: {
    type: 'string',
    format: 'httpUrl',
    description: 'scheme and host alone, like http://127.0.0.1:8123',
  },
  CLICKHOUSE_USER: { type: 'string', description: 'a name', default: 'default' },
  CLICKHOUSE_PASSWORD: { type: 'string', description: 'a text', default: '' },
  CLICKHOUSE_DATABASE: {
    type: 'string',
    format: 'name',
    description: 'letters, digits and _',
    default: 'history',
  },
  CLICKHOUSE_CLUSTER: {
    not: {},
    description: 'left unset: clusters are not supported yet, only one server or the embedded engine',
  },
  REDIS_URL: { type: 'string', format: 'redisUrl', description: 'a URL with redis: or rediss:' },
  TRUSTED_PROXIES: {
    type: 'string',
    format: 'addresses',
    description: 'IP addresses or CIDR ranges separated by commas',
  },
  QUERY_TIMEOUT_SECONDS: {
    type: 'string',
    format: 'seconds',
    description: 'a whole number from 1 to 600',
    default: '30',
  },
  QUERIES_AT_ONCE: {
    type: 'string',
    format: 'places',
    description: 'a whole number from 1 to 256',
    default: '4',
  },
  WORKERS: { type: 'string', format: 'workers', description: 'a whole number from 1 to 64' },
} as const;

type Optional =
  | 'EMBEDDED_CLICKHOUSE_PASSWORD'
  | 'CLICKHOUSE_URL'
  | 'CLICKHOUSE_CLUSTER'
  | 'REDIS_URL'
  | 'TRUSTED_PROXIES'
  | 'WORKERS';
type Settings = Readonly<
  Record<Exclude<keyof typeof SETTINGS, Optional>, string> & Partial<Record<Optional, string>>
>;

const check = compileSchema<Settings>(
  { type: 'object', properties: SETTINGS },
  {
    host: (text: string) => /^[A-Za-z0-9._:-]+$/.test(text),
    port: wholeNumber(0, 65_535),
    // Not any: the loader has to find it.
    enginePort: wholeNumber(1, 65_535),
    password: (text: string) => /^[!-~]*$/.test(text),
    name: (text: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text),
    httpUrl: isHttpHost,
    redisUrl: urlWith('redis:', 'rediss:'),
    addresses: (text: string) => parseTrustedProxies(text) !== undefined,
    seconds: wholeNumber(1, 600),
    places: wholeNumber(1, 256),
    workers: wholeNumber(1, 64),
  },
);

/** The only reader of the environment. A variable that is set to nothing counts as not set, but for the password. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const named = Object.keys(SETTINGS).filter((name) => environment[name]);
  const checked = check(Object.fromEntries(named.map((name) => [name, environment[name]])));
  if (checked.kind === 'faulty')
    throw new SettingsError(checked.faults.map(({ name, detail }) => `${name} ${detail}`).join('\n'));
  const set = checked.value;
  const dataDir = resolve(set.DATA_DIR);
  return {
    host: set.HOST,
    port: Number(set.PORT),
    proxies: (set.TRUSTED_PROXIES && parseTrustedProxies(set.TRUSTED_PROXIES)) || new BlockList(),
    limits: {
      queryTimeoutSeconds: Number(set.QUERY_TIMEOUT_SECONDS),
      queriesAtOnce: Number(set.QUERIES_AT_ONCE),
    },
    dataDir,
    workers: workersOf(set),
    archive: set.CLICKHOUSE_URL
      ? {
          kind: 'server',
          place: {
            url: set.CLICKHOUSE_URL,
            username: set.CLICKHOUSE_USER,
            password: set.CLICKHOUSE_PASSWORD,
            database: set.CLICKHOUSE_DATABASE,
          },
        }
      : {
          kind: 'embedded',
          port: Number(set.EMBEDDED_CLICKHOUSE_PORT),
          database: set.CLICKHOUSE_DATABASE,
          adminPassword: environment.EMBEDDED_CLICKHOUSE_PASSWORD,
        },
    keys: set.REDIS_URL
      ? { kind: 'redis', url: set.REDIS_URL }
      : { kind: 'file', path: join(dataDir, 'keys.jsonl') },
    demo: set.DEMO === 'on' && !set.CLICKHOUSE_URL && !set.REDIS_URL,
  };
}

/**
 * As many as there are cores, where the engine is not on them as well: beside the embedded one, which takes two to four
 * times the processor time of the api for a page, more than one gains nothing. Each needs a query of its own.
 */
function workersOf({ WORKERS, CLICKHOUSE_URL, QUERIES_AT_ONCE }: Settings): number {
  const wanted = WORKERS ?? (CLICKHOUSE_URL ? availableParallelism() : 1);
  return Math.min(Number(wanted), Number(QUERIES_AT_ONCE));
}

function wholeNumber(least: number, most: number): (text: string) => boolean {
  return (text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;
}

/** Scheme and host, as the loader takes it: user and password have settings of their own. */
function isHttpHost(text: string): boolean {
  if (!urlWith('http:', 'https:')(text)) return false;
  const { origin, href } = new URL(text);
  return href === `${origin}/`;
}

function urlWith(...protocols: readonly string[]): (text: string) => boolean {
  return (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol);
}
