import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readCommand, type VerifyCommand } from '../../../../../loader/commands/args/command.ts';
import type { Scope } from '../../../../../loader/commands/args/scope.ts';

const GOOD = '--source iem --stations KJFK,EGLL --from 2024-01-01 --to 2024-02-01';

function mistakesIn(line: string): readonly string[] {
  const mistakes: string[] = [];
  readCommand(line.split(' ').filter(Boolean), mistakes);
  return mistakes;
}

function commandOf(line: string): unknown {
  const mistakes: string[] = [];
  const command = readCommand(line.split(' ').filter(Boolean), mistakes);
  assert.deepEqual(mistakes, []);
  return command;
}

describe('the loader’s command line', () => {
  it('names source, stations and days', () => {
    assert.deepEqual(commandOf(GOOD), {
      kind: 'load',
      sources: ['iem'],
      stations: ['KJFK', 'EGLL'],
      firstDay: '2024-01-01',
      endDay: '2024-02-01',
      intervalSeconds: undefined,
      preference: { order: undefined, priority: [] },
      again: false,
      dryRun: false,
    });
  });

  it('takes a pace, written either way, and each station once', () => {
    const command = commandOf(
      '--source=iem --stations=K0CO,K0CO --from=2005-01-01 --to=2005-01-02 --interval=0.5',
    );
    assert.deepEqual(command, {
      kind: 'load',
      sources: ['iem'],
      stations: ['K0CO'],
      firstDay: '2005-01-01',
      endDay: '2005-01-02',
      intervalSeconds: 0.5,
      preference: { order: undefined, priority: [] },
      again: false,
      dryRun: false,
    });
  });

  it('knows the other commands', () => {
    assert.deepEqual(commandOf('status'), { kind: 'status', detail: undefined });
    assert.deepEqual(commandOf('status --stations all'), { kind: 'status', detail: [] });
    assert.deepEqual(commandOf('status --stations KJFK'), { kind: 'status', detail: ['KJFK'] });
    assert.deepEqual(commandOf('remove-demo'), { kind: 'remove-demo' });
    assert.deepEqual(commandOf('--help'), { kind: 'help' });
  });

  it('decodes everything again, or what is named', () => {
    const everything = commandOf('redecode') as { scope: Scope };
    assert.deepEqual([everything.scope.stations, everything.scope.firstDay], [[], '2005-01-01']);
    assert.ok(everything.scope.endDay > new Date().toISOString().slice(0, 10));
    assert.deepEqual(commandOf('redecode --stations KJFK,KJFK --from 2024-01-01 --to 2024-02-01'), {
      kind: 'redecode',
      scope: { stations: ['KJFK'], firstDay: '2024-01-01', endDay: '2024-02-01' },
    });
  });

  it('verifies ten slices of every source, or what is named', () => {
    const { scope, ...verify } = commandOf('verify') as VerifyCommand;
    assert.deepEqual(verify, {
      kind: 'verify',
      sample: 10,
      sources: ['iem', 'ogimet', 'ncei', 'demo'],
      intervalSeconds: undefined,
    });
    const line = 'verify --source iem,ncei --sample 3 --interval 0 --stations KJFK --from 2024-01-01';
    const named = commandOf(line) as VerifyCommand;
    assert.deepEqual(
      [named.sources, named.sample, named.intervalSeconds, named.scope.stations, named.scope.firstDay],
      [['iem', 'ncei'], 3, 0, ['KJFK'], '2024-01-01'],
    );
    assert.deepEqual(scope.stations, []);
  });

  it('names every mistake at once', () => {
    const mistakes = mistakesIn(
      '--source moon --stations kjfk,EGLL, --from 2024-02-30 --to tomorrow --interval -1 --fast',
    );
    for (const named of ['--source', '"kjfk"', '--from', '--to', '--interval', '--fast'])
      assert.ok(
        mistakes.some((mistake) => mistake.includes(named)),
        `${named} in ${mistakes.join('; ')}`,
      );
  });

  for (const [what, line, named] of [
    ['a missing source', GOOD.replace('--source iem', ''), '--source is missing'],
    ['an unknown source', GOOD.replace('iem', 'constructor'), '--source is "constructor"'],
    ['no stations', GOOD.replace('--stations KJFK,EGLL', ''), '--stations holds missing'],
    ['a station that ICAO cannot have', GOOD.replace('KJFK', '1JFK'), '"1JFK"'],
    ['an empty place in the list', GOOD.replace('KJFK,', 'KJFK,,'), 'missing'],
    ['a real station of the demo', GOOD.replace('iem', 'demo'), 'XAAA'],
    ['days before the archive begins', GOOD.replace('2024-01-01', '2004-12-31'), '2005-01-01'],
    ['the end before the start', GOOD.replace('2024-02-01', '2023-02-01'), '--to is not after --from'],
    ['an empty range', GOOD.replace('2024-02-01', '2024-01-01'), '--to 2024-01-02'],
    ['a day that does not exist', GOOD.replace('2024-02-01', '2024-02-30'), '"2024-02-30"'],
    ['an option without its value', `${GOOD} --interval`, '--interval is missing'],
    ['an option given twice', `${GOOD} --source demo`, 'twice'],
    ['an order that there is not', `${GOOD} --order random`, '--order is "random"'],
    ['a file that is not there', `${GOOD} --priority-file /nowhere/at/all`, 'cannot be read'],
    ['stations twice', `${GOOD} --stations-file /nowhere`, 'write one of them'],
    [
      'all stations where only some can be asked for',
      GOOD.replace('iem', 'ogimet').replace('KJFK,EGLL', 'all'),
      'use iem',
    ],
    ['a word that is no command', 'fill', 'fill is no command'],
    ['options behind another command', 'migrate --source iem', 'migrate takes no options'],
    ['options that a command has no use for', 'redecode --order newest', 'leave out --order'],
    ['a sample of nothing', 'verify --sample 0', '--sample is "0"'],
    ['stations of a command that ICAO cannot have', 'redecode --stations KJFK,jfk', '"jfk"'],
    [
      'days of a command in the wrong order',
      'redecode --from 2024-02-01 --to 2024-01-01',
      '--to is not after',
    ],
    ['words behind a command', 'status now', 'nothing may follow status'],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.ok(
        mistakesIn(line).some((mistake) => mistake.includes(named)),
        mistakesIn(line).join('; ') || 'no mistake found',
      );
    });
});
