import assert from 'node:assert/strict';
import { Argument, Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { once, parseArguments, required } from '../../clickhouse/program-arguments.ts';
import { isPlan, PLANS } from '../rate-limit/rate-limit.ts';
import { dayBefore, KEEP_DAYS, readUsage, type UsageStore } from '../usage/usage.ts';
import { issueKey, isValidKey, type KeyRecord, type KeyStore, randomId } from './key-store.ts';

export type KeysWork = (keys: KeyStore, usage: UsageStore) => Promise<void>;

const PLAN_NAMES = Object.keys(PLANS).filter(isPlan);
const DEFAULT_GRACE_MS = 7 * 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const KEY_ID = new Argument('<id>', 'as list shows it');

export function parseKeysArgs(args: readonly string[]) {
  let work: KeysWork | undefined;
  const accept = (given: KeysWork) => {
    work = given;
  };
  const program = new Command('npm run keys --')
    .description('Creates, lists and revokes the keys of clients.')
    .usage('<command> [options]')
    .helpCommand(false);
  program
    .command('create')
    .description('creates a key and prints it as the last line; only its hash is stored')
    .addOption(new Option('--plan <plan>', 'how many requests a second').choices(PLAN_NAMES))
    .option('--account <name>', 'who uses the key (none)', once(parseAccount))
    .option('--expires <time>', 'UTC day or time, like 2027-01-01 or 2027-01-01T12:00:00Z', once(parseExpiry))
    .action(({ plan: asked, account = 'none', expires: expiresAt }) => {
      const plan = required(`--plan ${PLAN_NAMES.join(' or ')}`, asked);
      accept(async (keys) => {
        const key = await issueKey(keys, { plan, account, expiresAt });
        console.log(`A ${plan} key for account ${account}. It is shown only once, because it is not stored:`);
        // Alone on the last line: scripts read it from there.
        console.log(key);
      });
    });
  program
    .command('list')
    .description('lists the keys, without their secret part')
    .option('--json', 'as JSON')
    .action(({ json = false }) => accept((keys) => list(keys, json)));
  program
    .command('usage')
    .description('prints requests, records and bytes by day and key')
    .option('--days <n>', `how many days (30), up to ${KEEP_DAYS}`, once(parseDays))
    .option('--json', 'as JSON')
    .action(({ days = 30, json = false }) => accept((keys, usage) => printUsage(keys, usage, days, json)));
  program
    .command('rotate')
    .description('creates a key for the account and plan of another one, which stays valid for a while')
    .addArgument(KEY_ID)
    .option('--grace <time>', 'how long the old key stays valid: 30m, 12h or 7d (7d)', once(parseGrace))
    .action((id, { grace: graceMs = DEFAULT_GRACE_MS }) => accept((keys) => rotate(keys, id, graceMs)));
  program
    .command('set-plan')
    .description('changes the plan of a key')
    .addArgument(KEY_ID)
    .addArgument(new Argument('<plan>').choices(PLAN_NAMES))
    .action((id, plan) => accept((keys) => change(keys, id, { plan }, `Key ${id} has the plan ${plan}.`)));
  program
    .command('revoke')
    .description('ends a key at once')
    .addArgument(KEY_ID)
    .action((id) => accept((keys) => change(keys, id, { status: 'revoked' }, `Revoked ${id}.`)));
  const parsed = parseArguments(program, args);
  if (parsed.kind !== 'accepted') return parsed;
  return { ...parsed, work: work ?? assert.fail('no action has run') };
}

function parseAccount(text: string): string {
  // `list` prints it to a terminal, on its own line.
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(text))
    throw new InvalidArgumentError('Write a name of 1 to 64 characters on one line.');
  return text;
}

/** The start of a day, or the time, in RFC 3339. */
function parseExpiry(text: string): string {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(text))
    throw new InvalidArgumentError('Write a day or a time in UTC, like 2027-01-01 or 2027-01-01T12:00:00Z.');
  const time = Date.parse(text);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text.replace('Z', '')))
    throw new InvalidArgumentError('There is no such day in the calendar.');
  if (time <= Date.now()) throw new InvalidArgumentError('It must be in the future.');
  return new Date(time).toISOString();
}

function parseDays(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text) || Number(text) > KEEP_DAYS)
    throw new InvalidArgumentError(`Write a whole number from 1 to ${KEEP_DAYS}.`);
  return Number(text);
}

function parseGrace(text: string): number {
  if (!/^\d{1,4}[mhd]$/.test(text))
    throw new InvalidArgumentError('Write minutes, hours or days, like 30m, 12h or 7d.');
  return Number.parseInt(text, 10) * (UNIT_MS[text.slice(-1)] ?? 0);
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

async function printUsage(keys: KeyStore, usage: UsageStore, days: number, json: boolean): Promise<void> {
  const records = new Map((await keys.list()).map((record) => [record.id, record]));
  const reportDamage = (name: string) => console.error(`Ignored ${name}: it is damaged.`);
  const rows = (await readUsage(usage, dayBefore(days - 1), reportDamage)).map((row) => {
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

/** Creates a key like another one, which stays valid for this time at the most. */
async function rotate(keys: KeyStore, id: string, graceMs: number): Promise<void> {
  const replaced = (await keys.list()).find((record) => record.id === id && isValidKey(record));
  if (replaced === undefined) throw new Error(`There is no valid key with id ${id}.`);
  const { account, plan, expiresAt, replacedBy } = replaced;
  // It expires at the end of its grace.
  if (replacedBy !== undefined)
    throw new Error(`Key ${id} was already replaced by ${replacedBy}: rotate ${replacedBy}.`);
  const newId = randomId();
  const key = await issueKey(keys, { plan, account, id: newId, expiresAt });
  const graceEnd = new Date(Date.now() + graceMs).toISOString();
  const endsBefore = expiresAt !== undefined && Date.parse(expiresAt) < Date.parse(graceEnd);
  await keys.change(id, { expiresAt: endsBefore ? expiresAt : graceEnd, replacedBy: newId });
  console.log(
    `Key ${id} is valid until ${graceEnd} at most. The new key is shown only once, because it is not stored:`,
  );
  console.log(key);
}

async function change(keys: KeyStore, id: string, changes: Partial<KeyRecord>, message: string) {
  if ((await keys.change(id, changes)) === 0) throw new Error(`There is no key with id ${id}.`);
  console.log(message);
}
