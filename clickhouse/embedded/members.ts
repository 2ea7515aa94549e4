import type { IncomingMessage, ServerResponse } from 'node:http';
import { targetOf } from './request.ts';

/** Who an engine is, for a process that wants to join it. */
export type Identity = {
  readonly instance: string;
  readonly pid: number;
  /** The real path of the data directory it serves. */
  readonly dataDir: string;
};

export const identityPath = '/embedded/identity';
export const memberPath = '/embedded/member';
export const leavePath = '/embedded/leave';

/** A process that was started to be joined and is not joined by then stops. */
const firstMemberWithinMs = 30_000;
/** A member that was killed may be started again at once: it should find the engine running. */
const graceMs = 2_000;

/**
 * Counts the processes that use an engine. Each holds an answer open that never ends: when the process dies,
 * however it dies, its system closes the connection and it counts as gone. `onEmpty` is called once, when the
 * last one has left (at once) or was lost (after a grace period); from then on nobody is let in.
 */
export class Members {
  readonly #identity: Identity;
  readonly #onEmpty: () => void;
  readonly #present = new Map<string, ServerResponse>();
  #lastToLeave: ServerResponse | undefined;
  #closing = false;
  #deadline: NodeJS.Timeout;

  constructor(identity: Identity, onEmpty: () => void) {
    this.#identity = identity;
    this.#onEmpty = onEmpty;
    this.#deadline = setTimeout(() => this.#end(), firstMemberWithinMs);
  }

  /** Answers the engine's own paths. */
  serve(message: IncomingMessage, response: ServerResponse): boolean {
    const { pathname, searchParams } = targetOf(message);
    const member = searchParams.get('member') ?? '';
    if (pathname === identityPath) json(response, 200, this.#identity);
    else if (pathname === memberPath) this.#admit(member, searchParams.get('instance'), response);
    else if (pathname === leavePath && message.method === 'POST') this.#leave(member, response);
    else return false;
    return true;
  }

  /** Tells every member that the engine stops, by ending their answers. */
  dismiss(): void {
    this.#closing = true;
    clearTimeout(this.#deadline);
    for (const response of this.#present.values()) response.end();
    this.#present.clear();
  }

  /** Answers the last member to leave: the data directory is released. */
  confirmEnd(): void {
    if (this.#lastToLeave) json(this.#lastToLeave, 200, { last: true });
  }

  #admit(member: string, instance: string | null, response: ServerResponse): void {
    if (this.#closing || instance !== this.#identity.instance) {
      json(response, 503, this.#identity);
      return;
    }
    clearTimeout(this.#deadline);
    this.#present.set(member, response);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write(`${JSON.stringify(this.#identity)}\n`);
    response.on('close', () => {
      if (!this.#present.delete(member) || this.#present.size > 0) return;
      this.#deadline = setTimeout(() => this.#end(), graceMs);
    });
  }

  #leave(member: string, response: ServerResponse): void {
    const held = this.#present.get(member);
    this.#present.delete(member);
    held?.end();
    if (held && this.#present.size === 0) {
      this.#lastToLeave = response;
      this.#end();
    } else {
      json(response, 200, { last: false });
    }
  }

  #end(): void {
    if (this.#closing) return;
    this.dismiss();
    this.#onEmpty();
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}
