import { authorizationOf, type Login } from './users.ts';

/** What listens on a port of the loopback address. */
export type Listener =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'engine'; readonly instance: string }
  | { readonly kind: 'something else' };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ANSWER_MILLISECONDS = 5_000;

export async function listenerAt(port: number): Promise<Listener> {
  try {
    const response = await ask(port, '/instance', {});
    const instance = await response.text();
    return UUID.test(instance) ? { kind: 'engine', instance } : { kind: 'something else' };
  } catch (error) {
    const { cause } = error as Error;
    const isRefused = cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
    return { kind: isRefused ? 'nothing' : 'something else' };
  }
}

export async function isInstance(port: number, instance: string): Promise<boolean> {
  const listener = await listenerAt(port);
  return listener.kind === 'engine' && listener.instance === instance;
}

export async function canLogIn(port: number, login: Login): Promise<boolean> {
  try {
    const headers = { authorization: authorizationOf(login) };
    const response = await ask(port, '/?query=SELECT%201', { headers });
    return (await response.text()) === '1\n';
  } catch {
    return false;
  }
}

function ask(port: number, path: string, init: RequestInit): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MILLISECONDS),
  });
}
