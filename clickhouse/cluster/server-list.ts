import type { Archive } from '../archive.ts';
import { isServerDown, storageFailure } from '../errors.ts';

/** Nothing reached the server, so the statement can go to another one. */
const NOT_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];

/** A SELECT can also be retried after a reset, often of an idle connection to a server that has stopped. */
const NOT_ANSWERED = [...NOT_CONNECTED, 'ECONNRESET', 'EPIPE'];

/**
 * An archive that uses one server of a list at a time and moves to the next after a failure. A request that could not
 * connect, or a SELECT whose connection was reset, goes to the next server at once. Other failures are thrown.
 */
export function useOneServerOf(servers: readonly Archive[]): Archive {
  const [first] = servers;
  if (first === undefined) throw new Error('The list of servers is empty');
  if (servers.length === 1) return first;
  let changes = 0;
  const current = () => servers[changes % servers.length] ?? first;

  async function run<T>(
    work: (server: Archive) => Promise<T>,
    repeatedCodes: readonly string[],
    isDown = isServerDown,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const before = changes;
      try {
        return await work(current());
      } catch (error) {
        // Another request may already have switched servers.
        if (isDown(error) && changes === before) changes += 1;
        if (attempt === servers.length || !hasCode(error, repeatedCodes)) throw error;
      }
    }
  }

  return {
    select: (select, signal) => run((server) => server.select(select, signal), NOT_ANSWERED),
    stream: (select, signal) => run((server) => server.stream(select, signal), NOT_ANSWERED),
    command: (statement, signal) => run((server) => server.command(statement, signal), NOT_CONNECTED),
    // Part of a row stream may already have been sent.
    insert: (insert, signal) =>
      run((server) => server.insert(insert, signal), Array.isArray(insert.rows) ? NOT_CONNECTED : []),
    insertFile: (statement, bytes, signal) =>
      run((server) => server.insertFile(statement, bytes, signal), NOT_CONNECTED),
    // A timeout is a failure too.
    ping: (signal) =>
      run(
        (server) => server.ping(signal),
        NOT_ANSWERED,
        (error) => storageFailure(error) !== 'overloaded',
      ),
    countServerChanges: () => changes,
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
