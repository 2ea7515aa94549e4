import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Identity, identityPath, leavePath, memberPath } from './members.ts';

export type Membership = {
  readonly port: number;
  /** Settles when the engine has gone, or has let us go. */
  readonly lost: Promise<void>;
};

/** Who answers on a port, if it is an embedded engine. */
export async function identify(port: number): Promise<Identity | undefined> {
  try {
    const response = await call(port, identityPath, 'GET');
    const { instance, pid, dataDir } = JSON.parse(await text(response));
    const isEngine = typeof instance === 'string' && typeof dataDir === 'string';
    return isEngine ? { instance, pid, dataDir } : undefined;
  } catch {
    return undefined;
  }
}

/** Asks to be counted as a member; undefined when the engine is stopping or has gone. */
export async function becomeMember(
  engine: { readonly port: number; readonly instance: string },
  member: string,
): Promise<Membership | undefined> {
  try {
    const response = await call(
      engine.port,
      `${memberPath}?member=${member}&instance=${engine.instance}`,
      'GET',
    );
    const lost = new Promise<void>((resolve) => response.once('close', resolve));
    response.on('error', () => {}).resume();
    if (response.statusCode !== 200) return undefined;
    response.socket.setTimeout(0);
    // Being a member is no reason to stay alive.
    response.socket.unref();
    return { port: engine.port, lost };
  } catch {
    return undefined;
  }
}

/** Leaves; waits for the engine's end where it ends with us. */
export async function leave(membership: Membership, member: string): Promise<void> {
  try {
    const response = await call(membership.port, `${leavePath}?member=${member}`, 'POST', 30_000);
    await text(response);
  } catch {
    // An engine that has gone has nobody to leave, and one that does not answer will miss us when our stream ends.
  }
}

async function call(port: number, path: string, method: string, timeoutMs = 5_000): Promise<IncomingMessage> {
  const outgoing = request({ host: '127.0.0.1', port, path, method, agent: false, timeout: timeoutMs });
  outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')));
  outgoing.end();
  const [response] = await once(outgoing, 'response');
  return response;
}
