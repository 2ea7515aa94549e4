import { parseArgs } from 'node:util';
import { Redis } from 'ioredis';
import { readConfig, SettingsError } from '../config.ts';
import { isPlan, PLANS } from '../rate-limit/plans.ts';
import { REDIS_OPTIONS } from '../redis.ts';
import { issueKey, type KeyRecord, type KeyStore } from './key-store.ts';
import { fileKeyStore } from './key-store-file.ts';
import { redisKeyStore } from './key-store-redis.ts';

const USAGE = `Usage:
  npm run keys -- create --plan ${Object.keys(PLANS).join('|')} [--account NAME]
  npm run keys -- list
  npm run keys -- revoke ID`;

class UsageError extends Error {}

try {
  await run(process.argv.slice(2));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${reason}\n${error instanceof UsageError ? `${USAGE}\n` : ''}`);
  process.exitCode = error instanceof UsageError || error instanceof SettingsError ? 2 : 1;
}

async function run(args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args);
  const [command, id, ...more] = positionals;
  const { plan, account = 'none' } = values;
  if (command === 'create' && id === undefined) {
    if (!isPlan(plan)) throw new UsageError(`--plan must be one of ${Object.keys(PLANS).join(', ')}.`);
    await withKeys((keys) => create(keys, plan, account));
  } else if (plan !== undefined || values.account !== undefined || more.length > 0) {
    throw new UsageError('That is not how it is called.');
  } else if (command === 'list' && id === undefined) {
    await withKeys(list);
  } else if (command === 'revoke' && id !== undefined) {
    await withKeys((keys) => revoke(keys, id));
  } else {
    throw new UsageError('That is not how it is called.');
  }
}

function parse(args: readonly string[]) {
  try {
    const options = { plan: { type: 'string' }, account: { type: 'string' } } as const;
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The key is the last line, alone: scripts take it from there. */
async function create(keys: KeyStore, plan: keyof typeof PLANS, account: string): Promise<void> {
  const key = await issueKey(keys, { plan, account });
  console.log(`A ${plan} key for account ${account}. It is shown this once and stored nowhere:`);
  console.log(key);
}

async function list(keys: KeyStore): Promise<void> {
  const rows = (await keys.list()).map(({ id, plan, status, createdAt, prefix, last4, account }: KeyRecord) =>
    [id.padEnd(12), plan.padEnd(12), status.padEnd(7), createdAt, `${prefix}…${last4}`, account].join('  '),
  );
  console.log(rows.length === 0 ? 'There are no keys.' : rows.join('\n'));
}

async function revoke(keys: KeyStore, id: string): Promise<void> {
  if ((await keys.revoke(id)) === 0) throw new Error(`There is no key with id ${id}.`);
  console.log(`Revoked ${id}.`);
}

async function withKeys(work: (keys: KeyStore) => Promise<void>): Promise<void> {
  const { keys } = readConfig();
  if (keys.kind === 'file') return work(fileKeyStore(keys.path));
  const redis = new Redis(keys.url, REDIS_OPTIONS);
  try {
    await new Promise((resolve, reject) => redis.once('ready', resolve).once('error', reject)).catch(
      (cause) => {
        throw new Error(`The key store at ${new URL(keys.url).host} does not answer: ${cause}`, { cause });
      },
    );
    await work(redisKeyStore(redis));
  } finally {
    redis.disconnect();
  }
}
