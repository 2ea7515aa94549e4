import type { Connections } from './connections.ts';
import { ClickHouseException } from './exception.ts';
import type { Connection } from './library.ts';
import type { Session } from './request.ts';

type Held = { readonly connection: Connection; busy: boolean; expiry?: NodeJS.Timeout };

/**
 * Connections that outlive a request, by session id: temporary tables and SET statements stay with them. As on
 * a server a session runs one query at a time and ends when it has not been used for its time-out.
 */
export class Sessions {
  readonly #held = new Map<string, Held>();
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async use(session: Session, action: (connection: Connection) => Promise<void>): Promise<void> {
    const held = this.#find(session);
    clearTimeout(held.expiry);
    held.busy = true;
    try {
      await action(held.connection);
    } finally {
      held.busy = false;
      held.expiry = setTimeout(() => this.#end(session.id), session.timeoutSeconds * 1000).unref();
    }
  }

  endAll(): void {
    for (const id of [...this.#held.keys()]) this.#end(id);
  }

  #find({ id, mustExist }: Session): Held {
    const held = this.#held.get(id);
    if (held?.busy) {
      throw new ClickHouseException(
        373,
        'SESSION_IS_LOCKED',
        `Session ${id} is locked by a concurrent client`,
      );
    }
    if (held) return held;
    if (mustExist) throw new ClickHouseException(372, 'SESSION_NOT_FOUND', `Session ${id} not found`);
    const opened: Held = { connection: this.#connections.open(), busy: false };
    this.#held.set(id, opened);
    return opened;
  }

  #end(id: string): void {
    const held = this.#held.get(id);
    if (!held || held.busy) return;
    clearTimeout(held.expiry);
    this.#held.delete(id);
    this.#connections.close(held.connection);
  }
}
