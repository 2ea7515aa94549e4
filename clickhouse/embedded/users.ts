import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Login = { readonly username: string; readonly password: string };

/** The users of `server/users.d/history.xml`, with their passwords in one DATA_DIR. */
export type EngineUsers = { readonly api: Login; readonly loader: Login; readonly admin: Login };

export function usersFile(dataDir: string): string {
  return join(dataDir, 'engine.users.json');
}

export async function readUsers(dataDir: string): Promise<EngineUsers | undefined> {
  try {
    const users = JSON.parse(await readFile(usersFile(dataDir), 'utf8'));
    const passwords = [users.api, users.loader, users.admin].map((login) => login.password);
    return passwords.every((password) => typeof password === 'string' && /^[!-~]+$/.test(password))
      ? users
      : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps existing passwords and creates missing ones. `adminPassword`, unless empty, is that of `history_admin`. */
export function completeUsers(before?: EngineUsers, adminPassword?: string): EngineUsers {
  const random = () => randomBytes(24).toString('base64url');
  const login = (username: string, password = random()) => ({ username, password });
  return {
    api: login('history_api', before?.api.password),
    loader: login('history_loader', before?.loader.password),
    admin: login('history_admin', adminPassword || before?.admin.password),
  };
}

/** For `from_env` in the files of `server/`, so that they contain no password. */
export function usersEnvironment(users: EngineUsers): Readonly<Record<string, string>> {
  // ClickHouse parses these values as XML.
  const xml = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const logins: readonly Login[] = Object.values(users);
  const passwords = logins.map(({ username, password }) => [
    `${username.toUpperCase()}_PASSWORD`,
    xml(password),
  ]);
  const headers = logins.map((login) => authorizationOf(login).replaceAll('+', '\\+'));
  return { ...Object.fromEntries(passwords), HISTORY_AUTHORIZATION: `regex:${headers.join('|')}` };
}

export function authorizationOf({ username, password }: Login): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
