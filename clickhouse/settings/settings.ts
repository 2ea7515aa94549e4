import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ArchiveSettings } from '../client.ts';
import type { EngineOptions } from '../embedded/start.ts';
import { compileSchema, type InvalidValue, isSlipOf, type ValidationResult } from '../validation.ts';

/** Where the archive is: a ClickHouse server, or the engine embedded in a data directory. */
export type ArchiveLocation =
  | { readonly kind: 'server'; readonly settings: ArchiveSettings }
  | ({ readonly kind: 'embedded' } & Pick<
      EngineOptions,
      'dataDir' | 'port' | 'database' | 'takesFreePort' | 'adminPassword'
    >);

/** The settings that api and loader share. A setting without a default is optional. */
export const ARCHIVE_SETTINGS = {
  DATA_DIR: { type: 'string', description: 'a folder', default: 'data' },
  EMBEDDED_CLICKHOUSE_PORT: {
    type: 'string',
    // Not 0, which would be another port at each start.
    wholeNumber: [1, 65_535],
    description: 'a port from 1 to 65535; otherwise 8123, or a free one where that is taken',
  },
  EMBEDDED_CLICKHOUSE_PASSWORD: {
    type: 'string',
    isSecret: true,
    pattern: '^[!-~]*$',
    description:
      'visible ASCII characters without spaces, or nothing to admit the user default without a password',
  },
  CLICKHOUSE_URL: {
    type: 'string',
    format: 'origins',
    description: 'only scheme and host, like http://127.0.0.1:8123, or several with commas',
  },
  CLICKHOUSE_USER: { type: 'string', description: 'a name', default: 'default' },
  CLICKHOUSE_PASSWORD: { type: 'string', isSecret: true, description: 'a text', default: '' },
  CLICKHOUSE_DATABASE: {
    type: 'string',
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    description: 'letters, digits and _, not beginning with a digit',
    default: 'history',
  },
  CLICKHOUSE_CLUSTER: {
    type: 'string',
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    description:
      'the name of a cluster of the servers at CLICKHOUSE_URL: letters, digits and _, not beginning with a digit',
  },
} as const;

export const LISTENING_PORT = {
  type: 'string',
  wholeNumber: [0, 65_535],
  description: 'a port from 1 to 65535, or 0 for any free port',
} as const;

export const LISTENING_HOST = {
  type: 'string',
  pattern: '^[A-Za-z0-9._:-]+$',
  description: 'a host name or an IP address',
  default: '127.0.0.1',
} as const;

export const LOG_FORMAT = { enum: ['text', 'json'], description: 'text or json', default: 'text' } as const;

/** Mistakes in the settings are printed in the requested format, if that setting is readable. */
export function readLogFormat(environment: Environment): 'text' | 'json' {
  return environment.LOG_FORMAT === 'json' ? 'json' : 'text';
}

export function wholeNumber(least: number, most: number, standard: string) {
  const description = `a whole number from ${least} to ${most}`;
  return { type: 'string', wholeNumber: [least, most], description, default: standard } as const;
}

/** Empty, it admits the user `default` without a password. */
const MAY_BE_EMPTY: keyof typeof ARCHIVE_SETTINGS = 'EMBEDDED_CLICKHOUSE_PASSWORD';

export type Environment = Readonly<Record<string, string | undefined>>;

type SettingSchemas = Readonly<
  Record<string, { readonly description: string; readonly default?: string; readonly isSecret?: boolean }>
>;

/** The text of each setting; `undefined` if an optional one is not set. */
type SettingsOf<S extends SettingSchemas> = {
  readonly [N in keyof S]: S[N] extends { readonly default: string } ? string : string | undefined;
};

