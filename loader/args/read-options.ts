import { COMMANDS, type CommandName } from './commands.ts';
import { OPTIONS, type OptionSpec, type OptionValues, optionsOf, writtenName } from './options.ts';

/** A list can have a thousand wrong items; the first few show the error. */
const MAX_ITEMS_SHOWN = 5;

/**
 * Reads the options of a command by the table of options.
 *
 * @param options texts by name
 * @returns the valid options; for each other one `errors` says what to write instead
 */
export function readOptions(
  command: CommandName,
  options: ReadonlyMap<string, string>,
  errors: string[],
): OptionValues {
  const specs = new Map(optionsOf(command).map(([key, spec]) => [writtenName(key), { key, spec }]));
  const values: Record<string, unknown> = {};
  for (const [name, text] of options) {
    const found = specs.get(name);
    if (found !== undefined) values[found.key] = readOption(name, found.spec, text, errors);
    else if (Object.hasOwn(OPTIONS, name))
      errors.push(`--${name} is not an option of ${command}: leave it out`);
    else errors.push(`--${name} is not an option; see --help`);
  }
  for (const key of COMMANDS[command].required)
    if (!options.has(writtenName(key)))
      errors.push(`--${writtenName(key)} is required: ${OPTIONS[key].description}`);
  return values;
}

function readOption(
  name: string,
  { isList, parse, description }: OptionSpec,
  text: string,
  errors: string[],
): unknown {
  const items = isList ? [...new Set(text.split(','))] : [text];
  const wrong = items.filter((item) => parse(item) === undefined);
  if (wrong.length > 0) {
    errors.push(`--${name} must be ${description}; found ${isList ? itemsText(wrong) : valueText(text)}`);
    return undefined;
  }
  return isList ? items.map(parse) : parse(text);
}

function valueText(text: string): string {
  return text === '' ? 'no value' : JSON.stringify(text);
}

function itemsText(items: readonly string[]): string {
  const shown = items
    .slice(0, MAX_ITEMS_SHOWN)
    .map((item) => (item === '' ? 'an empty item' : JSON.stringify(item.slice(0, 32))));
  const more = items.length - MAX_ITEMS_SHOWN;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
