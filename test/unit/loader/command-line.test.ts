import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scope } from '../../../clickhouse/model/time-window.ts';
import { readCommandLine } from '../../../loader/command-line.ts';
import type { FilesToImport } from '../../../loader/commands/import/import-files.ts';
import type { VerifyCommand } from '../../../loader/commands/verify.ts';
import { SETTINGS } from '../../../loader/config.ts';
import type { LoadCommand } from '../../../loader/plan/slices.ts';
import { SOURCE_NAMES } from '../../../loader/sources/registry.ts';
import { readCommand } from '../../support/loader/run-load.ts';
import { newFolder } from '../../support/test-run.ts';

const GOOD = '--source iem --stations KJFK,EGLL --from 2024-01-01 --to 2024-02-01';

function mistakeIn(line: string): string {
  const read = readCommandLine(line.split(' ').filter(Boolean));
  return read.kind === 'mistake' ? read.text : assert.fail(`${line} was accepted`);
}

function helpOf(line: string): string {
  const read = readCommandLine(line.split(' '));
  return read.kind === 'help' ? read.text : assert.fail(`${line} printed no help`);
}

describe('loader arguments', () => {
  const load = { kind: 'load', intervalSeconds: undefined, order: undefined, refetch: false, dryRun: false };
  const follow = { kind: 'follow', sources: ['iem'], stations: ['*'], intervalSeconds: undefined };
  const scope = { stations: [], firstDay: '2024-01-01', endDay: '2024-02-01' };
  const status = { kind: 'status', detail: undefined, isJson: false };
  for (const [line, command] of [
    [
      GOOD,
      {
        ...load,
        ...{ sources: ['iem'], stations: ['KJFK', 'EGLL'], firstDay: '2024-01-01', endDay: '2024-02-01' },
      },
    ],
    [
      '--source=iem --stations=K0CO,K0CO --from=2005-01-01 --to=2005-01-02 --interval=0.5 --order=newest --refetch --dry-run',
      {
        ...{
          kind: 'load',
          sources: ['iem'],
          stations: ['K0CO'],
          firstDay: '2005-01-01',
          endDay: '2005-01-02',
        },
        ...{ intervalSeconds: 0.5, order: 'newest', refetch: true, dryRun: true },
      },
    ],
    ['status', status],
    ['status --json', { ...status, isJson: true }],
    ['status all', { ...status, detail: [] }],
    ['status KJFK EGLL KJFK', { ...status, detail: ['KJFK', 'EGLL'] }],
    ['status KJFK,EGLL', { ...status, detail: ['KJFK', 'EGLL'] }],
    ['remove-demo', { kind: 'remove-demo' }],
    ['migrate', { kind: 'migrate' }],
    ['follow --source iem --stations all', { ...follow, everySeconds: 3600, firstDay: undefined }],
    [
      'follow --source iem --stations all --every 30m --from 2024-01-01',
      { ...follow, everySeconds: 1800, firstDay: '2024-01-01' },
    ],
    [
      'redecode KJFK,KJFK --from 2024-01-01 --to 2024-02-01',
      { kind: 'redecode', scope: { ...scope, stations: ['KJFK'] } },
    ],
    [
      'gaps --from 1999-01-01 --to 2024-02-01',
      { kind: 'gaps', scope: { ...scope, firstDay: '2005-01-01' }, isAll: false, isJson: false },
    ],
    ['restore https://example.org/snapshot', { kind: 'restore', path: 'https://example.org/snapshot' }],
    ['export snapshot --from 2024-01-01 --to 2024-02-01', { kind: 'export', folder: 'snapshot', scope }],
  ] as const)
    it(`reads ${line}`, () => assert.deepEqual(readCommand(line), command));

  for (const [what, line, error] of [
    [
      'a source that has ended',
      '--source ncei --stations KJFK',
      /ncei has no new reports: write iem or madis or ogimet/,
    ],
    ['files that grow', '--source ghcnh --stations KJFK', /ghcnh has no new reports: write iem or/],
    ['the synthetic source', '--source demo --stations XAAA', /demo has no new reports: write iem or/],
    [
      'cycles shorter than the pace of the source allows',
      '--source ogimet --stations KJFK,EGLL --every 3m',
      /--every is too short: a cycle of 2 stations sends 4 requests to ogimet, 60 s apart; write --every 4m or longer/,
    ],
    ['cycles of seconds', '--source iem --stations all --every 30s', /Write a time from 1m to 12h/],
    [
      'a start in the future',
      '--source iem --stations all --from 2999-01-01',
      /--from must not be in the future/,
    ],
    [
      'single stations of a source that sends all together',
      '--source madis --stations KJFK',
      /write --stations all/,
    ],
    ['no stations', '--source iem', /--stations is required/],
    ['an end', '--source iem --stations all --to 2024-01-01', /unknown option '--to'/],
  ] as const)
    it(`refuses to follow ${what}`, () => {
      assert.match(mistakeIn(`follow ${line}`), error);
    });

  it('takes the whole archive as the scope of redecode', () => {
    const today = new Date().toISOString().slice(0, 10);
    const everything = readCommand<{ readonly kind: string; readonly scope: Scope }>('redecode');
    assert.deepEqual([everything.scope.stations, everything.scope.firstDay], [[], '2005-01-01']);
    assert.ok(everything.scope.endDay > today);
  });

  it('reads what an import names', () => {
    const files = readCommand<{ readonly kind: string } & FilesToImport>(
      'import README.md docs --stations KJFK',
    );
    assert.deepEqual(
      [files.kind, files.paths, files.scope.stations],
      ['import', ['README.md', 'docs'], ['KJFK']],
    );
    assert.deepEqual(readCommand('--source files --path docs'), readCommand('import docs'));
  });

  for (const [written, seconds] of [
    ['500ms', 0.5],
    ['0s', 0],
    ['2s', 2],
    ['1.5m', 90],
    ['1h', 3600],
    ['5', 5],
  ] as const)
    it(`reads the time ${written}`, () =>
      assert.equal(readCommand<LoadCommand>(`${GOOD} --interval ${written}`).intervalSeconds, seconds));

  it('reads --quiet for any command, and -n for --dry-run', () => {
    const isQuiet = (line: string) => {
      const read = readCommandLine(line.split(' '));
      return read.kind === 'command' && read.isQuiet;
    };
    assert.deepEqual([`${GOOD} -q`, 'export x --quiet', GOOD].map(isQuiet), [true, true, false]);
    assert.equal(readCommand<LoadCommand>(`${GOOD} -n`).dryRun, true);
  });

  it('prints the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    for (const line of ['--version', '-V']) assert.equal(helpOf(line), version);
  });

  it('prints with `help` the same as with --help', () => {
    assert.equal(helpOf('help'), helpOf('--help'));
    assert.equal(helpOf('help status'), helpOf('status --help'));
    assert.ok(!helpOf('help status').includes('Exit codes'));
  });

  it('verifies ten slices of every source, or what is named', () => {
    const { scope, ...verify } = readCommand<VerifyCommand>('verify');
    assert.deepEqual(verify, {
      kind: 'verify',
      sample: 10,
      sources: SOURCE_NAMES,
      intervalSeconds: undefined,
    });
    const line = 'verify KJFK --source iem,ncei --sample 3 --interval 0 --from 2024-01-01';
    const named = readCommand<VerifyCommand>(line);
    assert.deepEqual(
      [named.sources, named.sample, named.intervalSeconds, named.scope.stations, named.scope.firstDay],
      [['iem', 'ncei'], 3, 0, ['KJFK'], '2024-01-01'],
    );
    assert.deepEqual(scope.stations, []);
  });

  it('names an unknown option or command and the nearest one', () => {
    assert.equal(
      mistakeIn(GOOD.replace('--source', '--sorce')),
      "unknown option '--sorce' (Did you mean --source?)",
    );
    assert.equal(mistakeIn('statsu'), "unknown command 'statsu' (Did you mean status?)");
    assert.equal(mistakeIn(`${GOOD} --turbo`), "unknown option '--turbo'; see --help");
  });

  it('reads stations from a file, instead of --stations', async () => {
    const folder = newFolder();
    const file = join(folder, 'stations.txt');
    await writeFile(file, 'KJFK, EGLL # two\nEDDF\n');
    const line = GOOD.replace('--stations KJFK,EGLL', `--stations-file ${file}`);
    const command = readCommand(line);
    const both = mistakeIn(`${GOOD} --stations-file ${file}`);
    assert.deepEqual('stations' in command && command.stations, ['KJFK', 'EGLL', 'EDDF']);
    assert.match(both, /'--stations-file <file>' cannot be used with option '--stations <codes>'/);
  });

  it('says once what is wrong with a station, and what to write instead', () => {
    const mistake = mistakeIn(GOOD.replace('KJFK,EGLL', 'KJF,EGLL'));
    assert.match(mistake, /'KJF,EGLL' is invalid\. Write ICAO codes of four .*; found "KJF"\.$/);
    assert.equal(mistake.match(/stations/g)?.length, 1);
  });

  for (const [what, line, named] of [
    ['a load without source', GOOD.replace('--source iem', ''), '--source is required'],
    ['an unknown source', GOOD.replace('iem', 'constructor'), 'Write one of iem, madis'],
    ['a load without stations', GOOD.replace('--stations KJFK,EGLL', ''), '--stations is required'],
    ['an empty item of a list', GOOD.replace('KJFK,', 'KJFK,,'), 'an empty item'],
    ['codes beside all', GOOD.replace('KJFK', 'all'), 'Write codes or all, not both'],
    ['a real station with the demo source', GOOD.replace('iem', 'demo'), 'XAAA'],
    ['the demo source beside another', GOOD.replace('iem', 'iem,demo'), 'write it alone'],
    ['a day before the archive begins', GOOD.replace('2024-01-01', '2004-12-31'), '2005-01-01 or later'],
    ['an empty range', GOOD.replace('2024-02-01', '2024-01-01'), '--to 2024-01-02'],
    [
      'a day that does not exist',
      GOOD.replace('2024-02-01', '2024-02-30'),
      "'2024-02-30' is invalid. Write an existing UTC day",
    ],
    ['an option without its value', `${GOOD} --interval`, "'--interval <time>' argument missing"],
    ['a value of an option without value', `${GOOD} --refetch=yes`, "unknown option '--refetch=yes'"],
    ['an interval of more than a week', `${GOOD} --interval 169h`, 'a time from 0s to 168h'],
    ['an option that is given twice', `${GOOD} --source demo`, 'given twice'],
    ['an unknown order', `${GOOD} --order random`, 'Allowed choices are newest, oldest'],
    ['a file that does not exist', `gaps --stations-file /does/not/exist`, 'is not readable'],
    [
      'all stations of a source that cannot give them',
      GOOD.replace('iem', 'ogimet').replace('KJFK,EGLL', 'all'),
      'use iem',
    ],
    ['a path with another source', `${GOOD} --path .`, "unknown option '--path'"],
    ['a time without a known unit', `${GOOD} --interval 2d`, 'like 500ms, 2s or 1m'],
    ['an import without path', 'import', 'PATH is required'],
    ['a path that does not exist', 'import README.md/nowhere', 'there is none at "README.md/nowhere"'],
    ['a snapshot as a source', '--source snapshot --path .', 'a snapshot by "restore DIR"'],
    ['a restore without folder', 'restore', "missing required argument 'dir|url'"],
    ['an option of another command', 'migrate --source iem', "unknown option '--source'"],
    ['a sample of 0', 'verify --sample 0', 'from 1 to 100000'],
    ['a wrong code in a scope', 'redecode KJFK,jfk', '"jfk"'],
    [
      'the days of a scope in the wrong order',
      'gaps --from 2024-02-01 --to 2024-01-01',
      '--to must be after',
    ],
    ['words after a command', 'migrate now', 'now is not expected here'],
    ['a word that is no station', 'status now', 'like KJFK,EGLL, or all; found "now"'],
    ['a wrong code to remove, where all is not possible', 'remove kxta', 'like KJFK,EGLL; found "kxta"'],
    ['all stations to remove', 'remove all', 'like KJFK,EGLL; found "all"'],
    ['no station to remove', 'remove --yes', "missing required argument 'station'"],
    ['a report to hide without a reason', 'hide ZZZA-202401021251-00000000', 'Write --reason TEXT'],
    ['a reason without a report to hide', 'hide --reason x', 'Write the ids'],
    ['a station to hide', 'hide KJFK --reason x', 'KJFK is no id of a record'],
  ] as const)
    it(`refuses ${what}`, () => {
      assert.ok(mistakeIn(line).includes(named), mistakeIn(line));
    });

  it('prints with --help or -h every command, the settings and the exit codes', () => {
    const help = helpOf('--help');
    assert.equal(helpOf('-h'), help);
    for (const name of [
      '--source NAMES',
      'import PATH\\.\\.\\.',
      'restore DIR\\|URL',
      'follow',
      'export DIR',
      'gaps',
      'help',
    ])
      assert.match(help, new RegExp(`^  ${name} `, 'm'));
    for (const name of Object.keys(SETTINGS)) assert.match(help, new RegExp(`^  ${name} `, 'm'));
    assert.match(help, /^ {2}130 {2}interrupted$/m);
  });

  for (const [line, options] of [
    ['--source iem', ['--order', '--refetch', '--from']],
    ['import', ['--from']],
    ['restore', []],
    ['follow', ['--every', '--interval', '--from']],
    ['export', ['--from']],
    ['gaps', ['--json', '--from']],
    ['verify', ['--sample', '--from']],
  ] as const)
    it(`prints the options of ${line}, and no others`, () => {
      const help = helpOf(`${line} --help`);
      for (const name of ['--order', '--every', '--from', '--sample', ...options])
        assert.equal(help.includes(`  ${name} `), (options as readonly string[]).includes(name), name);
    });
});
