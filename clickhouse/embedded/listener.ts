import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectToEngine, type Proof } from './proof.ts';
import { authorizationOf, type Login } from './users.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ANSWER_MILLISECONDS = 5_000;
const RETRY_MILLISECONDS = 500;

/** What listens on a port of the loopback address: the instance of an engine, or something else. */
export async function listenerAt(port: number, retry = true): Promise<string | 'nothing' | 'something else'> {
  try {
    const instance = await ask(port, '/instance', {});
    return UUID.test(instance) ? instance : 'something else';
  } catch (error) {
    const { cause } = error as Error;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED') return 'nothing';
    // The connection may break because an engine ends at this moment.
    return retry ? sleep(RETRY_MILLISECONDS).then(() => listenerAt(port, false)) : 'something else';
  }
}

/** Sends the login only to the engine of the proof. */
export async function canLogIn(port: number, proof: Proof, login: Login): Promise<boolean> {
  const socket = await connectToEngine(port, proof, ANSWER_MILLISECONDS).catch(() => undefined);
  if (socket === undefined) return false;
  const headers = { authorization: authorizationOf(login) };
  const sent = request({
    path: '/?query=SELECT%201',
    headers,
    createConnection: () => socket,
    timeout: ANSWER_MILLISECONDS,
  });
  try {
    const [response] = await once(sent.on('timeout', () => sent.destroy()).end(), 'response');
    return (await text(response)) === '1\n';
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export async function answersPing(port: number, signal: AbortSignal): Promise<boolean> {
  return (await ask(port, '/ping', {}, signal).catch(() => '')) === 'Ok.\n';
}

async function ask(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
  ...signals: readonly AbortSignal[]
): Promise<string> {
  // Node 20 may collect an AbortSignal.timeout() to which only AbortSignal.any() refers: it then never aborts.
  const timeLimit = new AbortController();
  const timer = setTimeout(() => timeLimit.abort(), ANSWER_MILLISECONDS);
  const signal = AbortSignal.any([timeLimit.signal, ...signals]);
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'error', signal });
    return await response.text();
  } finally {
    clearTimeout(timer);
  }
}
