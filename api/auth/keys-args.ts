import assert from 'node:assert/strict';
import { Argument, Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { once, parseArguments, required } from '../../clickhouse/program-arguments.ts';
import { isPlan, PLANS, type Plan } from '../rate-limit/rate-limit.ts';
import { KEEP_DAYS } from '../usage/usage.ts';

type KeysCommand =
  | {
      readonly kind: 'create';
      readonly plan: Plan;
      readonly account: string;
      /** RFC 3339, UTC. */
      readonly expiresAt?: string;
    }
  | { readonly kind: 'list'; readonly json: boolean }
  | { readonly kind: 'usage'; readonly days: number; readonly json: boolean }
  | { readonly kind: 'rotate'; readonly id: string; readonly graceMs: number }
  | { readonly kind: 'set-plan'; readonly id: string; readonly plan: Plan }
  | { readonly kind: 'revoke'; readonly id: string };

type KeysArgs =
  | KeysCommand
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'mistake'; readonly text: string };

const PLAN_NAMES = Object.keys(PLANS).filter(isPlan);
const DEFAULT_GRACE_MS = 7 * 86_400_000;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

const ID = new Argument('<id>', 'as list shows it');

/** Reads the arguments of `npm run keys`, up to the first error. */
export function parseKeysArgs(args: readonly string[]): KeysArgs {
  let command: KeysCommand | undefined;
  const accept = (given: KeysCommand) => {
    command = given;
  };
  const program = new Command('npm run keys --')
    .description('Creates, lists and revokes the keys of clients.')
    .usage('<command> [options]')
    .helpCommand(false);
  program
    .command('create')
    .description('creates a key: the last line printed, of which only a hash is stored')
    .addOption(new Option('--plan <plan>', 'how many requests a second').choices(PLAN_NAMES))
    .option('--account <name>', 'who uses the key (none)', once(parseAccount))
    .option('--expires <time>', 'UTC day or time, like 2027-01-01 or 2027-01-01T12:00:00Z', once(parseExpiry))
    .action(({ plan, account = 'none', expires: expiresAt }) =>
      accept({
        kind: 'create',
        plan: required(`--plan ${PLAN_NAMES.join(' or ')}`, plan),
        account,
        ...(expiresAt !== undefined && { expiresAt }),
      }),
    );
  program
    .command('list')
    .description('lists the keys, without their secret part')
    .option('--json', 'as JSON')
    .action(({ json = false }) => accept({ kind: 'list', json }));
  program
    .command('usage')
    .description('prints requests, records and bytes by day and key')
    .option('--days <n>', `how many days (30), up to ${KEEP_DAYS}`, once(parseDays))
    .option('--json', 'as JSON')
    .action(({ days = 30, json = false }) => accept({ kind: 'usage', days, json }));
  program
    .command('rotate')
    .description('creates a key for the account and plan of another one, which stays valid for a while')
    .addArgument(ID)
    .option('--grace <time>', 'how long the old key stays valid: 30m, 12h or 7d (7d)', once(parseGrace))
    .action((id, { grace: graceMs = DEFAULT_GRACE_MS }) => accept({ kind: 'rotate', id, graceMs }));
  program
    .command('set-plan')
    .description('changes the plan of a key')
    .addArgument(ID)
    .addArgument(new Argument('<plan>').choices(PLAN_NAMES))
    .action((id, plan) => accept({ kind: 'set-plan', id, plan }));
  program
    .command('revoke')
    .description('ends a key at once')
    .addArgument(ID)
    .action((id) => accept({ kind: 'revoke', id }));
  const parsed = parseArguments(program, args);
  if (parsed.kind !== 'accepted') return parsed;
  return command ?? assert.fail('no action has run');
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

/** In milliseconds. */
function parseGrace(text: string): number {
  if (!/^\d{1,4}[mhd]$/.test(text))
    throw new InvalidArgumentError('Write minutes, hours or days, like 30m, 12h or 7d.');
  return Number.parseInt(text, 10) * (UNIT_MS[text.slice(-1)] ?? 0);
}
