import type { Connection, Library } from './library.ts';

/**
 * Opens at most `limit` chDB connections at a time; who comes later waits in line. A connection is opened for
 * one request (0.1 ms), so nothing that a request sets leaks into the next.
 */
export class Connections {
  readonly #library: Library;
  readonly #path: string;
  readonly #waiting: (() => void)[] = [];
  #free: number;
  readonly #limit: number;
  #idle: (() => void)[] = [];

  constructor(library: Library, path: string, limit: number) {
    this.#library = library;
    this.#path = path;
    this.#limit = limit;
    this.#free = limit;
  }

  async open(): Promise<Connection> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      // A server takes no statement without SELECT for an expression; chDB would.
      return this.#library.CreateConnection(this.#path, ['--implicit_select=0']);
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** The caller has awaited every call on this connection. */
  close(connection: Connection): void {
    this.#library.CloseConnection(connection);
    this.#release();
  }

  /** Settles when every connection has been closed. */
  async allClosed(): Promise<void> {
    if (this.#free === this.#limit) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) {
      next();
      return;
    }
    this.#free++;
    if (this.#free < this.#limit) return;
    for (const resolve of this.#idle) resolve();
    this.#idle = [];
  }
}
