import { fileURLToPath } from 'node:url';
import type { Connection, Library } from './library.ts';

/** As a server has it. */
const CONFIG = fileURLToPath(new URL('../server/config.d/history.xml', import.meta.url));

/**
 * chDB connections, at most `limit` at a time; who comes later waits in line. Each request has one of its own
 * (opening takes 0.1 ms), so nothing that a request sets leaks into the next.
 */
export class Connections {
  readonly #library: Library;
  readonly #path: string;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(library: Library, path: string, limit: number) {
    this.#library = library;
    this.#path = path;
    this.#free = limit;
  }

  /** `action` settles only when every call on its connection has: the connection is closed then. */
  async use(action: (connection: Connection) => Promise<void>): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      const connection = this.open();
      try {
        await action(connection);
      } finally {
        this.close(connection);
      }
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  /** A connection outside the limit, for whoever keeps it. */
  open(): Connection {
    // chDB would take an expression without SELECT for a statement; a server does not.
    return this.#library.CreateConnection(this.#path, ['--implicit_select=0', `--config-file=${CONFIG}`]);
  }

  close(connection: Connection): void {
    this.#library.CloseConnection(connection);
  }
}
