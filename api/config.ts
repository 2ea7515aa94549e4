import { BlockList } from 'node:net';
import { join, resolve } from 'node:path';
import {
  ARCHIVE_SETTINGS,
  type ArchiveLocation,
  compileSettings,
  type Environment,
  LISTENING_HOST,
  LISTENING_PORT,
  LOG_FORMAT,
  toArchiveLocation,
  wholeNumber,
} from '../clickhouse/settings/settings.ts';
import { parseTrustedProxies } from './rate-limit/client-address.ts';

export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

export const SETTINGS = {
  ...ARCHIVE_SETTINGS,
  HOST: LISTENING_HOST,
  PORT: { ...LISTENING_PORT, default: '8080' },
  METRICS_PORT: LISTENING_PORT,
  DEMO: { enum: ['on', 'off'], description: 'on or off', default: 'on' },
  CONTACT: {
    type: 'string',
    format: 'contact',
    description: 'a mail address like me@example.org, or a URL with https: or http:',
  },
  ARCHIVE_FILES: { type: 'string', minLength: 1, description: 'a folder with a snapshot' },
  GUEST_PLAN: { enum: ['off', 'sandbox'], description: 'off or sandbox', default: 'off' },
  REDIS_URL: {
    type: 'string',
    isSecret: true,
    format: 'redisUrl',
    description: 'a URL with redis: or rediss:',
  },
  REDIS_PASSWORD: { type: 'string', isSecret: true, description: 'a text' },
  TRUSTED_PROXIES: {
    type: 'string',
    format: 'addresses',
    description: 'IP addresses or CIDR ranges separated by commas',
  },
  CONNECTIONS_PER_ADDRESS: wholeNumber(1, 65_535, '1024'),
  QUERY_TIMEOUT_SECONDS: wholeNumber(1, 600, '30'),
  PAGE_CACHE_MB: wholeNumber(0, 65_536, '64'),
  RESPONSE_MEMORY_MB: wholeNumber(32, 65_536, '128'),
  QUERIES_AT_ONCE: wholeNumber(1, 256, '4'),
  STREAMS_AT_ONCE: wholeNumber(1, 64, '2'),
  LOG_FORMAT,
} as const;

const MB = 1024 * 1024;
/** Memory of one stream with its compressor, and of the largest page. */
const STREAM_MEMORY_MB = 4;
const MIN_PAGE_MEMORY_MB = 16;
/** The most memory that the process needs besides that of its settings: heap, code, connections; measured in all fault tests. */
const OTHER_MEMORY_MB = 300;

const readSettings = compileSettings(SETTINGS, {
  redisUrl: (text) => URL.canParse(text) && /^rediss?:$/.test(new URL(text).protocol),
  contact: (text) => toContact(text) !== undefined,
  addresses: (text) => parseTrustedProxies(text) !== undefined,
});

type Texts = Extract<ReturnType<typeof readSettings>, { readonly kind: 'valid' }>['value'];
export type Config = ReturnType<typeof readConfig>;
export type ServiceSettings = Omit<Config, 'dataDir' | 'archive' | 'keys'>;

