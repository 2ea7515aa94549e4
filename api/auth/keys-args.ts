import { parseArgs } from 'node:util';
import { compileSchema, type ValidationResult } from '../../clickhouse/validation/schema-validator.ts';
import { PLANS, type Plan } from '../rate-limit/plans.ts';
import { KEEP_DAYS } from '../usage/usage.ts';

type KeysCommand =
  | { readonly kind: 'help' }
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

/** All mistakes in the arguments, one a line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const PLAN_NAMES = Object.keys(PLANS);

export const USAGE = `Usage:
  npm run keys -- create --plan ${PLAN_NAMES.join('|')} [--account NAME] [--expires 2027-01-01]
  npm run keys -- list [--json]
  npm run keys -- usage [--days 30] [--json]
  npm run keys -- rotate ID [--grace 7d]
  npm run keys -- set-plan ID ${PLAN_NAMES.join('|')}
  npm run keys -- revoke ID`;

const OPTIONS = {
  plan: { type: 'string' },
  account: { type: 'string' },
  expires: { type: 'string' },
  grace: { type: 'string' },
  days: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const PLAN = { enum: PLAN_NAMES, description: PLAN_NAMES.join(' or ') };
const ID = { type: 'string', description: 'the id of a key, as list shows it' };

const checkCreate = compileSchema<{
  readonly '--plan': Plan;
  readonly '--account': string;
  readonly '--expires'?: string;
}>({
  type: 'object',
  properties: {
    '--plan': PLAN,
    '--account': {
      type: 'string',
      // `list` prints it to a terminal, in a line of its own.
      pattern: '^[^\\p{C}\\p{Zl}\\p{Zp}]{1,64}$',
      description: 'a name of 1 to 64 characters on one line',
      default: 'none',
    },
    '--expires': {
      type: 'string',
      pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\dZ)?$',
      description: 'a day or a time in UTC, as in 2027-01-01 or 2027-01-01T12:00:00Z',
    },
  },
  required: ['--plan'],
  additionalProperties: false,
});
const checkList = compileSchema<{ readonly '--json'?: boolean }>({
  type: 'object',
  properties: { '--json': { type: 'boolean', description: 'given without a value' } },
  additionalProperties: false,
});
const checkUsage = compileSchema<{ readonly '--days': string; readonly '--json'?: boolean }>({
  type: 'object',
  properties: {
    '--days': {
      type: 'string',
      wholeNumber: [1, KEEP_DAYS],
      description: `a whole number from 1 to ${KEEP_DAYS}`,
      default: '30',
    },
    '--json': { type: 'boolean', description: 'given without a value' },
  },
  additionalProperties: false,
});
const checkRotate = compileSchema<{ readonly ID: string; readonly '--grace': string }>({
  type: 'object',
  properties: {
    ID,
    '--grace': {
      type: 'string',
      pattern: '^\\d{1,4}[mhd]$',
      description: 'minutes, hours or days, as in 30m, 12h or 7d',
      default: '7d',
    },
  },
  required: ['ID'],
  additionalProperties: false,
});
const checkSetPlan = compileSchema<{ readonly ID: string; readonly PLAN: Plan }>({
  type: 'object',
  properties: { ID, PLAN },
  required: ['ID', 'PLAN'],
  additionalProperties: false,
});
const checkRevoke = compileSchema<{ readonly ID: string }>({
  type: 'object',
  properties: { ID },
  required: ['ID'],
  additionalProperties: false,
});

/** The arguments of a command that are not options. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  revoke: ['ID'],
  rotate: ['ID'],
  'set-plan': ['ID', 'PLAN'],
};

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

export function parseKeysArgs(args: readonly string[]): KeysCommand {
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    strict: false,
    tokens: true,
  });
  if (values.help) return { kind: 'help' };
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const repeated = names.find((name, n) => names.indexOf(name) < n);
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice: write it once.`);
  const [command, ...words] = positionals;
  const options = Object.entries(values).map(([name, value]) => [`--${name}`, value] as const);
  const wordNames = WORDS[command ?? ''] ?? [];
  const named = (word: string, n: number) => [wordNames[n] ?? word, word] as const;
  const given = Object.fromEntries([...options, ...words.map(named)]);
  switch (command) {
    case 'create': {
      const {
        '--plan': plan,
        '--account': account,
        '--expires': expires,
      } = requireValid(command, checkCreate(given));
      return {
        kind: command,
        plan,
        account,
        ...(expires !== undefined && { expiresAt: parseExpiry(expires) }),
      };
    }
    case 'list':
      return { kind: command, json: requireValid(command, checkList(given))['--json'] ?? false };
    case 'usage': {
      const { '--days': days, '--json': json = false } = requireValid(command, checkUsage(given));
      return { kind: command, days: Number(days), json };
    }
    case 'rotate': {
      const { ID: id, '--grace': grace } = requireValid(command, checkRotate(given));
      return { kind: command, id, graceMs: Number.parseInt(grace, 10) * (UNIT_MS[grace.slice(-1)] ?? 0) };
    }
    case 'set-plan': {
      const { ID: id, PLAN: plan } = requireValid(command, checkSetPlan(given));
      return { kind: command, id, plan };
    }
    case 'revoke':
      return { kind: command, id: requireValid(command, checkRevoke(given)).ID };
  }
  throw new UsageError('The first argument must be create, list, usage, rotate, set-plan or revoke.');
}

/** The beginning of a day, or the time. */
function parseExpiry(text: string): string {
  const time = Date.parse(text);
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.replace('Z', ''));
  if (isReal && time > Date.now()) return new Date(time).toISOString();
  throw new UsageError(
    `--expires ${isReal ? 'must be in the future' : 'is not a day of the calendar'}: ${text}`,
  );
}

function requireValid<T>(command: string, result: ValidationResult<T>): T {
  if (result.kind === 'valid') return result.value;
  const mistakes = result.errors.map(({ name, detail }) => `${name} ${detail}`);
  throw new UsageError([`Invalid arguments for \`${command}\`.`, ...mistakes].join('\n'));
}
