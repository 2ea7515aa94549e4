import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Body } from './body.ts';
import { Connections } from './connections.ts';
import { ClickHouseException } from './exception.ts';
import type { Connection, Library } from './library.ts';
import type { Request } from './request.ts';
import { type Answer, run } from './run.ts';
import { Sessions } from './sessions.ts';
import { preamble, quote, restore } from './settings.ts';

/** Connections open at a time; each may run a query, and libuv has a thread for each (see `join.ts`). */
const connectionLimit = 16;

/** The engine is stopping: to a client this looks like a server that has stopped. */
export class EngineClosed extends Error {}

/** chDB over one data directory. */
export class Engine {
  readonly version: string;
  readonly timezone: string;
  readonly #library: Library;
  readonly #connections: Connections;
  readonly #sessions: Sessions;
  /** Open from first to last: chDB stops its background work when no connection is left. */
  readonly #control: Connection;
  readonly #scratch: string;
  readonly #running = new Set<string>();
  #closing = false;

  private constructor(library: Library, path: string, scratch: string, control: Connection, about: string) {
    this.#library = library;
    this.#control = control;
    this.#scratch = scratch;
    this.#connections = new Connections(library, path, connectionLimit);
    this.#sessions = new Sessions(
      () => Promise.resolve(library.CreateConnection(path, ['--implicit_select=0'])),
      (connection) => library.CloseConnection(connection),
    );
    [this.version = '', this.timezone = ''] = about.trim().split('\t');
  }

  static async open(library: Library, dataDir: string): Promise<Engine> {
    const path = join(dataDir, 'clickhouse');
    const scratch = join(dataDir, 'incoming');
    await mkdir(path, { recursive: true });
    const control = library.CreateConnection(path, []);
    const about = await library.QueryAsyncConnection(control, 'SELECT version(), timezone()', 'TabSeparated');
    // What an engine killed amid an insert has left.
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch);
    return new Engine(library, path, scratch, control, about.bytes.toString());
  }

  /**
   * Runs a request and hands its answer to `use`; an answer in blocks keeps its connection until `use` settles.
   */
  async answer(
    request: Request,
    body: Body,
    queryId: string,
    use: (answer: Answer) => Promise<void>,
  ): Promise<void> {
    if (this.#closing) throw new EngineClosed();
    if (this.#running.has(queryId)) {
      throw new ClickHouseException(
        216,
        'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING',
        `Query with id = ${queryId} is already running`,
      );
    }
    this.#running.add(queryId);
    let whole: Answer | undefined;
    const work = async (connection: Connection) => {
      await this.#query(connection, preamble(request, queryId));
      try {
        const scratch = { directory: this.#scratch, name: `${crypto.randomUUID()}.data` };
        const answer = await run(this.#library, connection, request, body, scratch);
        if (answer.kind === 'blocks') await use(answer);
        else whole = answer;
      } finally {
        if (request.session) await this.#query(connection, restore(request));
      }
    };
    try {
      if (request.session) await this.#sessions.use(request.session, work);
      else await this.#withConnection(work);
    } finally {
      this.#running.delete(queryId);
    }
    if (whole) await use(whole);
  }

  /** Ends a SELECT that nobody waits for any more; its connection is still awaited. An INSERT goes on. */
  async cancel(queryId: string): Promise<void> {
    if (!this.#running.has(queryId)) return;
    await this.#withConnection((connection) =>
      this.#query(
        connection,
        `KILL QUERY WHERE Settings['log_comment'] = ${quote(queryId)} AND query_kind = 'Select' ASYNC`,
      ),
    );
  }

  /** Waits for what still runs, SELECTs cut short, and releases the data directory. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const queryId of this.#running) await this.cancel(queryId);
    await this.#connections.allClosed();
    this.#sessions.endAll();
    this.#library.CloseConnection(this.#control);
    await rm(this.#scratch, { recursive: true, force: true });
  }

  async #withConnection(action: (connection: Connection) => Promise<void>): Promise<void> {
    const connection = await this.#connections.open();
    try {
      await action(connection);
    } finally {
      this.#connections.close(connection);
    }
  }

  async #query(connection: Connection, text: string): Promise<void> {
    if (text !== '') await this.#library.QueryAsyncConnection(connection, text, 'TabSeparated');
  }
}
