import { ClickHouseException } from './exception.ts';
import type { Connection } from './library.ts';
import type { Session } from './request.ts';

type Held = { readonly connection: Connection; busy: boolean; expiry: NodeJS.Timeout | undefined };

/**
 * Connections that outlive a request, by session id: temporary tables and SET statements stay with them. As on
 * a server a session runs one query at a time and ends when it has not been used for its time-out.
 */
export class Sessions {
  readonly #held = new Map<string, Held>();
  readonly #open: () => Promise<Connection>;
  readonly #close: (connection: Connection) => void;

  constructor(open: () => Promise<Connection>, close: (connection: Connection) => void) {
    this.#open = open;
    this.#close = close;
  }

  async use<T>(session: Session, action: (connection: Connection) => Promise<T>): Promise<T> {
    let held = this.#held.get(session.id);
    if (held?.busy) {
      throw new ClickHouseException(
        373,
        'SESSION_IS_LOCKED',
        `Session ${session.id} is locked by a concurrent client`,
      );
    }
    if (!held) {
      if (session.mustExist) {
        throw new ClickHouseException(372, 'SESSION_NOT_FOUND', `Session ${session.id} not found`);
      }
      held = { connection: await this.#open(), busy: true, expiry: undefined };
      this.#held.set(session.id, held);
    }
    clearTimeout(held.expiry);
    held.busy = true;
    try {
      return await action(held.connection);
    } finally {
      held.busy = false;
      held.expiry = setTimeout(() => this.#end(session.id), session.timeoutSeconds * 1000).unref();
    }
  }

  endAll(): void {
    for (const id of [...this.#held.keys()]) this.#end(id);
  }

  #end(id: string): void {
    const held = this.#held.get(id);
    if (!held || held.busy) return;
    clearTimeout(held.expiry);
    this.#held.delete(id);
    this.#close(held.connection);
  }
}
