import { once } from 'node:events';
import { type RequestListener, Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { answerUnreadable } from './unreadable.ts';

const SECOND = 1000;

export type ServerSettings = {
  readonly host: string;
  readonly port: number;
  /** A connection on which nothing moves for so long is cut; above the time limit of a query. */
  readonly idleSeconds: number;
};

/** A listening server that outlasts slow and careless clients. Throws when the address cannot be had. */
export async function listen(
  handle: RequestListener,
  { host, port, idleSeconds }: ServerSettings,
  log: Log,
  metrics: Metrics,
): Promise<Server> {
  const server = new QuietlyClosing({
    headersTimeout: 10 * SECOND,
    requestTimeout: 20 * SECOND,
    // Above the 60 s of common load balancers, so that they are the ones to close an idle connection.
    keepAliveTimeout: 65 * SECOND,
    requireHostHeader: false,
  });
  server.maxConnections = 4096;
  // A client that stops reading half way would hold its page in memory for ever.
  server.setTimeout(idleSeconds * SECOND);
  server.on('request', handle);
  answerUnreadable(server, log, metrics);
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

/**
 * Stops without breaking an answer. `close()` resets idle connections, which a client may be about to use: so for
 * a moment each connection still gets its next request answered, with `Connection: close`. Then the server listens no
 * more, and what is under way is finished within the deadline.
 */
export async function drain(
  server: Server,
  deadlineSeconds: number,
  listenNoMore: () => void = () => server.close(),
): Promise<void> {
  for (let waited = 0; waited < WIND_DOWN && (await connections(server)) > 0; waited += 50) await sleep(50);
  const closed = once(server, 'close');
  listenNoMore();
  const cut = setTimeout(() => server.closeAllConnections(), deadlineSeconds * SECOND);
  await closed;
  clearTimeout(cut);
}

/**
 * A connection that the system has made and nobody has accepted is reset when the port closes: so it closes right
 * after a look at it that found none. This holds whoever closes the server, for of a worker's it is the cluster.
 */
class QuietlyClosing extends Server {
  override close(whenClosed?: (error?: Error) => void): this {
    let accepted = 0;
    this.on('connection', () => {
      accepted += 1;
    });
    const look = (before: number) => {
      if (before === accepted) super.close(whenClosed);
      else setImmediate(look, accepted);
    };
    // By then the primary of a worker has closed the port too, which it does as it asks for this.
    setTimeout(look, 50, -1);
    return this;
  }
}

const WIND_DOWN = 1.5 * SECOND;

function connections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}
