import { once } from 'node:events';
import { ignoreClosedOutput } from '../../clickhouse/program-arguments.ts';
import { readConfig, SettingsError } from '../config.ts';
import type { Plan } from '../rate-limit/rate-limit.ts';
import { openRedis } from '../redis.ts';
import { dayBefore, type UsageStore } from '../usage/usage.ts';
import { fileUsageStore, redisUsageStore } from '../usage/usage-stores.ts';
import { issueKey, isValidKey, type KeyRequest, type KeyStore, rotateKey } from './key-store.ts';
import { fileKeyStore } from './key-store-file.ts';
import { redisKeyStore } from './key-store-redis.ts';
import { parseKeysArgs } from './keys-args.ts';

ignoreClosedOutput();
/** `npm run keys`. Exit codes: 0 success, 1 failure, 2 invalid arguments or settings. */
try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof SettingsError ? 2 : 1;
}

async function run(args: readonly string[]): Promise<void> {
  const command = parseKeysArgs(args);
  switch (command.kind) {
    case 'help':
      return console.log(command.text);
    case 'mistake':
      console.error(command.text);
      process.exitCode = 2;
      return;
    case 'create':
      return withKeyStore((keys) => create(keys, command));
    case 'list':
      return withKeyStore((keys) => list(keys, command.json));
    case 'usage':
      return withKeyStore((keys, usage) => printUsage(keys, usage, command));
    case 'rotate':
      return withKeyStore((keys) => rotate(keys, command.id, command.graceMs));
    case 'set-plan':
      return withKeyStore((keys) => setPlan(keys, command.id, command.plan));
    case 'revoke':
      return withKeyStore((keys) => revoke(keys, command.id));
  }
}

/** The key is alone on the last line: scripts read it from there. */
async function create(keys: KeyStore, request: KeyRequest): Promise<void> {
  const { plan, account } = request;
  const key = await issueKey(keys, request);
  console.log(`A ${plan} key for account ${account}. It is shown only once, because it is not stored:`);
  console.log(key);
}

async function list(keys: KeyStore, json: boolean): Promise<void> {
  const records = await keys.list();
  if (json) return console.log(JSON.stringify(records, null, 2));
  const rows = records.map((record) => {
    const { id, plan, createdAt, expiresAt, prefix, last4, account } = record;
    const status = record.status === 'active' && !isValidKey(record) ? 'expired' : record.status;
    return [id, plan, status, createdAt, expiresAt ?? '', `${prefix}…${last4}`, account];
  });
  const header = ['id', 'plan', 'status', 'created', 'ends', 'key', 'account'];
  console.log(rows.length === 0 ? 'There are no keys.' : formatTable([header, ...rows]));
}

async function printUsage(
  keys: KeyStore,
  usage: UsageStore,
  { days, json }: { readonly days: number; readonly json: boolean },
): Promise<void> {
  const records = new Map((await keys.list()).map((record) => [record.id, record]));
  const rows = (await usage.read(dayBefore(days - 1))).map((row) => {
    const { account = 'unknown', plan = 'unknown' } = records.get(row.key) ?? {};
    return { ...row, account, plan };
  });
  if (json) return console.log(JSON.stringify(rows, null, 2));
  const header = ['day', 'key', 'plan', 'requests', 'refusals', 'records', 'bytes', 'account'];
  const lines = rows.map(({ day, key, plan, requests, refusals, records: read, bytes, account }) =>
    [day, key, plan, requests, refusals, read, bytes, account].map(String),
  );
  console.log(lines.length === 0 ? 'No key was used in these days.' : formatTable([header, ...lines]));
}

/** Right-aligns numbers and left-aligns text in their columns. */
function formatTable(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  const cell = (text: string, at: number) =>
    /^\d+$/.test(lines[1]?.[at] ?? '') && at > 2
      ? text.padStart(widths[at] ?? 0)
      : text.padEnd(widths[at] ?? 0);
  return lines.map((line) => line.map(cell).join('  ').trimEnd()).join('\n');
}

async function rotate(keys: KeyStore, id: string, graceMs: number): Promise<void> {
  const expiresAt = new Date(Date.now() + graceMs).toISOString();
  const key = await rotateKey(keys, id, expiresAt);
  if (key === undefined) throw new Error(`There is no valid key with id ${id}.`);
  console.log(
    `Key ${id} is valid until ${expiresAt} at most. The new key is shown only once, because it is not stored:`,
  );
  console.log(key);
}

async function setPlan(keys: KeyStore, id: string, plan: Plan): Promise<void> {
  if ((await keys.change(id, { plan })) === 0) throw new Error(`There is no key with id ${id}.`);
  console.log(`Key ${id} has the plan ${plan}.`);
}

async function revoke(keys: KeyStore, id: string): Promise<void> {
  if ((await keys.change(id, { status: 'revoked' })) === 0) throw new Error(`There is no key with id ${id}.`);
  console.log(`Revoked ${id}.`);
}

async function withKeyStore(work: (keys: KeyStore, usage: UsageStore) => Promise<void>): Promise<void> {
  const { keys } = readConfig();
  if (keys.kind === 'file') return work(fileKeyStore(keys.path), fileUsageStore(keys.usageFolder));
  const redis = openRedis(keys.url);
  try {
    // Rejects with the first error event.
    await once(redis, 'ready').catch((cause) => {
      throw new Error(`The key store at ${new URL(keys.url).host} does not respond: ${cause}`, { cause });
    });
    const report = (name: string) => console.error(`Ignored ${name}: it is not the record of a key.`);
    await work(redisKeyStore(redis, report), redisUsageStore(redis));
  } finally {
    redis.disconnect();
  }
}