/** An empty variable counts as not set, because compose files pass unset ones as empty; `MAY_BE_EMPTY` is the exception. */
export function compileSettings<S extends SettingSchemas>(
  schemas: S,
  formats: Readonly<Record<string, (text: string) => boolean>> = {},
): (environment: Environment) => ValidationResult<SettingsOf<S>> {
  const validate = compileSchema<SettingsOf<S>>(
    {
      type: 'object',
      properties: schemas,
      ...('CLICKHOUSE_CLUSTER' in schemas && { dependencies: { CLICKHOUSE_CLUSTER: ['CLICKHOUSE_URL'] } }),
    },
    { origin: isOrigin, origins: (text) => text.split(',').every(isOrigin), ...formats },
  );
  const secrets = Object.keys(schemas).filter((name) => schemas[name]?.isSecret);
  return (variables) => {
    const { environment, errors } = readSecretFiles(secrets, variables);
    // All other variables are ignored. With `DATADIR` the archive would be made in another folder.
    const others = Object.keys(variables).filter((name) => variables[name] && !(name in schemas));
    for (const name of Object.keys(schemas).filter((each) => !environment[each]))
      for (const slip of others.filter((other) => isSlipOf(name, other)))
        errors.push({ name: slip, detail: `is no setting: write ${name}` });
    const isSet = (name: string) => environment[name] || (environment[name] === '' && name === MAY_BE_EMPTY);
    const names = Object.keys(schemas).filter(isSet);
    const result = validate(Object.fromEntries(names.map((name) => [name, environment[name]])));
    if (errors.length === 0) return result;
    return { kind: 'invalid', errors: [...(result.kind === 'invalid' ? result.errors : []), ...errors] };
  };
}

/** `NAME_FILE` is the path of a file with the value of `NAME`: `docker inspect` prints the environment of a container. */
function readSecretFiles(secrets: readonly string[], environment: Environment) {
  const values: Record<string, string> = {};
  const errors: InvalidValue[] = [];
  for (const secret of secrets) {
    const name = `${secret}_FILE`;
    const path = environment[name];
    // An empty variable counts as not set.
    if (!path) continue;
    const value = environment[secret] ? undefined : readSecret(path);
    if (value) values[secret] = value;
    else if (environment[secret]) errors.push({ name, detail: `cannot be set together with ${secret}` });
    else errors.push({ name, detail: 'must be the path of a readable file that is not empty' });
  }
  return { environment: { ...environment, ...values }, errors };
}

/** Without the line break that editors and `echo` write at the end. */
function readSecret(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined;
  }
}

/** For a usage text: one line for each setting with its valid values, and the default in brackets. */
export function describeSettings(schemas: SettingSchemas): string {
  const width = Math.max(...Object.keys(schemas).map(({ length }) => length));
  return Object.entries(schemas)
    .map(
      ([name, { description, default: text = '', isSecret }]) =>
        `  ${name.padEnd(width)}  ${description}${isSecret ? `; ${name}_FILE: a file with it` : ''}${text === '' ? '' : ` [${text}]`}`,
    )
    .join('\n');
}

export function toArchiveLocation(settings: SettingsOf<typeof ARCHIVE_SETTINGS>): ArchiveLocation {
  const database = settings.CLICKHOUSE_DATABASE;
  if (settings.CLICKHOUSE_URL === undefined) {
    const dataDir = resolve(settings.DATA_DIR);
    const { EMBEDDED_CLICKHOUSE_PORT: set } = settings;
    const port = { port: Number(set ?? 8123), takesFreePort: set === undefined };
    const adminPassword = settings.EMBEDDED_CLICKHOUSE_PASSWORD;
    return { kind: 'embedded', dataDir, ...port, database, adminPassword };
  }
  const url = settings.CLICKHOUSE_URL.split(',')
    .map((each) => new URL(each).origin)
    .join(',');
  const { CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password, CLICKHOUSE_CLUSTER: cluster } = settings;
  return { kind: 'server', settings: { url, username, password, database, ...(cluster && { cluster }) } };
}

/** User and password have their own settings, so that no URL in a message or log contains them. */
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, href, protocol } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}
