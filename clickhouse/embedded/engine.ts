import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answer.ts';
import type { Body } from './body.ts';
import { Connections } from './connections.ts';
import { ClickHouseException } from './exception.ts';
import type { Connection, Library } from './library.ts';
import type { Request } from './request.ts';
import { run } from './run.ts';
import { Sessions } from './sessions.ts';
import { preamble, quote, restore } from './settings.ts';

/** Requests at work at a time; libuv has a thread for each (see `start.ts`). */
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
  readonly #incoming: string;
  readonly #running = new Map<string, Promise<void>>();
  /** Open from first to last: chDB stops its background work when no connection is left. */
  readonly #control: Connection;
  #commanded: Promise<void> = Promise.resolve();
  #closing = false;

  private constructor(
    library: Library,
    connections: Connections,
    incoming: string,
    control: Connection,
    about: string,
  ) {
    this.#library = library;
    this.#connections = connections;
    this.#sessions = new Sessions(connections);
    this.#incoming = incoming;
    this.#control = control;
    [this.version = '', this.timezone = ''] = about.trim().split('\t');
  }

  static async open(library: Library, dataDir: string): Promise<Engine> {
    const path = join(dataDir, 'clickhouse');
    const incoming = join(dataDir, 'incoming');
    await mkdir(path, { recursive: true });
    const connections = new Connections(library, path, connectionLimit);
    const control = connections.open();
    const about = await library.QueryAsyncConnection(control, 'SELECT version(), timezone()', 'TabSeparated');
    // What an engine killed amid an insert has left.
    await rm(incoming, { recursive: true, force: true });
    await mkdir(incoming);
    return new Engine(library, connections, incoming, control, about.bytes.toString());
  }

  /**
   * Runs a request and hands its answer to `use`. An answer in blocks keeps its connection until `use` settles
   * and the block that was being fetched, if its reader gave up, is there.
   * `isWanted` is asked when the request's turn has come.
   */
  async answer(
    request: Request,
    body: Body,
    queryId: string,
    isWanted: () => boolean,
    use: (answer: Answer) => Promise<void>,
  ): Promise<void> {
    if (this.#closing) throw new EngineClosed();
    if (this.#running.has(queryId)) {
      const reason = `Query with id = ${queryId} is already running`;
      throw new ClickHouseException(216, 'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING', reason);
    }
    let whole: Answer | undefined;
    const work = async (connection: Connection) => {
      if (!isWanted()) return;
      if (this.#closing) throw new EngineClosed();
      try {
        await this.#query(connection, preamble(request, queryId));
        const incoming = { directory: this.#incoming, name: randomUUID() };
        const answer = await run(this.#library, connection, request, body, incoming);
        if (answer.kind === 'blocks') await use(answer).finally(() => answer.blocks.return());
        else whole = answer;
      } finally {
        if (request.session) await this.#query(connection, restore(request));
      }
    };
    const running = request.session ? this.#sessions.use(request.session, work) : this.#connections.use(work);
    this.#running.set(queryId, running);
    try {
      await running;
    } finally {
      this.#running.delete(queryId);
    }
    if (whole) await use(whole);
  }

  /** Ends a SELECT that nobody waits for any more; its connection is still awaited. An INSERT goes on. */
  async cancel(queryId: string): Promise<void> {
    const found = `Settings['log_comment'] = ${quote(queryId)} AND query_kind = 'Select'`;
    // Asked for again, because a query that is only about to start is not found.
    while (this.#running.has(queryId)) {
      await this.#command(`KILL QUERY WHERE ${found} ASYNC`);
      await Promise.race([this.#running.get(queryId)?.catch(() => {}), sleep(200)]);
    }
  }

  /** Waits for what still runs, SELECTs cut short, and releases the data directory. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#running.keys()].map((queryId) => this.cancel(queryId).catch(() => {})));
    await Promise.allSettled(this.#running.values());
    await this.#commanded.catch(() => {});
    this.#sessions.endAll();
    this.#connections.close(this.#control);
    await rm(this.#incoming, { recursive: true, force: true });
  }

  /** On a connection of its own, for the others may all be taken; one at a time, for it is only one. */
  #command(text: string): Promise<void> {
    const run = () => this.#query(this.#control, text);
    this.#commanded = this.#commanded.then(run, run);
    return this.#commanded;
  }

  async #query(connection: Connection, text: string): Promise<void> {
    await this.#library.QueryAsyncConnection(connection, text, 'TabSeparated');
  }
}
