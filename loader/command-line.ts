import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { parseArguments } from '../clickhouse/program-arguments.ts';
import { describeSettings } from '../clickhouse/settings/settings.ts';
import { type LoaderProgram, loaderProgram } from './commands/command.ts';
import { declareFetchStations } from './commands/fetch-stations.ts';
import { declareFollow } from './commands/follow.ts';
import { declareGaps } from './commands/gaps.ts';
import { declareHide, declareUnhide } from './commands/hide.ts';
import { declareImport } from './commands/import/import.ts';
import { declareLoad } from './commands/load/load.ts';
import { declareMigrate } from './commands/migrate.ts';
import { declareRedecode } from './commands/redecode.ts';
import { declareRemove, declareRemoveDemo } from './commands/remove.ts';
import { declareExport, declareRestore } from './commands/snapshot.ts';
import { declareStatus } from './commands/status.ts';
import { declareVerify } from './commands/verify.ts';
import { SETTINGS, VERSION } from './config.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** In the order of the usage text. */
const DECLARATIONS: readonly ((program: LoaderProgram) => void)[] = [
  declareLoad,
  declareFollow,
  declareImport,
  declareStatus,
  declareGaps,
  declareVerify,
  declareExport,
  declareRestore,
  declareRedecode,
  declareFetchStations,
  declareRemove,
  declareRemoveDemo,
  declareHide,
  declareUnhide,
  declareMigrate,
];

/** Reads the arguments of `npm run load`, up to the first mistake. */
export function readCommandLine(args: readonly string[]) {
  let isQuiet = false;
  const root = new Command()
    .description('Fills the archive of METAR and SPECI reports from open sources.')
    .usage('[command] [options]')
    .version(VERSION)
    .helpCommand('help [command]', 'prints this text, or the options of a command')
    .configureHelp({
      commandUsage: (each) => `npm run load -- ${each.usage()}`,
      subcommandTerm: (each) =>
        each.name() === 'help' ? 'help [COMMAND]' : each.usage().split(' --', 1).join(),
    })
    .addHelpText('after', HELP_TEXT)
    .hook('preAction', (_, command) => {
      const { args: words, registeredArguments } = command;
      const word = registeredArguments.at(-1)?.variadic ? undefined : words[registeredArguments.length];
      if (word !== undefined)
        throw new InvalidArgumentError(
          `${word} is not expected here; write a list with commas and no spaces, like KJFK,EGLL`,
        );
      isQuiet = (command.opts() as { readonly quiet?: true }).quiet ?? false;
    });
  const program = loaderProgram(root);
  for (const declare of DECLARATIONS) declare(program);
  const parsed = parseArguments(root, withCommandName(args));
  if (parsed.kind !== 'accepted') return parsed;
  return { kind: 'command', isQuiet, ...program.accepted() } as const;
}

/** Options without a command are those of `load`, or with `--source files` those of `import`. */
function withCommandName(args: readonly string[]): readonly string[] {
  if (/^([^-]|(-h|--help|-V|--version)$)/.test(args[0] ?? '')) return args;
  const isImport = /(?:^| )--source[ =]files(?: |$)/.test(args.join(' '));
  return [isImport ? 'import' : 'load', ...args];
}

const HELP_TEXT = `
\`npm run load -- help COMMAND\` prints the options of a command.
Times are seconds, or have a unit: 500ms, 2s, 30m, 1h.

Settings are environment variables; docs/operations.md says what each does:
${describeSettings(SETTINGS)}

Exit codes:
${Object.values(EXIT_CODES)
  .map(({ code, meaning }) => `  ${String(code).padEnd(3)}  ${meaning}`)
  .join('\n')}`;
