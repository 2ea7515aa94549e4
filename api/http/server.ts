import { once } from 'node:events';
import { type RequestListener, Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo, BlockList, ListenOptions, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openFilesLimit } from '../../clickhouse/embedded/open-files.ts';
import type { ServiceSettings } from '../config.ts';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { addressBucket, clientAddress, isTrusted } from '../rate-limit/client-address.ts';
import { handleMalformedRequests } from './malformed-request.ts';
import { takeTurns } from './request-turns.ts';

const SECOND = 1000;
const MAX_CONNECTIONS = 4096;
/** Open files besides client connections: those of Node, connections to the archive and Redis, and 48 downloads. */
const OWN_FILES = 96;
/** Connections that the kernel holds for Node (at most `net.core.somaxconn`); more of them retry after 1, 3, 7 and 15 seconds. */
const BACKLOG = 4096;

export function createServer(
  handler: RequestListener,
  settings: ServiceSettings,
  log: Log,
  metrics: Metrics,
): DrainingServer {
  const server = new DrainingServer(handler, {
    headersTimeout: settings.requestSeconds * SECOND,
    requestTimeout: settings.requestSeconds * SECOND,
    connectionsCheckingInterval: SECOND / 2,
    // Above the 60 s of common load balancers, so that the load balancer closes an idle connection first.
    keepAliveTimeout: 65 * SECOND,
    requireHostHeader: false,
  });
  server.maxConnections = maxConnections(log);
  limitConnections(server, settings.connectionsPerAddress, settings.trustedProxies);
  // Ends a client that stops reading in the middle of a page and so keeps it in memory. A running query sends nothing for its time.
  server.setTimeout((settings.queryLimits.queryTimeoutSeconds + 60) * SECOND);
  handleMalformedRequests(server, server.pending, log, metrics);
  return server;
}

/** @returns the port. If the server cannot listen on it, throws an error that says what the operator can change. */
export async function listenOn(
  server: Server,
  setting: 'PORT' | 'METRICS_PORT',
  { host, port }: Pick<ListenOptions, 'host' | 'port'>,
): Promise<number> {
  server.listen({ host, port, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause;
    const remedy = `Set ${setting} to another port, or HOST to another address`;
    throw new Error(`${setting} ${port} cannot be used: ${reason}. ${remedy}`, { cause });
  }
  return (server.address() as AddressInfo).port;
}

/** How many connections the limit on open files allows. Logs a low limit together with the limit needed. */
export function maxConnections(log: Log, limit = openFilesLimit()): number {
  const needed = MAX_CONNECTIONS + OWN_FILES;
  if (limit >= needed) return MAX_CONNECTIONS;
  const connections = Math.max(1, limit - OWN_FILES);
  log.warn('low limit of open files', { limit, needed, connections, remedy: `ulimit -n ${needed}` });
  return connections;
}

/** One address must not hold all connections. A trusted proxy has no limit: it opens those of all its clients. */
function limitConnections(server: Server, perAddress: number, trustedProxies: BlockList): void {
  const counts = new Map<string, number>();
  server.on('connection', (socket) => {
    const address = clientAddress(socket.remoteAddress ?? '', undefined, trustedProxies);
    if (isTrusted(address, trustedProxies)) return;
    const bucket = addressBucket(address);
    const count = counts.get(bucket) ?? 0;
    if (count >= perAddress) return void socket.destroy();
    counts.set(bucket, count + 1);
    socket.once('close', () => {
      const left = (counts.get(bucket) ?? 1) - 1;
      if (left === 0) counts.delete(bucket);
      else counts.set(bucket, left);
    });
  });
}

/** How long a client has to send the next request on its connection, which tells it to close the connection. */
const LAST_REQUESTS_MS = 1500;
const POLL_MS = 50;

export class DrainingServer extends Server {
  /** Responses that are not complete, including those whose request waits for its turn. */
  readonly pending = new Set<ServerResponse>();
  #isDraining = false;

  constructor(handler: RequestListener, options: ServerOptions) {
    super(options);
    const turns = takeTurns((request, response) => {
      const isLost = request.socket.destroyed;
      if (this.#isDraining) response.shouldKeepAlive = false;
      handler(request, response);
      // The connection was lost while the request waited for its turn.
      if (isLost) response.emit('close');
    });
    this.on('connection', () => turns.noteConnection());
    this.on('request', (request, response) => {
      this.pending.add(response);
      // Each stage of a request listens for the end of the response, and `pipeline` several times.
      response.setMaxListeners(20);
      response.once('close', () => this.pending.delete(response));
      closeWithConnection(request.socket, response);
      turns.add(request, response);
    });
  }

  /** Resets connections in mid-response: to an HTTP/1.0 client a closed connection is the end of the body. */
  override closeAllConnections(): void {
    for (const { socket } of this.pending) socket?.resetAndDestroy();
    super.closeAllConnections();
  }

  /** Unlike `close`, which resets idle connections, lets each client send one more request; the response closes the connection. */
  async drain(deadlineSeconds: number): Promise<void> {
    this.#isDraining = true;
    for (const response of this.pending) response.shouldKeepAlive = false;
    const countConnections = promisify(this.getConnections.bind(this));
    for (let waited = 0; waited < LAST_REQUESTS_MS && (await countConnections()) > 0; waited += POLL_MS)
      await sleep(POLL_MS);
    const closed = once(this, 'close');
    this.close();
    const deadline = setTimeout(() => this.closeAllConnections(), deadlineSeconds * SECOND);
    await closed;
    clearTimeout(deadline);
  }
}

/** If a connection is lost, Node emits `close` only for the response being sent; the queries of pipelined requests would go on. */
function closeWithConnection(connection: Socket, response: ServerResponse): void {
  const emitClose = () => {
    if (!response.closed) response.emit('close');
  };
  // Each pipelined request adds a listener.
  connection.setMaxListeners(0);
  connection.once('close', emitClose);
  response.once('close', () => connection.off('close', emitClose));
}
