import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from './engine-file.ts';

export type Login = { readonly username: string; readonly password: string };

/** The users of `server/users.d/history.xml`, with the passwords that hold for one DATA_DIR. */
export type EngineUsers = { readonly api: Login; readonly loader: Login; readonly admin: Login };

export async function readUsers(dataDir: string): Promise<EngineUsers | undefined> {
  try {
    return JSON.parse(await readFile(usersFile(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

export async function writeUsers(dataDir: string, users: EngineUsers): Promise<void> {
  await replaceFile(usersFile(dataDir), users);
}

/** Passwords stay as they are once made. `adminPassword` replaces that of `history_admin`, unless it is empty. */
export function completeUsers(
  before: EngineUsers | undefined,
  adminPassword: string | undefined,
): EngineUsers {
  return {
    api: before?.api ?? newLogin('history_api'),
    loader: before?.loader ?? newLogin('history_loader'),
    admin: adminPassword
      ? { username: 'history_admin', password: adminPassword }
      : (before?.admin ?? newLogin('history_admin')),
  };
}

/** The value of an `Authorization` header. */
export function authorizationOf({ username, password }: Login): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function newLogin(username: string): Login {
  return { username, password: randomBytes(24).toString('base64url') };
}

function usersFile(dataDir: string): string {
  return join(dataDir, 'engine.users.json');
}
