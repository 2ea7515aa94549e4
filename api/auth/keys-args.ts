import { parseArgs } from 'node:util';
import { compileSchema, type ValidationResult } from '../../clickhouse/schema-validator.ts';
import { PLANS, type Plan } from '../rate-limit/plans.ts';

export type KeysCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'create'; readonly plan: Plan; readonly account: string }
  | { readonly kind: 'list' }
  | { readonly kind: 'revoke'; readonly id: string };

/** All mistakes in the arguments, one a line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const PLAN_NAMES = Object.keys(PLANS);

export const USAGE = `Usage:
  npm run keys -- create --plan ${PLAN_NAMES.join('|')} [--account NAME]
  npm run keys -- list
  npm run keys -- revoke ID`;

const OPTIONS = {
  plan: { type: 'string' },
  account: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const checkCreate = compileSchema<{ readonly '--plan': Plan; readonly '--account': string }>({
  type: 'object',
  properties: {
    '--plan': { enum: PLAN_NAMES, description: PLAN_NAMES.join(' or ') },
    '--account': { type: 'string', minLength: 1, description: 'a name', default: 'none' },
  },
  required: ['--plan'],
  additionalProperties: false,
});
const checkList = compileSchema({ type: 'object', properties: {}, additionalProperties: false });
const checkRevoke = compileSchema<{ readonly ID: string }>({
  type: 'object',
  properties: { ID: { type: 'string', description: 'the id of a key, as list shows it' } },
  required: ['ID'],
  additionalProperties: false,
});

export function parseKeysArgs(args: readonly string[]): KeysCommand {
  const { values, positionals } = parseArgs({ args: [...args], options: OPTIONS, strict: false });
  if (values.help) return { kind: 'help' };
  const [command, ...words] = positionals;
  const options = Object.entries(values).map(([name, value]) => [`--${name}`, value] as const);
  const named = (word: string, n: number) => [command === 'revoke' && n === 0 ? 'ID' : word, word] as const;
  const given = Object.fromEntries([...options, ...words.map(named)]);
  switch (command) {
    case 'create': {
      const { '--plan': plan, '--account': account } = requireValid(command, checkCreate(given));
      return { kind: command, plan, account };
    }
    case 'list':
      requireValid(command, checkList(given));
      return { kind: command };
    case 'revoke':
      return { kind: command, id: requireValid(command, checkRevoke(given)).ID };
  }
  throw new UsageError('The first argument must be create, list or revoke.');
}

function requireValid<T>(command: string, result: ValidationResult<T>): T {
  if (result.kind === 'valid') return result.value;
  const mistakes = result.errors.map(({ name, detail }) => `${name} ${detail}`);
  throw new UsageError([`Invalid arguments for \`${command}\`.`, ...mistakes].join('\n'));
}
