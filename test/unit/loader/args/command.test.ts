import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readCommand, type VerifyCommand } from '../../../../loader/args/command.ts';
import type { Scope } from '../../../../loader/args/scope.ts';
import { SOURCE_NAMES } from '../../../../loader/sources/registry.ts';

const GOOD = '--source iem --stations KJFK,EGLL --from 2024-01-01 --to 2024-02-01';

function mistakesIn(line: string): readonly string[] {
  const errors: string[] = [];
  readCommand(line.split(' ').filter(Boolean), errors);
  return errors;
}

function commandOf(line: string): unknown {
  const errors: string[] = [];
  const command = readCommand(line.split(' ').filter(Boolean), errors);
  assert.deepEqual(errors, []);
  return command;
}

describe('loader arguments', () => {
  it('reads source, stations and days of a load', () => {
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

  it('reads values behind an equals sign, an interval, and each station once', () => {
    const command = commandOf(
      '--source=iem --stations=K0CO,K0CO --from=2005-01-01 --to=2005-01-02 --interval=0.5 --order=newest --again --dry-run',
    );
    assert.deepEqual(command, {
      kind: 'load',
      sources: ['iem'],
      stations: ['K0CO'],
      firstDay: '2005-01-01',
      endDay: '2005-01-02',
      intervalSeconds: 0.5,
      preference: { order: 'newest', priority: [] },
      again: true,
      dryRun: true,
    });
  });

  it('reads the commands without scope', () => {
    assert.deepEqual(commandOf('status'), { kind: 'status', detail: undefined, json: false });
    assert.deepEqual(commandOf('status --json'), { kind: 'status', detail: undefined, json: true });
    assert.deepEqual(commandOf('status --stations all'), { kind: 'status', detail: [], json: false });
    assert.deepEqual(commandOf('status --stations KJFK'), { kind: 'status', detail: ['KJFK'], json: false });
    assert.deepEqual(commandOf('remove-demo'), { kind: 'remove-demo' });
    assert.deepEqual(commandOf('migrate'), { kind: 'migrate' });
  });

  it('reads follow, every hour and from some days back unless it says otherwise', () => {
    const command = { kind: 'follow', sources: ['iem'], stations: ['*'], intervalSeconds: undefined };
    const always = { ...command, everySeconds: 3600, firstDay: undefined };
    assert.deepEqual(commandOf('follow --source iem --stations all'), always);
    assert.deepEqual(commandOf('follow --source iem --stations all --every 30m --from 2024-01-01'), {
      ...command,
      everySeconds: 1800,
      firstDay: '2024-01-01',
    });
  });

  for (const [what, line, error] of [
    [
      'a source that has ended',
      '--source ncei --stations KJFK',
      /ncei has no new reports: write iem or madis or ogimet/,
    ],
    ['the synthetic source', '--source demo --stations XAAA', /demo has no new reports: write iem or/],
    [
      'cycles shorter than the pace of the source allows',
      '--source ogimet --stations KJFK,EGLL --every 3m',
      /--every is too short: a cycle of 2 stations sends 4 requests to ogimet, 60 s apart; write --every 4m or longer/,
    ],
    ['cycles of seconds', '--source iem --stations all --every 30s', /--every must be a time from 1m to 12h/],
    [
      'a start in the future',
      '--source iem --stations all --from 2999-01-01',
      /--from must be a day that has begun/,
    ],
    [
      'single stations of a source that sends all together',
      '--source madis --stations KJFK',
      /write --stations all/,
    ],
    ['no stations', '--source iem', /--stations is required/],
    ['an end', '--source iem --stations all --to 2024-01-01', /--to is not an option of follow/],
  ] as const)
    it(`refuses to follow ${what}`, () => {
      const mistakes = mistakesIn(`follow ${line}`);
      assert.equal(mistakes.length, 1, mistakes.join());
      assert.match(mistakes[0] ?? '', error);
    });

  it('takes the whole archive as the scope of redecode, or what is named', () => {
    const today = new Date().toISOString().slice(0, 10);
    const everything = commandOf('redecode') as { scope: Scope };
    assert.deepEqual([everything.scope.stations, everything.scope.firstDay], [[], '2005-01-01']);
    assert.ok(everything.scope.endDay > today);
    assert.deepEqual(commandOf('redecode --stations KJFK,KJFK --from 2024-01-01 --to 2024-02-01'), {
      kind: 'redecode',
      scope: { stations: ['KJFK'], firstDay: '2024-01-01', endDay: '2024-02-01' },
    });
    assert.deepEqual(commandOf('gaps --from 1999-01-01 --to 2024-02-01'), {
      kind: 'gaps',
      scope: { stations: [], firstDay: '2005-01-01', endDay: '2024-02-01' },
    });
  });

  it('verifies ten slices of every source, or what is named', () => {
    const { scope, ...verify } = commandOf('verify') as VerifyCommand;
    assert.deepEqual(verify, {
      kind: 'verify',
      sample: 10,
      sources: SOURCE_NAMES,
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

  it('names every error at once', () => {
    const errors = mistakesIn(
      '--source moon --stations kjfk,EGLL, --from 2024-02-30 --to tomorrow --interval -1 --fast',
    );
    for (const named of ['--source', '"kjfk"', '--from', '--to', '--interval', '--fast'])
      assert.ok(
        errors.some((error) => error.includes(named)),
        `${named} in ${errors.join('; ')}`,
      );
  });

  it('says what is wrong and what to write instead', () => {
    assert.deepEqual(mistakesIn(GOOD.replace('2024-02-01', '2024-02-30')), [
      '--to must be an existing UTC day like 2024-01-31; found "2024-02-30"',
    ]);
    assert.deepEqual(mistakesIn('--source iem --stations KJFK'), [
      '--from is required: an existing UTC day like 2024-01-31',
      '--to is required: an existing UTC day like 2024-01-31',
    ]);
  });

  for (const [what, line, named] of [
    ['a load without source', GOOD.replace('--source iem', ''), '--source is required'],
    ['an unknown source', GOOD.replace('iem', 'constructor'), '--source must be one of iem, madis'],
    ['a load without stations', GOOD.replace('--stations KJFK,EGLL', ''), '--stations is required'],
    ['a code that is not of ICAO', GOOD.replace('KJFK', '1JFK'), '"1JFK"'],
    ['an empty item of a list', GOOD.replace('KJFK,', 'KJFK,,'), 'an empty item'],
    ['codes beside all', GOOD.replace('KJFK', 'all'), 'codes or all, not both'],
    ['a real station with the demo source', GOOD.replace('iem', 'demo'), 'XAAA'],
    ['the demo source beside another', GOOD.replace('iem', 'iem,demo'), 'write it alone'],
    ['a day before the archive begins', GOOD.replace('2024-01-01', '2004-12-31'), '2005-01-01 or later'],
    ['an end before the start', GOOD.replace('2024-02-01', '2023-02-01'), '--to must be after --from'],
    ['an empty range', GOOD.replace('2024-02-01', '2024-01-01'), '--to 2024-01-02'],
    ['a day that does not exist', GOOD.replace('2024-02-01', '2024-02-30'), '"2024-02-30"'],
    ['an option without its value', `${GOOD} --interval`, 'found no value'],
    ['a value of an option without value', `${GOOD} --again=yes`, 'written without a value; found "yes"'],
    ['an interval of more than a week', `${GOOD} --interval 604801`, 'seconds from 0 to 604800'],
    ['an option that is given twice', `${GOOD} --source demo`, 'twice'],
    ['an unknown option', `${GOOD} --fast`, '--fast is not an option; see --help'],
    ['an unknown order', `${GOOD} --order random`, '--order must be newest or oldest; found "random"'],
    ['a file that does not exist', `${GOOD} --priority-file /does/not/exist`, 'is not readable'],
    ['stations and a station file', `${GOOD} --stations-file /does/not/exist`, 'write one of them'],
    [
      'all stations of a source that cannot give them',
      GOOD.replace('iem', 'ogimet').replace('KJFK,EGLL', 'all'),
      'use iem',
    ],
    ['a path with another source', `${GOOD} --path .`, '--path is not an option of load'],
    ['files without path', '--source files', '--path is required'],
    ['a path that is not a folder', '--source files --path package.json', '--path must be the folder'],
    ['an unknown command', 'fill', 'fill is not a command'],
    ['an option of another command', 'migrate --source iem', '--source is not an option of migrate'],
    ['an option of load with redecode', 'redecode --order newest', '--order is not an option of redecode'],
    ['a sample of 0', 'verify --sample 0', 'from 1 to 100000; found "0"'],
    ['a wrong code in a scope', 'redecode --stations KJFK,jfk', '"jfk"'],
    [
      'the days of a scope in the wrong order',
      'gaps --from 2024-02-01 --to 2024-01-01',
      '--to must be after',
    ],
    ['words after a command', 'status now', 'status takes no further words'],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.ok(
        mistakesIn(line).some((error) => error.includes(named)),
        mistakesIn(line).join('; ') || 'no error found',
      );
    });
});
