import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { RequestListener, Server } from 'node:http';
import type { BlockList, Server as TcpServer } from 'node:net';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { addressBucket, clientAddress, isTrusted } from '../rate-limit/client-address.ts';
import { DrainingServer } from './draining-server.ts';
import { handleMalformedRequests } from './request/malformed-request.ts';

const SECOND = 1000;
/** The most connections of a process. */
const MAX_CONNECTIONS = 4096;
/** Other open files: those of Node, the archive and Redis. */
const OWN_FILES = 96;
/**
 * Connections that the kernel establishes before the process accepts them, up to `net.core.somaxconn`. It does not
 * answer any more: their clients try again after 1, 3, 7 and 15 seconds.
 */
const BACKLOG = 4096;
/** How often to check whether a client that has closed its sending side still reads. */
const HALF_CLOSED_PROBE_MS = 500;

type ServerSettings = {
  readonly host: string;
  readonly port: number;
  /** A connection without traffic for this time is closed; longer than the time limit of a query. */
  readonly idleSeconds: number;
  /** A connection whose request is not complete in this time is closed, two seconds later at the latest. */
  readonly requestSeconds: number;
  readonly connectionsPerAddress: number;
  readonly trustedProxies: BlockList;
};

/** Starts a server with time limits for slow clients. Throws if it cannot listen on the address. */
export async function listen(
  handler: RequestListener,
  { host, port, idleSeconds, requestSeconds, connectionsPerAddress, trustedProxies }: ServerSettings,
  log: Log,
  metrics: Metrics,
): Promise<DrainingServer> {
  const server = new DrainingServer(handler, {
    headersTimeout: requestSeconds * SECOND,
    requestTimeout: requestSeconds * SECOND,
    connectionsCheckingInterval: SECOND / 2,
    // Above the 60 s of common load balancers, so that the load balancer closes an idle connection first.
    keepAliveTimeout: 65 * SECOND,
    requireHostHeader: false,
  });
  server.maxConnections = maxConnections(log);
  limitConnections(server, connectionsPerAddress, trustedProxies);
  // A client that stops reading in the middle of a page keeps that page in memory.
  server.setTimeout(idleSeconds * SECOND);
  answerHalfClosed(server);
  handleMalformedRequests(server, log, metrics);
  server.listen({ port, host, backlog: BACKLOG });
  await once(server, 'listening');
  return server;
}

/**
 * Answers a client that closes its sending side after a request (`nc -N`, `shutdown(SHUT_WR)`); by default Node closes
 * the connection. A client that has closed the whole connection sends the same segment, so interim responses are sent
 * as probes: the kernel of such a client answers the first with a reset, the next one fails, and the work for it ends.
 */
function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', ({ socket, httpVersion }, response) => {
    let timer: NodeJS.Timeout | undefined;
    const probe = () => {
      // A response without a socket waits for the response to an earlier request.
      if (response.socket !== null && !response.headersSent && httpVersion === '1.1')
        response.writeProcessing();
    };
    const startProbing = () => {
      // At once: with half-open connections, Node can report a reset right after a request as a mere end.
      probe();
      timer = setInterval(probe, HALF_CLOSED_PROBE_MS);
    };
    socket.once('end', startProbing);
    response.once('close', () => {
      socket.off('end', startProbing);
      clearInterval(timer);
    });
  });
}

/** How many connections the limit on open files allows. Logs a low limit together with the limit needed. */
export function maxConnections(log: Log, limit = openFilesLimit()): number {
  const needed = MAX_CONNECTIONS + OWN_FILES;
  if (limit >= needed) return MAX_CONNECTIONS;
  const connections = Math.max(1, limit - OWN_FILES);
  log('warn', 'low limit of open files', { limit, needed, connections, remedy: `ulimit -n ${needed}` });
  return connections;
}

/** The limit of this process: the output of `ulimit -Hn`, to which Node raises it. Infinite if unknown. */
function openFilesLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(limit ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Closes connections that an address opens beyond its limit. Otherwise one address could hold all connections of the
 * server. A trusted proxy has no limit: it opens the connections of all its clients.
 */
function limitConnections(server: TcpServer, perAddress: number, trustedProxies: BlockList): void {
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
