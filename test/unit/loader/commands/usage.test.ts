import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { COMMAND_NAMES, COMMAND_WORDS } from '../../../../loader/args/commands.ts';
import { OPTIONS, optionsOf, writtenName } from '../../../../loader/args/options.ts';
import { requestedUsage } from '../../../../loader/commands/usage.ts';
import { SETTINGS } from '../../../../loader/config.ts';

const usageOf = (line: string) => requestedUsage(line.split(' ')) ?? assert.fail('no usage');
const namesIn = (usage: string) => [...usage.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name);

describe('loader --help', () => {
  it('is absent from a line without --help', () => {
    assert.equal(requestedUsage(['status']), undefined);
    assert.equal(requestedUsage(['--fast']), undefined);
  });

  it('lists every command, the options of load and the exit codes', () => {
    const usage = usageOf('--help');
    for (const word of COMMAND_WORDS) assert.match(usage, new RegExp(`npm run load -- ${word}( |$)`, 'm'));
    for (const [name] of optionsOf('load')) assert.ok(usage.includes(`--${name}`), name);
    assert.match(usage, /^ {2}130 {2}interrupted$/m);
  });

  it('lists the settings', () => {
    for (const name of Object.keys(SETTINGS)) assert.match(usageOf('--help'), new RegExp(`^  ${name} `, 'm'));
  });

  it('can be asked for with -h', () => {
    assert.equal(usageOf('-h'), usageOf('--help'));
    assert.equal(usageOf('status -h'), usageOf('status --help'));
  });

  for (const command of COMMAND_NAMES)
    it(`lists the options of ${command} and no others`, () => {
      const line =
        command === 'load'
          ? '--source iem'
          : COMMAND_WORDS.includes(command)
            ? command
            : `--source ${command}`;
      const names = optionsOf(command).map(([name]) => writtenName(name));
      assert.deepEqual(namesIn(usageOf(`${line} --help`)), names);
    });

  it('gives every option a command', () => {
    const taken = new Set(COMMAND_NAMES.flatMap((name) => optionsOf(name).map(([option]) => option)));
    assert.deepEqual([...taken].sort(), Object.keys(OPTIONS).sort());
  });

  it('prints the general usage for an unknown command', () => {
    assert.equal(usageOf('fill --help'), usageOf('--help'));
  });
});
