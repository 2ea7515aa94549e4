import { describeSettings } from '../../clickhouse/settings/settings.ts';
import { commandOf, splitCommandLine } from '../args/command-line.ts';
import { COMMAND_NAMES, COMMANDS, type CommandName } from '../args/commands.ts';
import { optionsOf, writtenName } from '../args/options.ts';
import { SETTINGS } from '../config.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** The usage text for which `--help` asks: of the command, or of the whole program. `undefined` without `--help`. */
export function requestedUsage(args: readonly string[]): string | undefined {
  const line = splitCommandLine(args, []);
  if (!line.options.has('help')) return undefined;
  const isGeneral = line.words.length === 0 && !line.options.has('source');
  const command = isGeneral ? undefined : commandOf(line);
  const lines =
    command === undefined ? generalUsage() : [...commandLines(command), '', ...optionLines(command)];
  return [...lines, '', ...exitCodeLines()].join('\n');
}

function generalUsage(): readonly string[] {
  return [
    'Fills the archive of METAR and SPECI reports from open sources.',
    '',
    ...COMMAND_NAMES.flatMap(commandLines),
    '',
    ...optionLines('load'),
    '',
    'With --help, each command prints its own options.',
    '',
    'Settings are environment variables; docs/operations.md says what each does:',
    describeSettings(SETTINGS),
  ];
}

function commandLines(command: CommandName): readonly string[] {
  const { example, purpose } = COMMANDS[command];
  return [`  npm run load -- ${example}`, `      ${purpose}`];
}

function optionLines(command: CommandName): readonly string[] {
  const options = optionsOf(command);
  if (options.length === 0) return ['No options.'];
  return table(
    options.map(([name, { value, purpose }]) => [
      `--${writtenName(name)}${value ? ` ${value}` : ''}`,
      purpose,
    ]),
  );
}

function exitCodeLines(): readonly string[] {
  const codes = Object.values(EXIT_CODES);
  return ['Exit codes:', ...table(codes.map(({ code, meaning }) => [String(code), meaning]))];
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