/** The settings as one typed value. Nothing else in `api` reads the environment, except that `main.ts` reads LOG_FORMAT. */
export function readConfig(environment: Environment = process.env) {
  const result = readSettings(environment);
  if (result.kind === 'invalid')
    throw new SettingsError(result.errors.map(({ name, detail }) => `${name} ${detail}`).join('\n'));
  const settings = result.value;
  const archive = toArchiveLocation(settings);
  // Streams need a constant amount and their number is limited, so their memory is subtracted from the start.
  const streamsMb = Number(settings.STREAMS_AT_ONCE) * STREAM_MEMORY_MB;
  const responseMemoryMb = Number(settings.RESPONSE_MEMORY_MB) - streamsMb;
  const together = errorsTogether(settings, archive, streamsMb);
  if (together.length > 0) throw new SettingsError(together.join('\n'));
  const { REDIS_URL: redisUrl, REDIS_PASSWORD: redisPassword, TRUSTED_PROXIES: proxies } = settings;
  const dataDir = resolve(settings.DATA_DIR);
  const keys = redisUrl
    ? ({ kind: 'redis', url: withPassword(redisUrl, redisPassword) } as const)
    : ({ kind: 'file', path: join(dataDir, 'keys.jsonl'), usageFolder: join(dataDir, 'usage') } as const);
  return {
    host: settings.HOST,
    port: Number(settings.PORT),
    trustedProxies: (proxies && parseTrustedProxies(proxies)) || new BlockList(),
    connectionsPerAddress: Number(settings.CONNECTIONS_PER_ADDRESS),
    /** A connection whose request is not complete in this time is closed, two seconds later at the latest. */
    requestSeconds: 8,
    /** Serves `/metrics` instead of the public port. */
    metricsPort: settings.METRICS_PORT === undefined ? undefined : Number(settings.METRICS_PORT),
    queryLimits: {
      queryTimeoutSeconds: Number(settings.QUERY_TIMEOUT_SECONDS),
      queriesAtOnce: Number(settings.QUERIES_AT_ONCE),
      streamsAtOnce: Number(settings.STREAMS_AT_ONCE),
    },
    pageCacheBytes: Number(settings.PAGE_CACHE_MB) * MB,
    /** Memory for reading, compressing and sending responses, excluding streams. */
    responseMemoryBytes: responseMemoryMb * MB,
    limits: {
      /** The folder whose disk is watched; `undefined` if nothing is stored in it. */
      dataDir: archive.kind === 'server' && keys.kind === 'redis' ? undefined : dataDir,
      /** The most that the process should need. */
      memoryBytes:
        (OTHER_MEMORY_MB + Number(settings.PAGE_CACHE_MB) + Number(settings.RESPONSE_MEMORY_MB)) * MB,
    },
    dataDir,
    archive,
    keys,
    /** The plan of clients without a key, counted per address; if undefined, they get 401. */
    guestPlan: settings.GUEST_PLAN === 'sandbox' ? ('sandbox' as const) : undefined,
    contact: settings.CONTACT === undefined ? undefined : toContact(settings.CONTACT),
    archiveFiles: settings.ARCHIVE_FILES === undefined ? undefined : resolve(settings.ARCHIVE_FILES),
    /** Whether to load demo records into a new archive and create a demo key: never with real servers. */
    demo: settings.DEMO === 'on' && archive.kind === 'embedded' && !redisUrl,
  };
}

function errorsTogether(settings: Texts, archive: ArchiveLocation, streamsMb: number): readonly string[] {
  const errors: string[] = [];
  const leastMb = streamsMb + MIN_PAGE_MEMORY_MB;
  if (Number(settings.RESPONSE_MEMORY_MB) < leastMb)
    errors.push(
      `RESPONSE_MEMORY_MB must be at least ${leastMb} with STREAMS_AT_ONCE=${settings.STREAMS_AT_ONCE}: ${STREAM_MEMORY_MB} for each stream, and ${MIN_PAGE_MEMORY_MB}`,
    );
  for (const name of ['PORT', 'METRICS_PORT'] as const)
    if (archive.kind === 'embedded' && Number(settings[name]) === archive.port)
      errors.push(
        `${name} and EMBEDDED_CLICKHOUSE_PORT are both ${archive.port}: set one of them to another port`,
      );
  return errors;
}

/** The URL of a link to this mail address or page; `undefined` if the text is neither. */
function toContact(text: string): string | undefined {
  if (/^[\w.+-]+@[\w-]+(\.[\w-]+)*$/.test(text)) return `mailto:${text}`;
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? new URL(text).href : undefined;
}

/** With a separate password, a deployment can keep it in a file and the URL in plain sight. */
function withPassword(redisUrl: string, password: string | undefined): string {
  if (password === undefined) return redisUrl;
  const url = new URL(redisUrl);
  url.password = encodeURIComponent(password);
  return url.href;
}
