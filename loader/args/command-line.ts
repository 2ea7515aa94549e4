import assert from 'node:assert/strict';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { parseArguments } from '../../clickhouse/program-arguments.ts';
import { describeSettings } from '../../clickhouse/settings/settings.ts';
import { SETTINGS } from '../config.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import type { Command as LoaderCommand } from './command.ts';
import { addCommands } from './commands.ts';

type CommandLine =
  | { readonly kind: 'command'; readonly command: LoaderCommand }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'mistake'; readonly text: string };

/** Reads the arguments of `npm run load`, up to the first mistake. */
export function readCommandLine(args: readonly string[]): CommandLine {
  let command: LoaderCommand | undefined;
  const program = new Command()
    .description('Fills the archive of METAR and SPECI reports from open sources.')
    .usage('[command] [options]')
    .helpCommand(false)
    .configureHelp({
      commandUsage: (each) => `npm run load -- ${each.usage()}`,
      subcommandTerm: (each) => each.usage().split(' --', 1).join(),
    })
    .addHelpText('after', SETTINGS_HELP)
    .addHelpText('afterAll', EXIT_CODES_HELP)
    .allowExcessArguments()
    .hook('preAction', (_, { args: [word] }) => {
      if (word !== undefined)
        throw new InvalidArgumentError(
          `${word} is not expected here; write a list with commas and no spaces, like KJFK,EGLL`,
        );
    });
  addCommands(program, (given) => {
    command = given;
  });
  const parsed = parseArguments(program, withCommandWord(args));
  if (parsed.kind !== 'accepted') return parsed;
  return { kind: 'command', command: command ?? assert.fail('no action has run') };
}

/** Adds the command's word if the options alone imply it: those of a load, and `--source files` or `snapshot`. */
function withCommandWord(args: readonly string[]): readonly string[] {
  if (/^([^-]|-h$|--help$)/.test(args[0] ?? '')) return args;
  const [, word = 'load'] = /(?:^| )--source[ =](files|snapshot)(?: |$)/.exec(args.join(' ')) ?? [];
  return [word, ...args];
}

const SETTINGS_HELP = `
With --help, each command prints its own options:
  npm run load -- --source iem --help

Settings are environment variables; docs/operations.md says what each does:
${describeSettings(SETTINGS)}`;

const EXIT_CODES_HELP = `
Exit codes:
${Object.values(EXIT_CODES)
  .map(({ code, meaning }) => `  ${String(code).padEnd(3)}  ${meaning}`)
  .join('\n')}`;
