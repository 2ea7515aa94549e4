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
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * One client over the servers of a list: it uses one of them at a time, and the next one when that fails. A request for
 * which no connection could be made is sent to the next server at once; any other failure is the caller's.
 */
export function useOneNodeOf(clients: readonly [ClickHouseClient, ...ClickHouseClient[]]): ClickHouseClient {
  const [first] = clients;
  if (clients.length === 1) return first;
  let changes = 0;
  const current = () => clients[changes % clients.length] ?? first;

  async function run<T>(work: (client: ClickHouseClient) => Promise<T>, isRepeatable = true): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const before = changes;
      try {
        return await work(current());
      } catch (error) {
        // Another request may have moved on meanwhile.
        if (isNodeDown(error) && changes === before) changes += 1;
        if (!isRepeatable || attempt === clients.length || !isNotConnected(error)) throw error;
      }
    }
  }

  const list: ClickHouseClient = Object.create(first, { nodeChanges: { get: () => changes } });
  return Object.assign(list, {
    query: (params: QueryParams) => run((client) => client.query(params)),
    command: (params: CommandParams) => run((client) => client.command(params)),
    insert: (params: InsertParams<Readable>) =>
      run((client) => client.insert(params), Array.isArray(params.values)),
    exec: (params: ExecParams) => run((client) => client.exec(params), !('values' in params)),
    async ping(params: Parameters<ClickHouseClient['ping']>[0]) {
      const before = changes;
      const result = await current().ping(params);
      // A ping also fails when it gets no answer in time.
      if (!result.success && storageFailure(result.error) !== 'overloaded' && changes === before)
        changes += 1;
      return result;
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

function isNotConnected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NOT_CONNECTED.has(String(error.code));
}
