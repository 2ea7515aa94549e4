import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseKeysArgs } from '../../../../api/auth/keys-args.ts';

const mistakes = (...args: readonly string[]): string[] => {
  try {
    parseKeysArgs(args);
  } catch (error) {
    assert.ok(error instanceof Error);
    return error.message.split('\n');
  }
  return assert.fail(`${args.join(' ')} was accepted`);
};

describe('arguments of npm run keys', () => {
  it('select a command', () => {
    assert.deepEqual(parseKeysArgs(['create', '--plan', 'starter', '--account', 'A & B']), {
      kind: 'create',
      plan: 'starter',
      account: 'A & B',
    });
    assert.deepEqual(parseKeysArgs(['create', '--plan=sandbox']), {
      kind: 'create',
      plan: 'sandbox',
      account: 'none',
    });
    assert.deepEqual(parseKeysArgs(['create', '--plan=sandbox', '--expires', '2999-01-01']), {
      kind: 'create',
      plan: 'sandbox',
      account: 'none',
      expiresAt: '2999-01-01T00:00:00.000Z',
    });
    assert.deepEqual(parseKeysArgs(['list']), { kind: 'list', json: false });
    assert.deepEqual(parseKeysArgs(['list', '--json']), { kind: 'list', json: true });
    assert.deepEqual(parseKeysArgs(['usage']), { kind: 'usage', days: 30, json: false });
    assert.deepEqual(parseKeysArgs(['usage', '--days', '7', '--json']), {
      kind: 'usage',
      days: 7,
      json: true,
    });
    assert.deepEqual(parseKeysArgs(['rotate', 'abc']), {
      kind: 'rotate',
      id: 'abc',
      graceMs: 7 * 86_400_000,
    });
    assert.deepEqual(parseKeysArgs(['rotate', 'abc', '--grace', '30m']), {
      kind: 'rotate',
      id: 'abc',
      graceMs: 1_800_000,
    });
    assert.deepEqual(parseKeysArgs(['set-plan', 'abc', 'starter']), {
      kind: 'set-plan',
      id: 'abc',
      plan: 'starter',
    });
    assert.deepEqual(parseKeysArgs(['revoke', 'abc']), { kind: 'revoke', id: 'abc' });
  });

  it('ask for the usage with --help or -h, alone or with a command', () => {
    for (const args of [['--help'], ['-h'], ['create', '--help'], ['list', '-h', 'x']])
      assert.deepEqual(parseKeysArgs(args), { kind: 'help' });
  });

  it('have every mistake reported together, with what to write instead', () => {
    assert.deepEqual(mistakes('create', 'x', '--plan', 'gold', '--acount', 'A').sort(), [
      '--acount is unknown: the nearest is --account',
      '--plan must be sandbox or starter or professional',
      'A is unknown: there are --plan, --account, --expires',
      'Invalid arguments for `create`.',
      'x is unknown: there are --plan, --account, --expires',
    ]);
    assert.deepEqual(mistakes('create', '--plan', 'starter', '--account', ''), [
      'Invalid arguments for `create`.',
      '--account must be a name of 1 to 64 characters on one line',
    ]);
    for (const account of ['a\nb', 'a\x1b[31m', 'a\u2028b', 'a'.repeat(65)])
      assert.match(mistakes('create', '--plan', 'starter', '--account', account).join(), /on one line/);
    assert.deepEqual(mistakes('create', '--plan', 'sandbox', '--plan=professional'), [
      '--plan is given twice: write it once.',
    ]);
    assert.deepEqual(mistakes('list', '--plan', 'starter'), [
      'Invalid arguments for `list`.',
      '--plan is unknown: there are --json',
    ]);
    for (const [expires, message] of [
      ['2027-02-30', /not a day of the calendar/],
      ['2020-01-01', /must be in the future/],
      ['tomorrow', /must be a day or a time in UTC/],
    ] as const)
      assert.match(mistakes('create', '--plan', 'starter', '--expires', expires).join(), message);
    assert.match(mistakes('rotate', 'abc', '--grace', '7').join(), /--grace must be minutes, hours or days/);
    assert.match(
      mistakes('set-plan', 'abc', 'gold').join(),
      /PLAN must be sandbox or starter or professional/,
    );
    assert.deepEqual(mistakes('revoke'), [
      'Invalid arguments for `revoke`.',
      'ID is required: the id of a key, as list shows it',
    ]);
  });

  it('are refused without a known command', () => {
    for (const args of [[], ['delete'], ['--plan', 'starter']])
      assert.deepEqual(mistakes(...args), [
        'The first argument must be create, list, usage, rotate, set-plan or revoke.',
      ]);
  });
});
