import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { authorizationOf, type EngineUsers, type Login } from './users.ts';

export type ServerSettings = {
  readonly dataDir: string;
  readonly port: number;
  readonly instance: string;
  readonly database: string;
  readonly users: EngineUsers;
  /** Also `default` is admitted, with all rights and no password. */
  readonly withoutPassword: boolean;
};

/** The arguments of `clickhouse local` that make it a server on the loopback address until its process ends. */
export function serverArguments({ dataDir, port, withoutPassword }: ServerSettings): readonly string[] {
  return [
    'clickhouse',
    `--path=${join(dataDir, 'clickhouse')}`,
    `--config-file=${pathOf(withoutPassword ? './listener-without-password.xml' : './listener.xml')}`,
    // The program takes an expression without SELECT for a statement; a server does not.
    '--implicit_select=0',
    '--listen_host=127.0.0.1',
    `--http_port=${port}`,
    '--query=SYSTEM START LISTEN HTTP;' +
      'SELECT sleepEachRow(1) FROM numbers(1000000000) SETTINGS max_block_size = 1 FORMAT Null',
  ];
}

/** What its configuration takes from the environment (`from_env`), so that no password is written into a file there. */
export function serverEnvironment({ instance, database, users, withoutPassword }: ServerSettings) {
  const login = (name: string, user: Login) => ({
    [`HISTORY_${name}_PASSWORD`]: xmlText(user.password),
    [`HISTORY_${name}_AUTHORIZATION`]: authorizationOf(user),
  });
  return {
    HISTORY_USERS_CONFIG: xmlText(pathOf('../server/users.xml')),
    HISTORY_INSTANCE: instance,
    HISTORY_DEFAULT_GRANT: withoutPassword
      ? 'GRANT ALL ON *.* WITH GRANT OPTION'
      : 'GRANT SYSTEM LISTEN ON *.*',
    CLICKHOUSE_DATABASE: database,
    ...login('API', users.api),
    ...login('LOADER', users.loader),
    ...login('ADMIN', users.admin),
  };
}

/** ClickHouse reads a value of the environment as XML. */
function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function pathOf(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
