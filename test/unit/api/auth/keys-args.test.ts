import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseKeysArgs } from '../../../../api/auth/keys-args.ts';

function mistakeIn(...args: readonly string[]): string {
  const read = parseKeysArgs(args);
  return read.kind === 'mistake' ? read.text : assert.fail(`${args.join(' ')} was accepted`);
}

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

  it('print every command with --help or -h, and the options of one', () => {
    for (const args of [['--help'], ['-h']]) {
      const help = parseKeysArgs(args);
      assert.ok(help.kind === 'help');
      for (const name of ['create', 'list', 'usage', 'rotate', 'set-plan', 'revoke'])
        assert.match(help.text, new RegExp(`^  ${name} `, 'm'));
    }
    const help = parseKeysArgs(['create', '--help']);
    assert.ok(help.kind === 'help');
    assert.match(help.text, /--plan <plan> .*"sandbox", "starter",\s+"professional"/);
  });

  for (const [args, message] of [
    [[], /^a command is missing; see --help$/],
    [['lst'], /^unknown command 'lst' \(Did you mean list\?\)$/],
    [['--plan', 'starter'], /^unknown option '--plan'; see --help$/],
    [
      ['create', '--plan', 'gold'],
      /'gold' is invalid\. Allowed choices are sandbox, starter, professional\.$/,
    ],
    [['create', '--paln', 'starter'], /^unknown option '--paln' \(Did you mean --plan\?\)$/],
    [['create'], /^--plan is required: write --plan sandbox or starter or professional$/],
    [['create', 'x', '--plan', 'starter'], /^too many arguments for 'create'/],
    [['create', '--plan', 'starter', '--account', ''], /Write a name of 1 to 64 characters on one line\.$/],
    [['create', '--plan', 'starter', '--account', 'A', '--account=B'], /given twice: write it once\.$/],
    [['create', '--plan', 'starter', '--expires', '2027-02-30'], /no such day in the calendar\.$/],
    [['create', '--plan', 'starter', '--expires', '2020-01-01'], /must be in the future\.$/],
    [['create', '--plan', 'starter', '--expires', 'tomorrow'], /Write a day or a time in UTC/],
    [['list', '--plan', 'starter'], /^unknown option '--plan'; see --help$/],
    [['usage', '--days', '0'], /Write a whole number from 1 to 400\.$/],
    [['rotate', 'abc', '--grace', '7'], /Write minutes, hours or days, like 30m, 12h or 7d\.$/],
    [['set-plan', 'abc', 'gold'], /Allowed choices are sandbox, starter, professional\.$/],
    [['revoke'], /^missing required argument 'id'$/],
  ] as const)
    it(`are refused with what to write instead: ${args.join(' ')}`, () =>
      assert.match(mistakeIn(...args), message));

  it('are refused where an account is not one line of text', () => {
    for (const account of ['a\nb', 'a\x1b[31m', 'a\u2028b', 'a'.repeat(65)])
      assert.match(mistakeIn('create', '--plan', 'starter', '--account', account), /on one line/);
  });
});
