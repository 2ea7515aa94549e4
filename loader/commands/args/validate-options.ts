import { compileSchema } from '../../../clickhouse/schema-validator.ts';
import { COMMANDS, type CommandName } from './commands.ts';
import { OPTION_FORMATS, OPTIONS, type OptionValues, optionsOf } from './options.ts';

/**
 * Checks the options of a command against their schemas.
 *
 * @param options texts by name
 * @returns the valid options; every other one is in `errors`, with what to write instead
 */
export function validateOptions(
  command: CommandName,
  options: ReadonlyMap<string, string>,
  errors: string[],
): OptionValues {
  const specs = new Map(optionsOf(command));
  const values: Record<string, string | readonly string[]> = {};
  for (const [name, text] of options) {
    const spec = specs.get(name);
    if (spec !== undefined) values[name] = spec.isList ? [...new Set(text.split(','))] : text;
    else if (Object.hasOwn(OPTIONS, name))
      errors.push(`--${name} is not an option of ${command}: leave it out`);
    else errors.push(`--${name} is not an option; see --help`);
  }
  const result = compileSchema<OptionValues>(schemaOf(command), OPTION_FORMATS)(values);
  if (result.kind === 'valid') return result.value;
  for (const { name, detail } of result.errors) {
    errors.push(`--${name} ${detail}${foundText(values[name])}`);
    delete values[name];
  }
  return values;
}

function schemaOf(command: CommandName) {
  const properties = optionsOf(command).map(([name, { isList, schema, description }]) => [
    name,
    { type: isList ? 'array' : 'string', description, ...schema },
  ]);
  return {
    type: 'object',
    required: COMMANDS[command].required,
    properties: Object.fromEntries(properties),
  };
}

/** The validator names the wrong items of a list itself. */
function foundText(value: string | readonly string[] | undefined): string {
  if (typeof value !== 'string') return '';
  return value === '' ? '; found no value' : `; found ${JSON.stringify(value)}`;
}
