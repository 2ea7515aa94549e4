import { once } from 'node:events';
import { type RequestListener, Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ops/log.ts';
import type { Metrics } from '../ops/metrics.ts';
import { handleMalformedRequests } from './malformed-request.ts';

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
): Promise<ClosingServer> {
  const server = new ClosingServer({
    headersTimeout: 10 * SECOND,
    requestTimeout: 20 * SECOND,
    // Above the 60 s of common load balancers, so that they are the ones to close an idle connection.
    keepAliveTimeout: 65 * SECOND,
    requireHostHeader: false,
  });
  server.maxConnections = 4096;
  // A client that stops reading half way would hold its page in memory for ever.
  server.setTimeout(idleSeconds * SECOND);
  server.on('request', (request, response) => server.whenLetIn(response, () => handle(request, response)));
  handleMalformedRequests(server, log, metrics);
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
  server: ClosingServer,
  deadlineSeconds: number,
  listenNoMore: () => void = () => server.close(),
): Promise<void> {
  await passing(WIND_DOWN, async () => (await connections(server)) === 0);
  server.hold();
  await passing(LAST_ANSWERS, async () => server.answering === 0);
  const closed = once(server, 'close');
  listenNoMore();
  const cut = setTimeout(() => server.closeAllConnections(), deadlineSeconds * SECOND);
  await closed;
  clearTimeout(cut);
}

/**
 * A connection that the system has made and nobody has accepted is reset when the port closes. So new requests are held
 * back before, which keeps their clients from making other connections, and answered after; and the port closes right
 * after a look at it that found no new connection. This holds whoever closes the server, for of a worker's it is the
 * cluster.
 */
class ClosingServer extends Server {
  /** Requests let in and not yet answered. */
  answering = 0;
  #heldBack: (() => void)[] | undefined;

  hold(): void {
    this.#heldBack ??= [];
  }

  whenLetIn(response: ServerResponse, answer: () => void): void {
    const letIn = () => {
      if (response.closed) return;
      this.answering += 1;
      response.once('close', () => {
        this.answering -= 1;
      });
      answer();
    };
    if (this.#heldBack === undefined) letIn();
    else this.#heldBack.push(letIn);
  }

  override close(whenClosed?: (error?: Error) => void): this {
    let accepted = 0;
    this.on('connection', () => {
      accepted += 1;
    });
    const look = (before: number) => {
      if (before !== accepted) return void setImmediate(look, accepted);
      super.close(whenClosed);
      for (const letIn of this.#heldBack ?? []) letIn();
      this.#heldBack = undefined;
    };
    // By then the primary of a worker has closed the port too, which it does as it asks for this.
    setTimeout(look, 50, -1);
    return this;
  }
}

const WIND_DOWN = 1.5 * SECOND;
const LAST_ANSWERS = SECOND;

/** Waits until something is so, and no longer than that. */
async function passing(milliseconds: number, isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < milliseconds && !(await isSo()); waited += 50) await sleep(50);
}

function connections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}
