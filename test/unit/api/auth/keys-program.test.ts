import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { mock } from 'node:test';
import type { KeyRecord, KeyStore } from '../../../../api/auth/key-store.ts';
import { parseKeysArgs } from '../../../../api/auth/keys-program.ts';
import { dayBefore, type UsageStore } from '../../../../api/usage/usage.ts';

function mistakeIn(...args: readonly string[]): string {
  const read = parseKeysArgs(args);
  return read.kind === 'mistake' ? read.text : assert.fail(`${args.join(' ')} was accepted`);
}

const RECORD = {
  ...{ id: 'abc', account: 'A', plan: 'sandbox', status: 'active', prefix: 'hist_1234', last4: '5678' },
  createdAt: '2024-01-01T00:00:00.000Z',
} as const satisfies KeyRecord;

/** Runs a command on a store with one key. Returns what it changed and printed, and the days whose usage it read. */
async function outcomeOf(...args: readonly string[]) {
  const read = parseKeysArgs(args);
  assert.ok(read.kind === 'accepted');
  const added: KeyRecord[] = [];
  const changed: unknown[] = [];
  const firstDays: string[] = [];
  const keys: KeyStore = {
    find: () => assert.fail(),
    list: async () => [RECORD],
    add: async (_, record) => void added.push(record),
    change: async (...change) => changed.push(change),
  };
  const usage: UsageStore = {
    replace: () => assert.fail(),
    read(firstDay) {
      firstDays.push(firstDay);
      return Readable.from([]);
    },
  };
  const { mock: log } = mock.method(console, 'log', () => {});
  await read.work(keys, usage).finally(() => log.restore());
  const printed = log.calls.map(({ arguments: [text] }) => text as string);
  return { added, changed, firstDays, printed };
}

describe('arguments of npm run keys', () => {
  it('give a key no account and no end unless they say so, and usage a month', async () => {
    const [created] = (await outcomeOf('create', '--plan=sandbox')).added;
    assert.deepEqual([created?.account, created?.expiresAt], ['none', undefined]);
    const { firstDays, printed } = await outcomeOf('usage');
    assert.deepEqual([firstDays, printed], [[dayBefore(29)], ['No key was used in these days.']]);
    const lastWeek = await outcomeOf('usage', '--days', '7', '--json');
    assert.deepEqual([lastWeek.firstDays, lastWeek.printed], [[dayBefore(6)], ['[]']]);
  });

  it('let a rotated key stay valid for a week, or as long as they say', async () => {
    for (const [args, minutes] of [
      [[], 7 * 24 * 60],
      [['--grace', '30m'], 30],
      [['--grace', '12h'], 12 * 60],
    ] as const) {
      const { added, changed } = await outcomeOf('rotate', 'abc', ...args);
      const [[id, { expiresAt, replacedBy }]] = changed as [[string, Record<string, string>]];
      assert.deepEqual([id, replacedBy, added[0]?.plan], ['abc', added[0]?.id, 'sandbox']);
      assert.equal(Math.round((Date.parse(expiresAt ?? '') - Date.now()) / 60_000), minutes);
    }
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
