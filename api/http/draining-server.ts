import { once } from 'node:events';
import { type RequestListener, Server, type ServerOptions, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestTurns } from './request-turns.ts';

const CONNECTIONS_TIMEOUT_MS = 1500;
const ACTIVE_REQUESTS_TIMEOUT_MS = 1000;
/** A client opens its next connection within this time after its last response. */
const QUIET_MS = 150;
const QUIET_TIMEOUT_MS = 1000;
const POLL_MS = 50;

/**
 * An HTTP server that stops without cutting off a response or resetting a new connection.
 *
 * When the port closes, the kernel resets connections that it has established but the process has not accepted. So
 * requests are deferred first, which keeps their clients from opening more connections; the port closes right after a
 * turn of the event loop without a new connection; then the deferred requests are handled.
 */
export class DrainingServer extends Server {
  readonly #active = new Set<ServerResponse>();
  readonly #turns = new RequestTurns();
  #lastEvent = 0;

  constructor(handler: RequestListener, options: ServerOptions) {
    super(options);
    this.on('connection', () => {
      this.#turns.noteConnection();
      this.#noteEvent();
    });
    this.on('request', (request, response) => {
      closeWithConnection(request.socket, response);
      this.#turns.add(request, () => this.#handle(response, () => handler(request, response)));
    });
  }

  /** Requests that are being handled. */
  get activeRequests(): number {
    return this.#active.size;
  }

  /** Time since a connection was last opened or a response last ended. */
  get quietMs(): number {
    return performance.now() - this.#lastEvent;
  }

  /** Defers all new requests until the port is closed. */
  deferRequests(): void {
    this.#turns.pause();
  }

  /** Resets connections in mid-response: to an HTTP/1.0 client a closed connection is the end of the body. */
  override closeAllConnections(): void {
    for (const { socket } of this.#active) socket?.resetAndDestroy();
    super.closeAllConnections();
  }

  override close(onClosed?: (error?: Error) => void): this {
    let accepted = 0;
    this.on('connection', () => {
      accepted += 1;
    });
    const closeWhenQuiet = (acceptedBefore: number) => {
      if (acceptedBefore !== accepted) return void setImmediate(closeWhenQuiet, accepted);
      super.close(onClosed);
      this.#turns.resume();
    };
    closeWhenQuiet(-1);
    return this;
  }

  #handle(response: ServerResponse, handle: () => void): void {
    const isLost = response.req.socket.destroyed;
    this.#active.add(response);
    // Each stage of a request listens for the end of the response, and `pipeline` several times.
    response.setMaxListeners(20);
    response.once('close', () => {
      this.#active.delete(response);
      this.#noteEvent();
    });
    handle();
    // The connection was lost while the request waited for its turn.
    if (isLost) response.emit('close');
  }

  #noteEvent(): void {
    this.#lastEvent = performance.now();
  }
}

/**
 * Node emits `close` for the response that a lost connection was sending, but not for the responses of pipelined
 * requests after it. Their queries would run although the client has disconnected.
 */
function closeWithConnection(connection: Socket, response: ServerResponse): void {
  const emitClose = () => {
    if (!response.closed) response.emit('close');
  };
  // Each pipelined request adds a listener.
  connection.setMaxListeners(0);
  connection.once('close', emitClose);
  response.once('close', () => connection.off('close', emitClose));
}

/**
 * Stops the server. `Server.close()` alone resets idle connections that a client may be about to use. So for a moment
 * each connection still gets a response to its next request, with `Connection: close`. Then the port closes, and
 * running requests get `deadlineSeconds` to finish.
 */
export async function drain(server: DrainingServer, deadlineSeconds: number): Promise<void> {
  await waitUntil(async () => (await countConnections(server)) === 0, CONNECTIONS_TIMEOUT_MS);
  server.deferRequests();
  await waitUntil(async () => server.activeRequests === 0, ACTIVE_REQUESTS_TIMEOUT_MS);
  // Clients that just got a response may be opening connections, which the kernel would reset.
  await waitUntil(async () => server.quietMs >= QUIET_MS, QUIET_TIMEOUT_MS);
  const closed = once(server, 'close');
  server.close();
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineSeconds * 1000);
  await closed;
  clearTimeout(deadline);
}

async function waitUntil(condition: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  for (let waited = 0; waited < timeoutMs && !(await condition()); waited += POLL_MS) await sleep(POLL_MS);
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}
