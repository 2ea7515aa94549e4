import type { Readable } from 'node:stream';
import type {
  ClickHouseClient,
  CommandParams,
  ExecParams,
  InsertParams,
  QueryParams,
} from '@clickhouse/client';
import { ClickHouseError } from '@clickhouse/client';
import { storageFailure } from '../errors.ts';

/** A server that answers with one of these cannot write: it has lost Keeper. */
const LOST_KEEPER = new Set(['225', '242', '999']); // NO_ZOOKEEPER, TABLE_IS_READ_ONLY, KEEPER_EXCEPTION

/** Nothing has reached the server, so the statement can be sent to another one. */
const NOT_CONNECTED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];

/** As well after the connection was reset, often an idle one to a server that has stopped: a SELECT can be repeated. */
const NOT_ANSWERED = [...NOT_CONNECTED, 'ECONNRESET', 'EPIPE'];

/**
 * One client over the servers of a list: it uses one of them at a time, and the next one when that fails. A request for
 * which no connection could be made is sent to the next server at once, and a SELECT also when its connection was
 * reset; any other failure is the caller's.
 */
export function useOneNodeOf(clients: readonly [ClickHouseClient, ...ClickHouseClient[]]): ClickHouseClient {
  const [first] = clients;
  if (clients.length === 1) return first;
  let changes = 0;
  const current = () => clients[changes % clients.length] ?? first;

  async function run<T>(
    work: (client: ClickHouseClient) => Promise<T>,
    repeatedCodes: readonly string[],
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const before = changes;
      try {
        return await work(current());
      } catch (error) {
        // Another request may have moved on meanwhile.
        if (isNodeDown(error) && changes === before) changes += 1;
        if (attempt === clients.length || !hasCode(error, repeatedCodes)) throw error;
      }
    }
  }

  const list: ClickHouseClient = Object.create(first, { nodeChanges: { get: () => changes } });
  return Object.assign(list, {
    query: (params: QueryParams) => run((client) => client.query(params), NOT_ANSWERED),
    command: (params: CommandParams) => run((client) => client.command(params), NOT_CONNECTED),
    insert: (params: InsertParams<Readable>) =>
      run((client) => client.insert(params), Array.isArray(params.values) ? NOT_CONNECTED : []),
    // Without values it is a SELECT. A stream of values may have been sent in part.
    exec: (params: ExecParams) =>
      run((client) => client.exec(params), 'values' in params ? [] : NOT_ANSWERED),
    async ping(params: Parameters<ClickHouseClient['ping']>[0]) {
      for (let attempt = 1; ; attempt += 1) {
        const before = changes;
        const result = await current().ping(params);
        if (result.success || storageFailure(result.error) === 'overloaded') return result;
        // A ping also fails when it gets no answer in time.
        if (changes === before) changes += 1;
        if (attempt === clients.length || !hasCode(result.error, NOT_ANSWERED)) return result;
      }
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
    },
  });
}

/**
 * How often the client has moved to another server. What was read before a change may differ from what the next server
 * has, and parts have other names there.
 */
export function countNodeChanges(client: ClickHouseClient): number {
  return 'nodeChanges' in client ? Number(client.nodeChanges) : 0;
}

function isNodeDown(error: unknown): boolean {
  if (error instanceof ClickHouseError) return LOST_KEEPER.has(error.code);
  return storageFailure(error) === 'unavailable';
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
